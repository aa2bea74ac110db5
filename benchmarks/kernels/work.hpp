#pragma once

#include <mpi.h>
#include <array>
#include <string>
#include <string_view>
#include <type_traits>

#include "benchmarks/harness/point.hpp"
#include "benchmarks/kernels/grid.hpp"

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

// What points of all kernels say.
inline constexpr Parameter<Work> work_parameter{hockney::work_parameter};
inline const Parameter<std::string> mapping_parameter{"mapping"};
inline const Parameter<std::string> way_parameter{"way"};
inline constexpr Parameter<Grid> processes_parameter{"grid"};

/// Lets the simulated time go on that a host needs for so many floating-point operations: a
/// simulator takes no time for what is computed. Nothing elsewhere.
inline void pass_simulated_time([[maybe_unused]] double flops) {
#ifdef SMPI_H
  smpi_execute_flops(flops);
#endif
}

}  // namespace hockney::benchmarks::kernels
