#pragma once

#include <cstdint>

#include "core/units.hpp"

namespace hockney {

/// What a collective is asked to do, and the companions that some of its algorithms take.
struct Workload {
  int ranks = 1;
  /// The whole vector for bcast, reduce, allreduce, scan, exscan and reduce_scatter, the block of
  /// one rank otherwise [B].
  Bytes bytes{};
  std::int64_t element_bytes = 1;  ///< what is never divided [B]
  Bytes segment{};                 ///< 0: not segmented [B]
  int fanout = 0;                  ///< chains, radix or requests under way; 0: the usual number
  int root = 0;

  friend bool operator==(const Workload&, const Workload&) = default;
};

}  // namespace hockney
