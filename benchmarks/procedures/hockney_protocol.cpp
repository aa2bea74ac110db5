#include "benchmarks/protocol/protocol_program.hpp"

int main(int argc, char** argv) { return hockney::run_protocol_program(argc, argv); }
