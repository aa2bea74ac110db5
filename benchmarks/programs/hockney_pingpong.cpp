#include <vector>

#include "benchmarks/programs/programs.hpp"

// The programs that a first measurement runs, in place of hockney-mpi (HOCKNEY_PROGRAMS=pingpong).
int main(int argc, char** argv) {
  using namespace hockney::benchmarks::programs;
  return run_chosen(std::vector{pingpong_program(), settings_program()}, argc, argv);
}
