#pragma once

#include <memory>
#include <string>
#include <vector>

#include "application/profile/part.hpp"

namespace hockney::profile {

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
