#include "benchmarks/programs/launch/program.hpp"

int main(int argc, char** argv) {
  return hockney::benchmarks::programs::run_program(
      {.name = "hockney-threads",
       .procedure = "threads",
       .description = "Messages and collectives of several threads of each rank at the same time",
       .operations = "threaded-pingpong,threaded-message-rate",
       .sizes = "8:1M",
       .is_threaded = true,
       .help = {.examples =
                    {{"mpirun -n 2 hockney-threads --threads 1,2,4", "latency and message rate"},
                     {"mpirun -n 4 hockney-threads --same-cores --sizes 8,64K",
                      "are threads slower than ranks?"},
                     {"mpirun -n 2 hockney-threads --operations threaded-allreduce --sizes 8",
                      "collectives of threads"}},
                .common = {"--threads", "--communicators", "--same-cores", "--window"}}},
      argc, argv);
}
