#pragma once

#include <span>
#include <vector>

#include "benchmarks/programs/launch/program.hpp"

namespace hockney::benchmarks::programs {

/// Every program of the executable hockney-mpi, in the order of its help. CMakeLists.txt has their
/// names too, for the links by which they are called.
std::vector<NamedProgram> programs();

/// hockney-io and hockney-settings.
NamedProgram io_program();
NamedProgram settings_program();

/// Runs the program whose name the executable is called by, hockney-pingpong, or its first
/// argument, hockney-mpi pingpong; returns its exit code. Without either: one line, and that of bad
/// input.
int run_chosen(std::span<const NamedProgram> programs, int argc, char** argv);

}  // namespace hockney::benchmarks::programs
