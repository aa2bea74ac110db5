#define CATCH_CONFIG_RUNNER
#include "tests/support/catch_runner.hpp"

#include <catch2/catch.hpp>

int run_test_cases(int argc, char** argv) { return Catch::Session().run(argc, argv); }
