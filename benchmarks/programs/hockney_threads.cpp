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
                    {{"mpirun -n 2 hockney-threads --threads 1,2,4 --communicators all --sizes 8",
                      "what threads and a shared communicator cost"},
                     {"mpirun -n 4 hockney-threads --same-cores --sizes 8,64K -o record.json",
                      "threads beside ranks"},
                     {"mpirun -n 2 hockney-threads --threads 2 --sizes 64K:4M "
                      "--operations partitioned-pingpong,pieces-pingpong,whole-pingpong",
                      "parts of one message"}},
                .common = {"--threads", "--communicators", "--same-cores", "--window"}}},
      argc, argv);
}
