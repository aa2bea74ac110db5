#include "benchmarks/harness/mpi_error.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace hockney::benchmarks {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("a failing MPI call becomes an error with its text, place and exit code") {
  int value = 0;
  try {
    mpi_check(MPI_Send(&value, 1, MPI_INT, 1 << 20, 0, MPI_COMM_WORLD));
    FAIL("sending to a rank that does not exist must fail");
  } catch (const MpiError& error) {
    CHECK(error.code() == ExitCode::run_failed);
    CHECK_THAT(error.what(), Contains("mpi_error_test.cpp"));
    CHECK_THAT(error.what(), Contains("rank") || Contains("RANK"));
  }
}

TEST_CASE("duplicates return errors too") {
  MPI_Comm duplicate = MPI_COMM_NULL;
  mpi_check(MPI_Comm_dup(MPI_COMM_WORLD, &duplicate));
  int value = 0;
  CHECK_THROWS_AS(mpi_check(MPI_Send(&value, 1, MPI_INT, 1 << 20, 0, duplicate)), MpiError);
  mpi_check(MPI_Comm_free(&duplicate));
}

TEST_CASE("success passes") { CHECK_NOTHROW(mpi_check(MPI_SUCCESS)); }

}  // namespace
}  // namespace hockney::benchmarks
