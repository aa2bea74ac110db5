#include "benchmarks/programs/launch/program.hpp"

int main(int argc, char** argv) {
  return hockney::run_program(
      {.name = "hockney-guidelines",
       .procedure = "guidelines",
       .description =
           "Both sides of performance guidelines, for 'hockney guidelines': calls beside "
           "what does the same work by other calls",
       .operations = "all",
       .sizes = "1,8,1K,32K,256K,1M",
       .holds_to_guidelines = true},
      argc, argv);
}
