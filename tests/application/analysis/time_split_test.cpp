#include "application/analysis/time_split.hpp"

#include <catch2/catch.hpp>

#include "tests/support/synthetic_program.hpp"

namespace hockney::applications {
namespace {

TimeSplit split_of(const SyntheticProgram& program) { return time_split(program.profile()); }

}  // namespace

TEST_CASE("the time of a program is split into computing, MPI and files") {
  const TimeSplit split = split_of(SyntheticProgram(2).time(0, 6, 2, 1, 1).time(1, 4, 6, 0, 0));
  CHECK(split.seconds == 10);
  CHECK(split.mean.computing_seconds == 5);
  CHECK(split.mean.mpi_seconds == 4);
  CHECK(split.mean.mpi_io_seconds == 0.5);
  CHECK(split.mean.io_seconds == 0.5);
  CHECK(split.mean.whole() == 10);
  CHECK(split.busiest_rank == 0);
  CHECK(split.most_outside_seconds == 7);
  CHECK(split.load_seconds() == 1.5);
  CHECK(split.ended_before_seconds == 0);
}

TEST_CASE("efficiencies of POP: ranks that work 1 + 2 r have a load balance of p / (2 p - 1)") {
  constexpr int ranks = 8;
  SyntheticProgram program(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    const double work = 1 + 2 * rank;
    program.time(rank, work, 20 - work);
  }
  const Efficiencies found = split_of(program).efficiencies();
  CHECK(*found.load_balance == Approx(8.0 / 15));
  CHECK(*found.communication == Approx(15.0 / 20));
  CHECK(*found.parallel == Approx(8.0 / 20));
  CHECK(*found.additive_load_balance == Approx(1 - 7.0 / 20));
  CHECK(*found.additive_communication == Approx(1 - 5.0 / 20));
  CHECK(*found.load_balance * *found.communication == Approx(*found.parallel));
  CHECK(*found.additive_load_balance + *found.additive_communication - 1 ==
        Approx(*found.parallel));
  CHECK_FALSE(found.serialisation);
  CHECK_FALSE(found.transfer);
}

TEST_CASE("rows of a grid that do not divide evenly: load / computing is 1 / 15") {
  SyntheticProgram program(384);
  for (int rank = 0; rank < 384; ++rank) {
    const double rows = rank < 144 ? 10 : 9;
    program.time(rank, rows, 20 - rows);
  }
  const TimeSplit split = split_of(program);
  CHECK(split.load_seconds() / split.mean.computing_seconds == Approx(1.0 / 15));
}

TEST_CASE("ranks that ended before the last one have time that is in none of its parts") {
  const TimeSplit split = split_of(SyntheticProgram(2).time(0, 6, 0).time(1, 8, 2));
  CHECK(split.seconds == 10);
  CHECK(split.mean.whole() == 8);
  CHECK(split.ended_before_seconds == 2);
}

TEST_CASE("times of threads that add up to more than the rank ran are scaled to its time") {
  const TimeParts parts = time_parts({.seconds = 2, .mpi_seconds = 3, .io_seconds = 1});
  CHECK(parts.computing_seconds == 0);
  CHECK(parts.mpi_seconds == Approx(1.5));
  CHECK(parts.io_seconds == Approx(0.5));
  profile::Profile profile{.seconds = 1, .world_ranks = 1};
  profile.ranks = {{.seconds = 1, .io_seconds = 97}};
  CHECK(time_split(profile).efficiencies().communication == 1.0);
}

TEST_CASE("no ranks and no time have no efficiencies") {
  CHECK_FALSE(split_of(SyntheticProgram(2)).efficiencies().parallel);
  CHECK_FALSE(time_shares(split_of(SyntheticProgram(2))));
  CHECK_FALSE(time_split(profile::Profile{}).efficiencies().load_balance);
  // All of the time in MPI: nothing to balance.
  CHECK_FALSE(split_of(SyntheticProgram(2).every_time(0, 1)).efficiencies().load_balance);
}

TEST_CASE("shares of the time add up to one, whatever waits for whom") {
  const auto shares = time_shares(split_of(SyntheticProgram(2).time(0, 6, 2, 1, 1).time(1, 4, 6)));
  REQUIRE(shares);
  CHECK(shares->computing == Approx(0.5));
  CHECK(shares->load_imbalance == Approx(0.15));
  CHECK(shares->communication == Approx(0.25));
  CHECK(shares->files == Approx(0.1));

  // The load imbalance is larger than all time in MPI: ranks end at different times.
  const auto uneven = time_shares(split_of(SyntheticProgram(2).time(0, 9, 1).time(1, 1, 1)));
  REQUIRE(uneven);
  CHECK(uneven->communication == 0);
  CHECK(uneven->load_imbalance == Approx(1.0 / 6));
  CHECK(uneven->computing + uneven->load_imbalance == Approx(1));
}

}  // namespace hockney::applications
