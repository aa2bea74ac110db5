#include "components/application/analysis/cpu_use.hpp"

#include <catch2/catch.hpp>

#include "components/application/analysis/time_split.hpp"
#include "tests/support/synthetic_program.hpp"

// CPU time beside wall time, of ranks whose times are known by construction.
namespace hockney::applications {
namespace {

/// A rank of 10 s, 6 s of it outside of MPI, with one thread.
profile::Rank rank_with(const profile::CpuUse& use) {
  profile::Rank rank{.rank = 0, .host = "n", .cpus = {0}, .seconds = 10, .mpi_seconds = 4};
  rank.cpu = use;
  return rank;
}

/// Ranks of 10 s that wait for a CPU for so long, outside of MPI and inside.
SyntheticProgram starved_program(int ranks, double outside, double inside) {
  SyntheticProgram program(ranks);
  program.every_time(6, 4);
  return program.with([=](profile::Profile& profile) {
    for (profile::Rank& rank : profile.ranks) {
      rank.cpu = profile::CpuUse{.user_seconds = 10 - outside - inside,
                                 .waiting_seconds = outside + inside,
                                 .mpi_waiting_seconds = inside};
    }
  });
}

}  // namespace

TEST_CASE("time on the run queue is time without a CPU, outside of MPI and inside") {
  const auto lost = not_scheduled(
      rank_with({.user_seconds = 4, .waiting_seconds = 6.0, .mpi_waiting_seconds = 2.5}));
  REQUIRE(lost);
  CHECK(lost->computing_seconds == Approx(3.5));
  CHECK(lost->mpi_seconds == Approx(2.5));
  CHECK_FALSE(lost->is_estimated);
}

TEST_CASE("a rank that sleeps or blocks by itself is not starved") {
  const profile::Rank sleeper = rank_with({.user_seconds = 0.1,
                                           .involuntary_switches = 3,
                                           .voluntary_switches = 5000,
                                           .waiting_seconds = 0.01,
                                           .mpi_waiting_seconds = 0.0});
  CHECK(not_scheduled(sleeper)->seconds() == Approx(0.01));
}

TEST_CASE("without run queue times, switches tell sleep from a CPU that was taken") {
  const profile::Rank sleeper =
      rank_with({.user_seconds = 1, .involuntary_switches = 10, .voluntary_switches = 9990});
  const profile::Rank starved =
      rank_with({.user_seconds = 1, .involuntary_switches = 9990, .voluntary_switches = 10});
  CHECK(not_scheduled(sleeper)->seconds() == Approx(0.009));
  CHECK(not_scheduled(starved)->seconds() == Approx(8.991));
  CHECK(not_scheduled(starved)->computing_seconds == Approx(0.6 * 8.991));
  CHECK(not_scheduled(starved)->is_estimated);
}

TEST_CASE("a thread that computes for its rank may be the one without a CPU") {
  const profile::Rank hybrid = rank_with({.user_seconds = 12,
                                          .waiting_seconds = 0.1,
                                          .mpi_waiting_seconds = 0.0,
                                          .other_waiting_seconds = 3.0});
  CHECK(not_scheduled(hybrid)->computing_seconds == Approx(3));
}

TEST_CASE("a profile without CPU times has no summary, and no time that is not scheduled") {
  const profile::Profile old = SyntheticProgram(2).every_time(6, 4).profile();
  CHECK_FALSE(not_scheduled(old.ranks.front()));
  CHECK_FALSE(cpu_summary(old));
  CHECK(time_split(old).mean.not_scheduled_seconds == 0);
}

TEST_CASE("time without a CPU is a part of its own, and efficiencies are without it") {
  const profile::Profile profile = starved_program(4, 3, 2).profile();
  const TimeSplit split = time_split(profile);
  CHECK(split.mean.computing_seconds == Approx(3));
  CHECK(split.mean.mpi_seconds == Approx(2));
  CHECK(split.mean.not_scheduled_seconds == Approx(5));
  CHECK(split.mean.whole() == Approx(10));
  CHECK(time_shares(split)->not_scheduled == Approx(0.5));
  const auto cpu = cpu_summary(profile);
  REQUIRE(cpu);
  CHECK(cpu->fraction == Approx(0.5));
  CHECK(cpu->not_scheduled_share == Approx(0.5));
  CHECK(cpu->per_rank == std::vector<double>(4, 0.5));
  CHECK(cpu->is_starved());
}

TEST_CASE("the taker of CPUs is a limit, other ranks, or other processes") {
  const auto source = [](const std::function<void(profile::Profile&)>& change) {
    return cpu_summary(starved_program(4, 3, 2).with(change).profile())->source;
  };
  CHECK(source([](profile::Profile&) {}) == ContentionSource::other_processes);
  CHECK(source([](profile::Profile& profile) {
          for (profile::Rank& rank : profile.ranks) rank.cpus = {0, 1};
        }) == ContentionSource::other_ranks);
  CHECK(source([](profile::Profile& profile) { profile.ranks[3].cpus = {0}; }) ==
        ContentionSource::other_ranks);
  CHECK(source([](profile::Profile& profile) {
          for (profile::Rank& rank : profile.ranks) rank.cpu->throttled_seconds = 4.5;
        }) == ContentionSource::cpu_limit);
}

TEST_CASE("several threads use more than one CPU; the fraction ends at 1") {
  const auto cpu = cpu_summary(SyntheticProgram(1)
                                   .every_time(6, 4)
                                   .with([](profile::Profile& profile) {
                                     profile.ranks[0].cpu =
                                         profile::CpuUse{.user_seconds = 35, .waiting_seconds = 0};
                                   })
                                   .profile());
  REQUIRE(cpu);
  CHECK(cpu->fraction == 1);
  CHECK_FALSE(cpu->is_starved());
}

TEST_CASE("the CPU time of a rank with threads agrees with the time without a CPU") {
  const auto cpu = cpu_summary(
      SyntheticProgram(1)
          .every_time(10, 0)
          .with([](profile::Profile& profile) {
            profile.ranks[0].cpu = profile::CpuUse{
                .user_seconds = 6.7, .waiting_seconds = 3.0, .other_waiting_seconds = 7.4};
          })
          .profile());
  REQUIRE(cpu);
  CHECK(cpu->not_scheduled_share == Approx(0.74));
  CHECK(cpu->fraction == Approx(0.26));
}

TEST_CASE("threads of a rank that share its core took the CPU, and no other process") {
  // Two threads on one core, each with half of it; the second ended before the rank.
  const auto with = [](const std::vector<int>& cpus, const profile::CpuUse& use, int ranks = 1) {
    return SyntheticProgram(ranks).every_time(9, 1).with([&](profile::Profile& profile) {
      Host& host = profile.provenance.hosts.emplace_back();
      host.name = profile.ranks.front().host;
      host.cpus = 8;
      for (profile::Rank& rank : profile.ranks) {
        rank.cpus = cpus;
        for (int& cpu : rank.cpus) cpu += 2 * rank.rank;
        rank.cpu = use;
      }
    });
  };
  const profile::CpuUse two_threads{
      .user_seconds = 9.9, .waiting_seconds = 5.0, .mpi_waiting_seconds = 0.0};
  const auto own = cpu_summary(with({0}, two_threads).profile());
  REQUIRE(own);
  CHECK(own->source == ContentionSource::own_threads);
  CHECK(own->threads == 2);
  CHECK(cpu_summary(with({0}, two_threads, 2).profile())->source == ContentionSource::own_threads);
  // One thread beside another process; two threads beside another process, which are too many for
  // their core without it.
  profile::CpuUse one_thread = two_threads;
  one_thread.user_seconds = 4.9;
  CHECK(cpu_summary(with({0}, one_thread).profile())->source == ContentionSource::other_processes);
  profile::CpuUse of_three = two_threads;
  of_three.user_seconds = 6.6;
  of_three.waiting_seconds = 6.6;
  const auto beside = cpu_summary(with({0}, of_three).profile());
  CHECK(beside->source == ContentionSource::own_threads);
  CHECK(beside->threads == 2);
  // Three threads on one core, whose first one sleeps.
  const profile::CpuUse sleeper{.user_seconds = 9.9,
                                .waiting_seconds = 0.0,
                                .mpi_waiting_seconds = 0.0,
                                .other_waiting_seconds = 6.6};
  const auto three = cpu_summary(with({0}, sleeper).profile());
  CHECK(three->source == ContentionSource::own_threads);
  CHECK(three->threads == 3);
  // Five threads on two cores.
  const profile::CpuUse five{
      .user_seconds = 19.8, .waiting_seconds = 6.0, .mpi_waiting_seconds = 0.0};
  CHECK(cpu_summary(with({0, 1}, five).profile())->threads == 5);
}

TEST_CASE("a thread that waits in MPI beside one that computes holds up no rank") {
  profile::Rank rank{.rank = 0, .host = "n", .cpus = {0, 1}, .seconds = 10, .mpi_seconds = 10.5};
  rank.cpu = profile::CpuUse{.user_seconds = 19,
                             .computing_cpu_seconds = 8.0,
                             .waiting_seconds = 1.0,
                             .mpi_waiting_seconds = 0.0};
  const TimeParts parts = time_parts(rank);
  CHECK(parts.mpi_seconds == Approx(1));
  CHECK(parts.computing_seconds == Approx(8));
  CHECK(parts.not_scheduled_seconds == Approx(1));
  rank.cpu->computing_cpu_seconds.reset();
  CHECK(time_parts(rank).mpi_seconds == Approx(10));
}

}  // namespace hockney::applications
