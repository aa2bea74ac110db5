#include "benchmarks/programs/programs.hpp"

// hockney-mpi: every MPI program of hockney in one executable.
int main(int argc, char** argv) {
  using namespace hockney::benchmarks::programs;
  return run_chosen(programs(), argc, argv);
}
