#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "components/application/profile/part.hpp"

namespace hockney::profile {

/// "1 of 2 ranks (1): they were killed before they could save it". `ranks`: ascending, at least
/// one.
std::string killed_ranks(const std::vector<int>& ranks, int world_ranks);

/// Merges the parts of ranks, in any order, into one profile. Keeps sums over ranks and the facts
/// of each rank; drops each part after its merge.
class Merger {
 public:
  Merger();
  Merger(const Merger&) = delete;
  Merger& operator=(const Merger&) = delete;
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
