#include "benchmarks/programs/launch/program.hpp"

int main(int argc, char** argv) {
  return hockney::benchmarks::programs::run_program(
      {.name = "hockney-collectives",
       .procedure = "collectives",
       .description = "Time of collective operations over all ranks",
       .operations = "bcast,reduce,allreduce,barrier",
       .help = {.examples = {{"mpirun -n 4 hockney-collectives",
                              "broadcast, reduce, allreduce and barrier"},
                             {"mpirun -n 4 hockney-collectives --operations alltoallv --counts "
                              "zipf --sizes 8:64K",
                              "irregular"},
                             {"mpirun -n 2 hockney-collectives --operations iallreduce --work "
                              "during --sizes 64K",
                              "overlap"}},
                .common = {"--datatype", "--counts", "--root", "--communicator", "--work"}}},
      argc, argv);
}
