#include "tests/support/mpi_test_cases.hpp"

int main(int argc, char** argv) { return hockney::run_mpi_test_cases(argc, argv); }
