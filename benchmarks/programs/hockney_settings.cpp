#include "benchmarks/programs/launch/settings_program.hpp"

int main(int argc, char** argv) { return hockney::run_settings_program(argc, argv); }
