// One product by Cannon's algorithm and nothing else, for a profile of it
// (tests/components/application/library).
//   one_product WAY WORK ROWS SIDE
// Exits with 1 where the product is wrong.

#include <mpi.h>

#include <cstdlib>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/kernels/cannon.hpp"
#include "core/text.hpp"

int main(int argc, char** argv) {
  using namespace hockney::benchmarks;
  if (argc != 5) return 2;
  const MpiEnvironment mpi(argc, argv);
  const kernels::CannonCase cannon{
      .rows = std::atoi(argv[3]),
      .side = std::atoi(argv[4]),
      .way = argv[1],
      .work = hockney::find_word<kernels::Work>(argv[2]).value_or(kernels::Work::after)};
  kernels::Cannon solver(MPI_COMM_WORLD, cannon, kernels::find_shift_way(cannon.way));
  solver.refill(1, 1);
  solver.run_batch(1);
  return solver.verify() ? 0 : 1;
}
