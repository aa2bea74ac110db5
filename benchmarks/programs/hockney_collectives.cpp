#include "benchmarks/programs/launch/program.hpp"

int main(int argc, char** argv) {
  return hockney::run_program({.name = "hockney-collectives",
                               .procedure = "collectives",
                               .description = "Time of collective operations over all ranks",
                               .operations = "bcast,reduce,allreduce,barrier"},
                              argc, argv);
}
