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

/// What makes one program that measures a kernel. Its points are its own; placement, sampling in
/// epochs, checks of data and the record are those of every launch.
struct KernelProgram {
  std::string procedure;  ///< its name, "halo" of hockney-halo, and that of the experiment
  std::string description;
  CommandHelp help;                                     ///< its common options are the kernel's own
  const CatalogueEntry& entry;                          ///< the operation of its points
  std::function<void(CommandLine&)> add_options;        ///< of the kernel itself
  std::function<void(std::ostream&)> list_ways;         ///< for --list
  std::function<std::vector<Point>(int ranks)> points;  ///< InputError where there can be none
};

/// The option --work, for which parts of a kernel are measured.
void add_work_option(CommandLine& app, std::vector<kernels::Work>& works);

/// The option --mapping, for which rank is where in the grid of processes: one or several of what
/// kernels::positions_of knows, of the form that help shows. Whether they fit is known at launch.
void add_mapping_option(CommandLine& app, std::vector<std::string>& mappings,
                        const std::string& form);

/// All of main: options, launch, record, and what the times say; returns the exit code.
int run_kernel_program(const KernelProgram& program, int argc, char** argv);

/// hockney-halo and hockney-cannon.
NamedProgram halo_program();
NamedProgram cannon_program();

}  // namespace hockney::benchmarks::programs
