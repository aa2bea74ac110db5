#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <random>

#include "components/application/analysis/replay_split.hpp"
#include "tests/support/scripted_trace.hpp"

// What the run waited for to the end, of programs whose critical path is known.
namespace hockney::applications {
namespace {

std::vector<EagerLimits> eager_up_to(std::int64_t bytes) {
  return {{.reach = Reach::in_node, .limits_bytes = {bytes}, .hops = {}}};
}

/// No part is negative, and what is on the path is at most the run.
void check_parts(const SplitTimes& times, double run) {
  for (const double part : {times.computing, times.dependency, times.protocol.value_or(0),
                            times.transfer, times.on_path.computing, times.on_path.transfer}) {
    CHECK(part >= 0);
  }
  CHECK(times.on_path.computing + times.on_path.transfer <= run * (1 + 1e-9));
}

/// Two ranks meet in each step; the second computes longer, and a message goes each way.
/// `at`: time of the second rank's clock, by that of the first [us].
template <class Clock>
Trace two_clocks(Clock&& at, int per_host) {
  const double step = 100;
  const double late = 3;  // skew of the begin: the second rank leaves MPI_Init later
  ScriptedTrace script(2, per_host);
  double now = 0;
  const auto until = [&](int rank, double time) { return rank == 0 ? time : at(time) - at(late); };
  std::array<double, 2> last{0, 0};
  const auto compute_until = [&](int rank, double time) {
    const double own = until(rank, time);
    script.computes(rank, own - last[static_cast<std::size_t>(rank)]);
    last[static_cast<std::size_t>(rank)] = own;
  };
  const auto call_until = [&](int rank, double time) {
    const double own = until(rank, time);
    script.takes(own - last[static_cast<std::size_t>(rank)]);
    last[static_cast<std::size_t>(rank)] = own;
  };
  for (int i = 0; i < 2000; ++i, now += step) {
    compute_until(0, now + 30);
    compute_until(1, now + 80);
    for (const int rank : {0, 1}) {
      script.collective(profile::Function::Allreduce, rank);
      call_until(rank, now + 88);
    }
    for (const int rank : {0, 1}) {
      script.starts_receive(rank, 1 - rank);
      script.starts_send(rank, 1 - rank, 8);
      const auto requests = static_cast<std::uint64_t>(2 * i);
      script.waits(rank, {{requests + 1, {1 - rank, 0, 8}}, {requests + 2, {}}});
      call_until(rank, now + 91);
    }
  }
  Trace trace = script.trace();
  trace.ranks[1].begin_seconds = at(late) * microsecond;
  return trace;
}

const SiteSplit& site_of(const ReplaySplit& split, const std::string& call) {
  return *std::ranges::find(split.sites, call, &SiteSplit::call);
}

}  // namespace

TEST_CASE("the path leads from the last rank over what it waited for, and the rest is transfer") {
  // 100 us of rank 0, 12 us of the message, 50 us of rank 1; rank 2 is off the path.
  ScriptedTrace script(3);
  script.computes(0, 100).sends(0, 1, 1000).takes(2).computes(0, 30);
  script.computes(1, 20).receives(1, 0, 1000).takes(92).computes(1, 50);
  script.computes(2, 140);
  const ReplaySplit split = split_by_replay(script.analysis(), {});
  CHECK(split.seconds == Approx(162 * microsecond));
  CHECK(split.times.on_path.computing == Approx(150 * microsecond));
  CHECK(split.times.on_path.transfer == Approx(12 * microsecond));
  CHECK(split.ranks[0].on_path.computing == Approx(100 * microsecond));
  CHECK(split.ranks[0].on_path.transfer == Approx(0).margin(1e-12));
  CHECK(split.ranks[1].on_path.computing == Approx(50 * microsecond));
  CHECK(split.ranks[1].on_path.transfer == Approx(12 * microsecond));
  CHECK(split.ranks[2].on_path.computing == 0);
  const SiteSplit& send = site_of(split, "MPI_Send");
  CHECK(send.times.computing == Approx(100 * microsecond));
  CHECK(send.times.on_path.computing == Approx(100 * microsecond));
  CHECK(site_of(split, "MPI_Recv").times.on_path.transfer == Approx(12 * microsecond));
  const SiteSplit& end = site_of(split, "MPI_Finalize");
  CHECK(end.times.computing == Approx(220 * microsecond));
  CHECK(end.times.on_path.computing == Approx(50 * microsecond));
}

TEST_CASE("the path goes to a receiver that is late, where the message waits for it") {
  ScriptedTrace script(2);
  script.sends(0, 1, 5000).takes(101).computes(0, 30);
  script.computes(1, 100).receives(1, 0, 5000).takes(1);
  const ReplaySplit above = split_by_replay(script.analysis(), eager_up_to(4096));
  CHECK(above.ranks[1].on_path.computing == Approx(100 * microsecond));
  CHECK(above.ranks[0].on_path.computing == Approx(30 * microsecond));
  CHECK(above.times.on_path.transfer == Approx(1 * microsecond));
  const ReplaySplit below = split_by_replay(script.analysis(), eager_up_to(5000));
  CHECK(below.ranks[0].on_path.computing == Approx(0).margin(1e-12));
  CHECK(below.ranks[1].on_path.computing == Approx(100 * microsecond));
}

TEST_CASE("in a collective the path goes to the last one to come, or to its root") {
  for (const auto function : {profile::Function::Allreduce, profile::Function::Bcast}) {
    ScriptedTrace script(3);
    const int root = function == profile::Function::Bcast ? 1 : -1;
    script.computes(0, 10).collective(function, 0, root).takes(95).computes(0, 50);
    script.computes(1, 60).collective(function, 1, root).takes(root == 1 ? 1 : 45);
    script.computes(2, 100).collective(function, 2, root).takes(5);
    const ReplaySplit split = split_by_replay(script.analysis(), {});
    const double late = root == 1 ? 60 : 100;
    CHECK(split.ranks[root == 1 ? 1 : 2].on_path.computing == Approx(late * microsecond));
    CHECK(split.ranks[0].on_path.computing == Approx(50 * microsecond));
    CHECK(split.times.on_path.computing == Approx((late + 50) * microsecond));
  }
}

TEST_CASE("regions have the computing that leads to their calls, on the path and off it") {
  ScriptedTrace script(2);
  script.computes(0, 100).sends(0, 1, 8).computes(0, 10).collective(profile::Function::Barrier, 0);
  script.computes(1, 20).receives(1, 0, 8).takes(80).collective(profile::Function::Barrier, 1);
  Trace trace = script.trace();
  trace.regions = {{.name = "exchange"}, {.name = "meet"}};
  for (RankTrace& rank : trace.ranks) {
    std::uint32_t region = 0;
    change_events(rank, [&](profile::Event& event) { event.region = ++region; });
  }
  const ReplaySplit split = split_by_replay(TraceAnalysis(trace), {});
  REQUIRE(split.regions.size() == 3);  // and the end of each rank, in none
  const auto& exchange = *std::ranges::find(split.regions, 0, &RegionSplit::region);
  const auto& meet = *std::ranges::find(split.regions, 1, &RegionSplit::region);
  CHECK(exchange.times.computing == Approx(120 * microsecond));
  CHECK(exchange.times.on_path.computing == Approx(100 * microsecond));
  CHECK(exchange.times.dependency == Approx(80 * microsecond));
  CHECK(meet.times.computing == Approx(10 * microsecond));
  CHECK(meet.times.on_path.computing == Approx(10 * microsecond));
}

TEST_CASE("the path is as long as the run, and its computing as the replay, whatever the program") {
  std::mt19937 random(11);
  for (int program = 0; program < 50; ++program) {
    constexpr int ranks = 5;
    ScriptedTrace script(ranks);
    const auto some = [&] { return static_cast<double>(random() % 50); };
    for (int step = 0; step < 12; ++step) {
      const bool is_eager = random() % 2 == 0;
      const int by = 1 + static_cast<int>(random() % (ranks - 1));
      for (int rank = 0; rank < ranks; ++rank) {
        const int from = (rank + by) % ranks;
        const std::int64_t bytes = is_eager ? 100 : 9000;
        script.computes(rank, some()).starts_receive(rank, from).takes(1);
        script.computes(rank, some()).starts_send(rank, (rank + ranks - by) % ranks, bytes);
        const auto last = static_cast<std::uint64_t>(2 * step);
        script.computes(rank, some());
        script.waits(rank, {{last + 1, {from, 0, bytes}}, {last + 2, {}}}).takes(some());
        if (step % 4 == 3) script.collective(profile::Function::Allreduce, rank).takes(some());
      }
    }
    std::vector<EagerLimits> limits = eager_up_to(4096);
    limits.front().asleep_bytes = {50};
    for (const auto& some_limits : {std::vector<EagerLimits>{}, eager_up_to(4096), limits}) {
      const ReplaySplit split = split_by_replay(script.analysis(), some_limits);
      const double replayed = split.rendezvous_seconds.value_or(split.ideal_seconds);
      CHECK(split.times.on_path.computing == Approx(replayed));
      CHECK(replayed <= split.seconds);
      CHECK(split.times.on_path.computing + split.times.on_path.transfer == Approx(split.seconds));
      PathTimes ranks_sum;
      for (const SplitTimes& rank : split.ranks) {
        ranks_sum.computing += rank.on_path.computing;
        CHECK(rank.on_path.computing <= rank.computing + 1e-12);
      }
      PathTimes sites_sum;
      for (const SiteSplit& site : split.sites) sites_sum.computing += site.times.on_path.computing;
      for (const SiteSplit& site : split.sites) check_parts(site.times, split.seconds);
      for (const SplitTimes& rank : split.ranks) check_parts(rank, split.seconds);
      CHECK(ranks_sum.computing == Approx(replayed));
      CHECK(sites_sum.computing == Approx(replayed));
    }
  }
}

TEST_CASE("clocks that drift, jump or are off change neither the named call nor the sums") {
  const auto same = [](double time) { return time; };
  const auto drifts = [](double time) { return 5e6 + time * (1 + 20e-6); };
  const auto counter_jumped = [](double time) { return time * 1.1; };  // 20 ms in 200 ms
  const auto jumps = [](double time) { return time > 100e3 ? time + 20e3 : time; };
  const auto path_of = [](const Trace& trace) {
    ReplaySplit split = split_by_replay(TraceAnalysis(trace), {});
    for (const SiteSplit& site : split.sites) check_parts(site.times, split.seconds);
    for (const SplitTimes& rank : split.ranks) check_parts(rank, split.seconds);
    CHECK(split.times.on_path.computing + split.times.on_path.transfer == Approx(split.seconds));
    const auto most = std::ranges::max_element(
        split.sites, {}, [](const SiteSplit& one) { return one.times.on_path.transfer; });
    CHECK(most->call == "MPI_Allreduce");
    return most->times.on_path.transfer;
  };
  for (const int per_host : {1, 2}) {  // two hosts, and two clocks that pass for one
    CAPTURE(per_host);
    CHECK(path_of(two_clocks(same, per_host)) == Approx(16e-3).epsilon(0.05));
    CHECK(path_of(two_clocks(drifts, per_host)) == Approx(16e-3).epsilon(0.2));
    CHECK(path_of(two_clocks(counter_jumped, per_host)) == Approx(16e-3).epsilon(0.3));
    path_of(two_clocks(jumps, per_host));
  }
}

TEST_CASE("clocks of different rates are found, and corrected to microseconds") {
  const TraceAnalysis run(two_clocks([](double time) { return time * 1.02; }, 2));
  CHECK(run.rate_change() == Approx(1 - 1 / 1.02).epsilon(1e-3));
  const Trace& trace = run.trace();
  CHECK(trace.ranks[1].seconds == Approx(trace.ranks[0].seconds).epsilon(1e-3));
  for (const auto& [name, clock] : run.clocks()) CHECK(clock.bound_seconds.value_or(1) < 20e-6);
  const TraceAnalysis one(two_clocks([](double time) { return time; }, 2));
  CHECK(one.rate_change() == 0);
  CHECK(one.trace().ranks[1].clock() == "n0");
}

TEST_CASE("a clock that no rate explains is not compared, and the sums still hold") {
  const auto jumps = [](double time) { return time > 100e3 ? time + 20e3 : time; };
  const TraceAnalysis run(two_clocks(jumps, 2));
  CHECK(run.rate_change() == 0);
  CHECK_FALSE(run.lead_of(0, 1));
  CHECK(wait_states(run.trace(), run.matching(), run.clocks()).clocks_not_known > 0);
}

}  // namespace hockney::applications
