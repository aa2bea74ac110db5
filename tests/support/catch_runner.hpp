#pragma once

/// Runs the test cases that are linked, as the arguments of Catch2 say; the number of failures.
int run_test_cases(int argc, char** argv);
