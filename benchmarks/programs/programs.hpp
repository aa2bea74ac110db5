#pragma once

#include <span>
#include <vector>

#include "benchmarks/programs/launch/program.hpp"

namespace hockney::benchmarks::programs {

/// Every program of the executable hockney-mpi, in the order of its help. CMakeLists.txt also lists
/// their names, for the links that call them.
std::vector<NamedProgram> programs();

/// A program that differs from others only in its defaults.
NamedProgram measuring(Program program);

NamedProgram pingpong_program();
NamedProgram io_program();
NamedProgram settings_program();

/// Runs the program named by the executable, hockney-pingpong, or by its first argument,
/// hockney-mpi pingpong; returns its exit code. Without a name: one line, and the exit code of bad
/// input.
int run_chosen(std::span<const NamedProgram> programs, int argc, char** argv);

}  // namespace hockney::benchmarks::programs
