#pragma once

#include <mpi.h>

#include <iostream>
#include <optional>
#include <sstream>

#include "benchmarks/harness/environment.hpp"
#include "tests/support/catch_runner.hpp"

namespace hockney {

/// The main function of tests that call MPI. All ranks run all test cases together. Rank 0 reports;
/// another rank speaks only when it failed. `thread_level` is asked of MPI_Init_thread.
inline int run_mpi_test_cases(int argc, char** argv, std::optional<int> thread_level = {}) {
  benchmarks::LibraryStart start{.thread_level = thread_level};
  const benchmarks::MpiEnvironment mpi(argc, argv, start);
  const int rank = benchmarks::rank_in(MPI_COMM_WORLD);
  std::ostringstream silenced;
  std::streambuf* const console = std::cout.rdbuf();
  if (rank != 0) std::cout.rdbuf(silenced.rdbuf());
  int failures = run_test_cases(argc, argv);
  std::cout.rdbuf(console);
  if (rank != 0 && failures != 0) std::cout << "rank " << rank << ":\n" << silenced.str();
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return failures == 0 ? 0 : 1;
}

}  // namespace hockney
