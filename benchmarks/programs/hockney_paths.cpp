#include "benchmarks/programs/launch/program.hpp"

int main(int argc, char** argv) {
  return hockney::run_program(
      {.name = "hockney-paths",
       .procedure = "paths",
       .description = "Which way messages go inside a node, proven, beside what the node can do "
                      "without MPI",
       .operations = "pingpong,floor-cacheline,floor-memcpy,floor-process-vm",
       .sizes = "1:4M",
       .proves_paths = true},
      argc, argv);
}
