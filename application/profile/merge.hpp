#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "application/profile/part.hpp"

namespace hockney::profile {

/// The call that a rank was in when it ended, nullopt where it was in none.
std::optional<Function> call_under_way(const PartHeader& header);

/// "1 of 2 ranks (1): they were killed before they could save it". `ranks`: going up, at least one.
std::string killed_ranks(const std::vector<int>& ranks, int world_ranks);

/// What a profile says of itself: which ranks are missing, how others ended, and what was counted
/// roughly.
class MergeNotes {
 public:
  /// One part; the call under way, if there was one, had taken so long [s].
  void add(const Part& part, double seconds_in_call);

  /// In a sentence each, for the profile of these parts.
  [[nodiscard]] std::vector<std::string> of(const Profile& profile) const;

 private:
  std::vector<std::string> ends_;
  std::int64_t folded_calls_ = 0;
  std::int64_t folded_messages_ = 0;
  std::int64_t untracked_ = 0;
  std::int64_t places_lost_ = 0;
  std::int64_t unknown_sizes_ = 0;
  bool is_threaded_ = false;
  bool is_not_logged_ = false;
};

/// Makes one profile of the parts of ranks, in any order. It keeps sums over ranks and what the
/// profile has of each rank, no part.
class Merger {
 public:
  Merger();
  Merger(const Merger&) = delete;
  Merger& operator=(const Merger&) = delete;
  Merger(Merger&&) = delete;
  Merger& operator=(Merger&&) = delete;
  ~Merger();

  /// InputError, and nothing is added, where its facts are damaged.
  void add(const Part& part);
  /// The profile, once; InputError where there was no part. Ranks without a part are among its
  /// notes.
  Profile take();

 private:
  class Merging;

  std::unique_ptr<Merging> merging_;
};

/// The same of parts that are all at hand.
Profile merge(const std::vector<Part>& parts);

}  // namespace hockney::profile
