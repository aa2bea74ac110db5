#include <catch2/catch.hpp>

#include "components/application/analysis/time_split.hpp"
#include "tests/support/error_line.hpp"
#include "tests/support/synthetic_program.hpp"

namespace hockney::applications {
namespace {

/// A program whose ranks all compute and communicate for so long.
SyntheticProgram run_of(int ranks, double computing, double mpi) {
  SyntheticProgram program(ranks, 4);
  program.every_time(computing, mpi);
  program.calls("MPI_Allreduce", 10, 8, ranks * mpi);
  return program;
}

profile::Profile launch_of(int ranks, double computing, double mpi) {
  return run_of(ranks, computing, mpi).profile();
}

}  // namespace

TEST_CASE("runs are held against the one of fewest ranks, wherever it stands") {
  const Comparison found =
      compare({launch_of(8, 1.25, 1.25), launch_of(2, 8, 2), launch_of(4, 4, 1)}, Scaling::strong);
  REQUIRE(found.runs.size() == 3);
  const Run& reference = found.runs[0];
  CHECK(reference.ranks == 2);
  CHECK(reference.speed_up->value == 1);
  CHECK(reference.global_efficiency->value == Approx(0.8));
  const Run& four = found.runs[1];
  CHECK(four.ranks == 4);
  CHECK(four.speed_up->value == Approx(2));
  CHECK(four.scaling_efficiency->value == Approx(1));
  CHECK(four.computing_efficiency->value == Approx(1));
  CHECK(four.global_efficiency->value == Approx(0.8));
  CHECK_FALSE(four.part_that_grew);
  const Run& eight = found.runs[2];
  CHECK(eight.nodes == 2);
  CHECK(eight.speed_up->value == Approx(4));
  CHECK(eight.scaling_efficiency->value == Approx(1));
  CHECK(eight.parallel->value == Approx(0.5));
  // Computing took 16 s of all ranks together, and takes 10: caches.
  CHECK(eight.computing_efficiency->value == Approx(1.6));
  CHECK(eight.global_efficiency->value ==
        Approx(eight.parallel->value * eight.computing_efficiency->value));
}

TEST_CASE("the part and the call that grew the most are named") {
  SyntheticProgram slow(4);
  for (int rank = 0; rank < 4; ++rank) slow.time(rank, rank == 0 ? 6 : 2, rank == 0 ? 1 : 5);
  slow.calls("MPI_Allreduce", 10, 8, 8).calls("MPI_Bcast", 1, 8, 8);
  const Comparison found = compare({launch_of(2, 8, 2), slow.profile()}, Scaling::strong);
  const Run& run = found.runs[1];
  REQUIRE(run.part_that_grew);
  CHECK(run.part_that_grew->what == Part::load_imbalance);
  CHECK(run.part_that_grew->from == 0);
  CHECK(run.part_that_grew->to == Approx(3.0 / 7));
  REQUIRE(run.call_that_grew);
  CHECK(run.call_that_grew->what == "MPI_Bcast");
  CHECK(run.call_that_grew->from == 0);
  CHECK(run.call_that_grew->to == Approx(8.0 / 28));
}

TEST_CASE("with weak scaling the work of a rank stays the same") {
  const Comparison found = compare({launch_of(2, 8, 2), launch_of(8, 8, 4.5)}, Scaling::weak);
  const Run& eight = found.runs[1];
  CHECK(eight.speed_up->value == Approx(4 * 10 / 12.5));
  CHECK(eight.scaling_efficiency->value == Approx(0.8));
  CHECK(eight.computing_efficiency->value == Approx(1));
  CHECK(eight.global_efficiency->value == Approx(0.64));
}

TEST_CASE("intervals come from launches: six give a figure one, seven a ratio") {
  CHECK(launches_for_intervals() == 6);
  CHECK(launches_for_ratios() == 7);
  std::vector<profile::Profile> profiles;
  for (int launch = 0; launch < 7; ++launch) {
    profiles.push_back(launch_of(2, 8 + launch, 2));        // 10 .. 16 s
    profiles.push_back(launch_of(4, 4 + 0.5 * launch, 1));  // 5 .. 8 s
  }
  const Comparison found = compare(profiles, Scaling::strong);
  REQUIRE(found.runs.size() == 2);
  const Run& four = found.runs[1];
  CHECK(four.launches == 7);
  CHECK(four.seconds.value == Approx(6.5));
  REQUIRE(four.seconds.interval);
  CHECK(four.seconds.interval->low == Approx(5));
  CHECK(four.seconds.interval->high == Approx(8));
  CHECK(four.speed_up->value == Approx(2));
  REQUIRE(four.speed_up->interval);
  CHECK(four.speed_up->interval->low == Approx(10.0 / 8));
  CHECK(four.speed_up->interval->high == Approx(16.0 / 5));
  CHECK(four.speed_up->interval->level >= 0.95);
  CHECK(four.scaling_efficiency->interval->low == Approx(10.0 / 16));

  profiles.resize(12);
  const Comparison fewer = compare(profiles, Scaling::strong);
  CHECK(fewer.runs[1].seconds.interval);
  CHECK_FALSE(fewer.runs[1].speed_up->interval);
}

TEST_CASE("settings, commands and libraries part runs of equal ranks") {
  int launches = 0;
  const auto with_variable = [&](const char* value) {
    return run_of(4, 8, 2)
        .with([&](profile::Profile& all) {
          all.provenance.environment["OMPI_MCA_btl"] = value;
          all.provenance.environment["HOCKNEY_PROFILE_OUT"] = std::to_string(++launches);
          if (launches > 1) all.provenance.environment["PSM2_DEVICES"] = "self,shm";
        })
        .profile();
  };
  const Comparison found =
      compare({with_variable("tcp,self"), with_variable("vader,self"), with_variable("tcp,self")},
              Scaling::strong);
  REQUIRE(found.runs.size() == 2);
  CHECK(found.runs[0].launches == 2);
  CHECK(found.runs[0].settings.at("OMPI_MCA_btl") == "tcp,self");
}

TEST_CASE("one run is no comparison") {
  CHECK(input_error_of([] {
          compare({launch_of(2, 1, 1), launch_of(2, 1, 2)}, Scaling::strong);
        }) ==
        "nothing to compare (all profiles have the same ranks, command and settings) name profiles "
        "of several numbers of ranks or settings");
  CHECK_FALSE(input_error_of([] { compare({}, Scaling::strong); }).empty());
}

TEST_CASE("runs that took no time have no ratios") {
  const Comparison found = compare({launch_of(2, 0, 0), launch_of(4, 1, 1)}, Scaling::strong);
  CHECK_FALSE(found.runs[0].parallel);
  CHECK_FALSE(found.runs[1].speed_up);
  CHECK_FALSE(found.runs[1].computing_efficiency);
}

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
