#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"

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

TEST_CASE("bytes of some ranks come to the first of them, in their order") {
  const int rank = rank_in(MPI_COMM_WORLD);
  const int size = size_of(MPI_COMM_WORLD);
  std::vector<int> ranks(static_cast<std::size_t>(size));  // the last one first
  std::iota(ranks.rbegin(), ranks.rend(), 0);
  if (size > 3) ranks.erase(ranks.begin() + 1);
  if (std::ranges::find(ranks, rank) == ranks.end()) return;
  const std::vector<std::byte> own(static_cast<std::size_t>(rank), std::byte(rank));
  const auto all = gather_bytes(MPI_COMM_WORLD, ranks, own);
  if (rank != ranks.front()) {
    CHECK(all.empty());
    return;
  }
  REQUIRE(all.size() == ranks.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto theirs = static_cast<std::size_t>(ranks[i]);
    CHECK(all[i] == std::vector<std::byte>(theirs, std::byte(ranks[i])));
  }
}

}  // namespace
}  // namespace hockney::benchmarks
