#include "benchmarks/programs/launch/program.hpp"

int main(int argc, char** argv) {
  return hockney::run_program({.name = "hockney-pingpong",
                               .procedure = "pingpong",
                               .description = "Latency and bandwidth between ranks by hop distance",
                               .operations = "pingpong"},
                              argc, argv);
}
