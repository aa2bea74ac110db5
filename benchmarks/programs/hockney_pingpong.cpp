#include "benchmarks/programs/launch/program.hpp"

int main(int argc, char** argv) {
  return hockney::benchmarks::programs::run_program(
      {.name = "hockney-pingpong",
       .procedure = "pingpong",
       .description = "Latency and bandwidth between ranks by hop distance",
       .operations = "pingpong",
       .help =
           {.examples =
                {{"mpirun -n 2 hockney-pingpong", "latency and bandwidth at sizes up to 4M"},
                 {"mpirun -n 2 hockney-pingpong --operations bandwidth --sizes 64K:4M --window 16",
                  "windows"},
                 {"mpirun -n 4 hockney-pingpong --pairs all --sizes 8 --budget 10s -o record.json",
                  "every pair"}},
            .common = {"--window", "--pairs", "--hops"}}},
      argc, argv);
}
