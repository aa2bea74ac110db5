#include "benchmarks/programs/launch/program.hpp"

int main(int argc, char** argv) {
  return hockney::benchmarks::programs::run_program(
      {.name = "hockney-paths",
       .procedure = "paths",
       .description = "Which way messages go inside a node, proven, beside what the node can do "
                      "without MPI",
       .operations = "pingpong,floor-cacheline,floor-memcpy,floor-process-vm",
       .sizes = "1:4M",
       .proves_paths = true,
       .help = {.examples =
                    {{"mpirun -n 2 hockney-paths", "which way messages go, beside the floors"},
                     {"mpirun -n 2 hockney-paths --sizes 64K:4M --budget 10s", "large messages"},
                     {"mpirun -n 2 hockney-paths --expect-path cma --expect-from 128K",
                      "exit code 1 if another way"}},
                .common = {"--expect-path", "--expect-from", "--hops"}}},
      argc, argv);
}
