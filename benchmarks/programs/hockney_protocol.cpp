#include "benchmarks/programs/protocol/protocol_launch.hpp"

int main(int argc, char** argv) { return hockney::run_protocol_program(argc, argv); }
