#include "benchmarks/harness/mpi_team.hpp"

#include <array>
#include <catch2/catch.hpp>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/gather.hpp"

namespace hockney {
namespace {

TEST_CASE("a team agrees on maxima and on the first rank's word") {
  MpiTeam team(MPI_COMM_WORLD);
  CHECK(team.rank() == rank_in(MPI_COMM_WORLD));
  CHECK(team.size() == size_of(MPI_COMM_WORLD));
  std::array<double, 2> values{static_cast<double>(team.rank()), -static_cast<double>(team.rank())};
  team.maximum(values);
  CHECK(values[0] == team.size() - 1);
  CHECK(values[1] == 0);
  CHECK(team.from_first(100 + team.rank()) == 100);
  team.barrier();
}

TEST_CASE("nobody leaves a quiet barrier before everybody has come") {
  const int rank = rank_in(MPI_COMM_WORLD);
  const int last = size_of(MPI_COMM_WORLD) - 1;
  const double before = MPI_Wtime();
  if (rank == last) {
    while (MPI_Wtime() - before < 0.02) {
    }
  }
  quiet_barrier(MPI_COMM_WORLD);
  double stayed = MPI_Wtime() - before;
  MPI_Allreduce(MPI_IN_PLACE, &stayed, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  if (last > 0) CHECK(stayed > 0.01);
}

TEST_CASE("texts of all ranks arrive in order, empty ones too") {
  const int rank = rank_in(MPI_COMM_WORLD);
  const auto texts = gather_texts(MPI_COMM_WORLD, std::string(static_cast<std::size_t>(rank), 'x'));
  REQUIRE(static_cast<int>(texts.size()) == size_of(MPI_COMM_WORLD));
  for (std::size_t i = 0; i < texts.size(); ++i) CHECK(texts[i] == std::string(i, 'x'));
}

TEST_CASE("numbers travel to another rank") {
  const int rank = rank_in(MPI_COMM_WORLD);
  if (size_of(MPI_COMM_WORLD) < 2) return;
  if (rank == 1) send_numbers(MPI_COMM_WORLD, 0, {1.5, 2.5});
  if (rank == 0) CHECK(receive_numbers(MPI_COMM_WORLD, 1) == std::vector<double>{1.5, 2.5});
}

}  // namespace
}  // namespace hockney
