#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/point.hpp"
#include "benchmarks/kernels/halo.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "core/cli/command_line.hpp"

namespace hockney::benchmarks::programs {

/// A program that measures a kernel. The points are the kernel's; placement, sampling in epochs,
/// checks of data and the record are those of every launch.
struct KernelProgram {
  std::string procedure;  ///< its name, "halo" for hockney-halo, and that of the experiment
  std::string description;
  CommandHelp help;                                     ///< its common options are those of the
                                                        ///< kernel
  const CatalogueEntry& entry;                          ///< the operation of its points
  std::function<void(CommandLine&)> add_options;        ///< of the kernel
  std::function<void(std::ostream&)> list_ways;         ///< for --list
  std::function<std::vector<Point>(int ranks)> points;  ///< InputError if there are none
};

/// hockney-halo and hockney-cannon.
NamedProgram halo_program();
NamedProgram cannon_program();

}  // namespace hockney::benchmarks::programs
