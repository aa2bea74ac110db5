#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/programs/programs.hpp"

// The programs that a first measurement runs, in place of hockney-mpi (HOCKNEY_PROGRAMS=pingpong).
int main(int argc, char** argv) {
  using namespace hockney::benchmarks::programs;
  hockney::benchmarks::explain_missing_operations(
      "a first build has those of the ping-pong alone",
      "configure with -DHOCKNEY_PROGRAMS=all and build, or see --list");
  return run_chosen(std::vector{pingpong_program(), settings_program()}, argc, argv);
}
