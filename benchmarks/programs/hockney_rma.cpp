#include "benchmarks/programs/launch/program.hpp"

int main(int argc, char** argv) {
  return hockney::benchmarks::programs::run_program(
      {.name = "hockney-rma",
       .procedure = "rma",
       .description = "Time of one-sided operations on memory in windows, and which way they go",
       .operations = "put,get",
       .sizes = "8:4M",
       .proves_paths = true,
       .help =
           {.examples = {{"mpirun -n 2 hockney-rma", "put and get, complete at origin and target"},
                         {"mpirun -n 2 hockney-rma --window-kind all --synchronisation fence,lock",
                          "kinds of both"},
                         {"mpirun -n 2 hockney-rma --operations put --work all",
                          "does it wait for a target that computes?"}},
            .common = {"--window-kind", "--synchronisation", "--completion", "--work"}}},
      argc, argv);
}
