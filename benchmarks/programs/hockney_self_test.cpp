#include "benchmarks/programs/launch/program.hpp"

int main(int argc, char** argv) {
  return hockney::run_program(
      {.name = "hockney-self-test",
       .procedure = "self-test",
       .description = "The same operations under two names and with planted slow-downs, for "
                      "'hockney self-test'",
       .operations = "pingpong,bcast,allreduce",
       .sizes = "8:512K",
       .slow_downs = "5,10,20",
       .clock_checks = 25},
      argc, argv);
}
