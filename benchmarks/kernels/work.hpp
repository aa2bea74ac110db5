#pragma once

#include <mpi.h>
#include <array>
#include <string_view>
#include <type_traits>

#include "core/point.hpp"

namespace hockney::benchmarks::kernels {

/// What a kernel does of its work at a point: the value of the parameter "work".
enum class Work {
  none,   ///< communicates only
  alone,  ///< computes only
  after,  ///< computes after it has communicated
  during  ///< computes what it can while it communicates
};

constexpr auto words_of(std::type_identity<Work>) {
  return std::to_array<std::string_view>({"none", "alone", "after", "during"});
}

/// The point's parameter "work"; std::logic_error for a word that is none of these.
Work kernel_work_of(const Point& point);

/// Lets the simulated time go on that a host needs for so many floating-point operations: a
/// simulator takes no time for what is computed. Nothing elsewhere.
inline void pass_simulated_time([[maybe_unused]] double flops) {
#ifdef SMPI_H
  smpi_execute_flops(flops);
#endif
}

}  // namespace hockney::benchmarks::kernels
