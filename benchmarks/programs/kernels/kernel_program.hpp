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

/// The option --work: which parts of a kernel are measured.
void add_work_option(CommandLine& app, std::vector<kernels::Work>& works);

/// The option --mapping: which rank has which place in the grid of processes. One or several
/// mappings of kernels::positions_of; the help shows their form. Whether they fit is checked at
/// launch.
void add_mapping_option(CommandLine& app, std::vector<std::string>& mappings,
                        const std::string& form);

/// All of main: options, launch, record and summary; returns the exit code.
int run_kernel_program(const KernelProgram& program, int argc, char** argv);

/// hockney-halo and hockney-cannon.
NamedProgram halo_program();
NamedProgram cannon_program();

}  // namespace hockney::benchmarks::programs
