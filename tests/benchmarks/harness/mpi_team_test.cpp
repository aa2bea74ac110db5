#include "benchmarks/harness/mpi_team.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <thread>

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
  using Time = std::chrono::steady_clock;  // of the machine, so that ranks can be compared
  const auto now = [] { return std::int64_t{Time::now().time_since_epoch().count()}; };
  if (rank_in(MPI_COMM_WORLD) == size_of(MPI_COMM_WORLD) - 1) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  std::int64_t last_come = now();
  quiet_barrier(MPI_COMM_WORLD);
  std::int64_t first_left = now();
  MPI_Allreduce(MPI_IN_PLACE, &last_come, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &first_left, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
  CHECK(first_left >= last_come);
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
