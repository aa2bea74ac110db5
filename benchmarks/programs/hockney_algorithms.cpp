#include "benchmarks/programs/algorithms/witness_program.hpp"

int main(int argc, char** argv) { return hockney::run_witness_program(argc, argv); }
