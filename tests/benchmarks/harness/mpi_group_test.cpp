#include "benchmarks/harness/mpi_group.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <thread>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/gather.hpp"

namespace hockney::benchmarks {
namespace {

TEST_CASE("a team agrees on maxima and on the first rank's word") {
  MpiRankGroup group(MPI_COMM_WORLD);
  CHECK(group.rank() == rank_in(MPI_COMM_WORLD));
  CHECK(group.size() == size_of(MPI_COMM_WORLD));
  std::array<double, 2> values{static_cast<double>(group.rank()),
                               -static_cast<double>(group.rank())};
  group.maximum(values);
  CHECK(values[0] == group.size() - 1);
  CHECK(values[1] == 0);
  CHECK(group.from_first(100 + group.rank()) == 100);
  group.barrier();
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
  if (rank == 1) send_values(MPI_COMM_WORLD, 0, std::vector{1.5, 2.5});
  if (rank == 0) CHECK(receive_values<double>(MPI_COMM_WORLD, 1) == std::vector<double>{1.5, 2.5});
}

}  // namespace
}  // namespace hockney::benchmarks
