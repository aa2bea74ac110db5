#pragma once

#include "models/schedules/schedule.hpp"
#include "models/schedules/traffic.hpp"

namespace hockney::schedules {

/// The block of each rank in what is reduced and scattered: blocks of one size, or the vector
/// divided evenly.
class Blocks {
 public:
  /// Slots are blocks.
  static Blocks of_ranks(const Workload& workload);
  /// Slots are elements; the first ranks have one more where the division leaves some over.
  static Blocks of_vector(const Workload& workload);

  /// The blocks of the ranks from `first` to `last`, which is not included.
  [[nodiscard]] Slots range(int first, int last) const;

 private:
  Blocks(Slots all, int ranks) : all_(all), ranks_(ranks) {}

  Slots all_;
  int ranks_;
};

// Every rank ends with its block combined over all ranks.

void scatter_by_halving(Drawing& drawing, const Blocks& blocks);
void scatter_by_butterfly(Drawing& drawing, const Blocks& blocks);

/// Reduce-scatter by recursive halving, then a gather to the root, or an allgather (Rabenseifner
/// 2004).
Schedule reduce_rabenseifner(const Workload& workload);
Schedule allreduce_rabenseifner(const Workload& workload);

}  // namespace hockney::schedules
