#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "components/application/profile/part.hpp"

namespace hockney::profile {

/// The call that a rank was in when it ended; nullopt if it was outside of MPI.
std::optional<Function> call_under_way(const PartHeader& header);

/// "1 of 2 ranks (1): they were killed before they could save it". `ranks`: ascending, at least
/// one.
std::string killed_ranks(const std::vector<int>& ranks, int world_ranks);

/// Notes of a profile: missing ranks, how ranks ended without MPI_Finalize, and inexact counts.
class MergeNotes {
 public:
  /// Adds one part. `seconds_in_call`: time in the unfinished call, if there was one [s].
  void add(const Part& part, double seconds_in_call);

  /// The notes for the profile of these parts, a sentence each.
  [[nodiscard]] std::vector<std::string> of(const Profile& profile) const;

 private:
  [[nodiscard]] std::vector<std::string> losses_in(const Profile& profile) const;

  std::vector<std::string> ends_;
  std::int64_t folded_calls_ = 0;
  std::int64_t folded_messages_ = 0;
  std::int64_t untracked_ = 0;
  std::int64_t places_lost_ = 0;
  std::int64_t unknown_sizes_ = 0;
  std::int64_t threads_lost_ = 0;
  double used_seconds_ = 0;     ///< CPU time of ranks that were sampled
  double sampled_seconds_ = 0;  ///< of that, in samples
  double period_seconds_ = 0;   ///< longest
  bool is_sampling_impossible_ = false;
  bool is_signal_taken_ = false;
  bool is_threaded_ = false;
  ParallelTool parallel_tool_ = ParallelTool::none;
  bool is_not_logged_ = false;
};

/// Merges the parts of ranks, in any order, into one profile. Keeps sums over ranks and the facts
/// of each rank; drops each part after its merge.
class Merger {
 public:
  Merger();
  Merger(const Merger&) = delete;
  Merger& operator=(const Merger&) = delete;
  Merger(Merger&&) = delete;
  Merger& operator=(Merger&&) = delete;
  ~Merger();

  /// InputError if the part's facts are damaged; then nothing is added.
  void add(const Part& part);
  /// Returns the profile; call once. Its notes name ranks without a part. InputError if no part was
  /// added.
  Profile take();

 private:
  class Merging;

  std::unique_ptr<Merging> merging_;
};

/// Merges parts that are all in memory.
Profile merge(const std::vector<Part>& parts);

}  // namespace hockney::profile
