#include "tests/support/catch_runner.hpp"

int main(int argc, char** argv) { return run_test_cases(argc, argv); }
