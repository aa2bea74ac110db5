#include "benchmarks/programs/launch/program.hpp"

int main(int argc, char** argv) {
  return hockney::benchmarks::programs::run_program(
      {.name = "hockney-self-test",
       .procedure = "self-test",
       .description = "The same operations under two names and with planted slow-downs, for "
                      "'hockney self-test'",
       .operations = "pingpong,bcast,allreduce",
       .sizes = "8:512K",
       .slow_downs = "5,10,20",
       .clock_checks = 25,
       .help = {.examples =
                    {{"mpirun -n 2 hockney-self-test", "one launch of what hockney self-test runs"},
                     {"mpirun -n 2 hockney-self-test --operations pingpong --sizes 8 --budget 5s",
                      "a short one"},
                     {"mpirun -n 2 hockney-self-test --slow-downs 2,10 --sizes 8",
                      "other slow-downs"}},
                .common = {"--slow-downs", "--clock-checks"}}},
      argc, argv);
}
