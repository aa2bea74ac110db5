#include "benchmarks/programs/launch/program.hpp"

int main(int argc, char** argv) {
  return hockney::benchmarks::programs::run_program(
      {.name = "hockney-guidelines",
       .procedure = "guidelines",
       .description =
           "Both sides of performance guidelines, for 'hockney guidelines': calls beside "
           "what does the same work by other calls",
       .operations = "all",
       .sizes = "1,8,1K,32K,256K,1M",
       .holds_to_guidelines = true,
       .help =
           {.examples = {{"mpirun -n 4 hockney-guidelines -o guidelines.json",
                          "one launch; campaigns need several"},
                         {"mpirun -n 2 hockney-guidelines --operations bcast --sizes 8,1K",
                          "the guidelines of one call"},
                         {"mpirun -n 2 hockney-guidelines --itself --operations bcast --sizes 8",
                          "a call against itself"}},
            .common = {"--guidelines", "--itself"}}},
      argc, argv);
}
