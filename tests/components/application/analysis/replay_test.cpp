#include <catch2/catch.hpp>
#include <random>

#include "components/application/analysis/replay_split.hpp"
#include "components/application/analysis/trace.hpp"
#include "components/application/analysis/trace_analysis.hpp"
#include "core/error.hpp"
#include "tests/support/scripted_trace.hpp"

namespace hockney::applications {
namespace {

using profile::Event;
using profile::Function;

std::vector<EagerLimits> limit_of(std::int64_t bytes) {
  return {{.reach = Reach::in_node, .limits_bytes = {bytes}, .hops = {}}};
}

}  // namespace

TEST_CASE("a chain of ranks, each working after the one before, has serialisation 1/p") {
  constexpr int ranks = 5;
  ScriptedTrace script(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    if (rank > 0) script.receives(rank, rank - 1, 8).takes(100 * rank);
    script.computes(rank, 100);
    if (rank + 1 < ranks) script.sends(rank, rank + 1, 8);
  }
  const ReplaySplit split = split_by_replay(script.analysis(), {});
  CHECK(split.load == Approx(0).margin(1e-15));
  CHECK(*split.serialisation() == Approx(1.0 / ranks));
  CHECK(*split.transfer() == Approx(1));
  CHECK(split.times.dependency == Approx(400 * microsecond));
  CHECK(split.times.transfer == Approx(0).margin(1e-15));
}

TEST_CASE("work of the root, a broadcast, work of all: serialisation 1/2 and load by the root") {
  constexpr int ranks = 4;
  ScriptedTrace script(ranks);
  script.computes(0, 100);
  for (int rank = 0; rank < ranks; ++rank) {
    script.collective(Function::Bcast, rank, 0).takes(rank == 0 ? 0 : 100);
    script.computes(rank, rank == 0 ? 0 : 100);
  }
  const ReplaySplit split = split_by_replay(script.analysis(), {});
  CHECK(*split.serialisation() == Approx(0.5));
  CHECK(split.seconds == Approx(200 * microsecond));
  CHECK(split.ranks[1].dependency == Approx(100 * microsecond));
  CHECK(split.ranks[0].dependency == Approx(0).margin(1e-15));
}

TEST_CASE("work 1 + 2r between barriers is load, and nothing else") {
  constexpr int ranks = 4;
  ScriptedTrace script(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    script.computes(rank, 10 * (1 + 2 * rank))
        .collective(Function::Barrier, rank)
        .takes(20 * (3 - rank));
  }
  const ReplaySplit split = split_by_replay(script.analysis(), {});
  CHECK(split.times.computing / split.most_computing == Approx(4.0 / 7.0));  // p / (2p - 1)
  CHECK(split.load == Approx(30 * microsecond));
  CHECK(split.times.dependency == Approx(0).margin(1e-15));
  CHECK(split.ranks[0].dependency == Approx(60 * microsecond));  // its own time, in the barrier
}

TEST_CASE("a chain of send right, receive left hands lateness on beyond the eager limit alone") {
  constexpr int ranks = 6;
  const auto chain = [&](std::int64_t bytes) {
    ScriptedTrace script(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
      if (rank == ranks - 1) script.computes(rank, 50);  // late to receive
      if (rank + 1 < ranks) script.sends(rank, rank + 1, bytes).takes(bytes > 4096 ? 50 : 0);
      if (rank > 0) script.receives(rank, rank - 1, bytes);
      script.computes(rank, rank == 0 ? 100 : 10);
    }
    return script.analysis();
  };
  const ReplaySplit above = split_by_replay(chain(5000), limit_of(4096));
  const ReplaySplit below = split_by_replay(chain(4096), limit_of(4096));
  CHECK(below.ideal_seconds == Approx(100 * microsecond));
  CHECK(*below.times.protocol == Approx(0).margin(1e-15));
  CHECK(above.ideal_seconds == Approx(100 * microsecond));
  // Every sender waits for the one behind it, down to rank 0.
  CHECK(*above.rendezvous_seconds == Approx(150 * microsecond));
  for (int rank = 0; rank + 1 < ranks; ++rank) {
    CHECK(*above.ranks[static_cast<std::size_t>(rank)].protocol == Approx(50 * microsecond));
  }
}

TEST_CASE("a sender waits for a late receive beyond the limit, which is protocol") {
  ScriptedTrace script(2);
  script.sends(0, 1, 5000).takes(100).computes(0, 30);
  script.computes(1, 100).receives(1, 0, 5000);
  const ReplaySplit above = split_by_replay(script.analysis(), limit_of(4096));
  CHECK(above.ideal_seconds == Approx(100 * microsecond));
  CHECK(*above.rendezvous_seconds == Approx(130 * microsecond));
  CHECK(*above.times.protocol == Approx(30 * microsecond));
  CHECK(above.times.transfer == Approx(0).margin(1e-15));
  CHECK(*above.ranks[0].protocol == Approx(100 * microsecond));
  const ReplaySplit below = split_by_replay(script.analysis(), limit_of(5000));
  CHECK(*below.times.protocol == Approx(0).margin(1e-15));
  CHECK(below.times.transfer == Approx(30 * microsecond));
}

TEST_CASE(
    "a sender below the eager limit waits until its receiver is inside MPI, where it must look") {
  ScriptedTrace script(2);
  script.sends(0, 1, 3000).takes(150).computes(0, 30).receives(0, 1, 8);
  script.computes(1, 100).sends(1, 0, 8).computes(1, 50).receives(1, 0, 3000);
  std::vector<EagerLimits> limits = limit_of(4096);
  const auto with = [&] { return *split_by_replay(script.analysis(), limits).ranks[0].protocol; };
  CHECK(with() == Approx(0).margin(1e-15));
  // Rank 1 looks when it sends, not only when it receives; rank 0 would wait 70 us at its receive.
  limits.front().asleep_bytes = {256};
  const ReplaySplit split = split_by_replay(script.analysis(), limits);
  CHECK(*split.ranks[0].protocol == Approx(30 * microsecond));
  CHECK(*split.rendezvous_seconds == Approx(150 * microsecond));
  // A program that asks for a limit below its messages has it.
  limits.front().header_bytes = {{"btl_sm_eager_limit", 56}};
  const auto requested = [&](const std::string& value) {
    const std::map<std::string, std::string> environment{{"OMPI_MCA_btl_sm_eager_limit", value}};
    return *split_by_replay(script.analysis(), limits, environment).ranks[0].protocol;
  };
  CHECK(requested("2048") == Approx(80 * microsecond));
  CHECK(requested("8192") == Approx(30 * microsecond));
  CHECK(requested("much") == Approx(30 * microsecond));
  limits.front().asleep_bytes = {3000};
  CHECK(with() == Approx(0).margin(1e-15));
  // A receiver that has ended looks in MPI_Finalize at the latest.
  ScriptedTrace last(2);
  last.sends(0, 1, 3000).receives(0, 1, 8);
  last.receives(1, 0, 3000).sends(1, 0, 8).computes(1, 100);
  limits.front().asleep_bytes = {256};
  CHECK(*split_by_replay(last.analysis(), limits).rendezvous_seconds == Approx(100 * microsecond));
}

TEST_CASE("messages that go as far as no limit is known are said where others are held to one") {
  ScriptedTrace script(4, 2);
  script.sends(0, 1, 5000).receives(1, 0, 5000);
  script.sends(1, 2, 5000).receives(2, 1, 5000);
  script.sends(2, 1, 5000).receives(1, 2, 5000);
  const TraceAnalysis run = script.analysis();
  std::vector<EagerLimits> limits = limit_of(4096);
  CHECK(split_by_replay(run, limits).notes ==
        std::vector<std::string>{"2 messages between nodes wait for no late receive, protocol may "
                                 "be more: no eager limit between nodes is known"});
  limits.front().reach = Reach::between_nodes;
  CHECK(split_by_replay(run, limits).notes ==
        std::vector<std::string>{"1 messages in a node wait for no late receive, protocol may be "
                                 "more: no eager limit in a node is known"});
  limits.push_back(limit_of(4096).front());
  CHECK(split_by_replay(run, limits).notes.empty());
  CHECK(split_by_replay(run, {}).notes.empty());
}

TEST_CASE("wildcards, any order of completion and two messages of one tag are matched by posting") {
  ScriptedTrace script(3);
  script.starts_receive(0, profile::any, 4)
      .starts_receive(0, 1, profile::any)
      .starts_receive(0, 1, 4);
  script.waits(0, {{3, {1, 4, 300}}}).waits(0, {{1, {2, 4, 200}}, {2, {1, 4, 100}}});
  script.sends(1, 0, 100, 4).sends(1, 0, 300, 4).sends(2, 0, 200, 4);
  const Trace trace = script.trace();
  const Matching matching = match(trace);
  REQUIRE(matching.messages.size() == 3);
  CHECK(matching.sends_alone == 0);
  CHECK(matching.receives_alone == 0);
  for (const MatchedMessage& message : matching.messages) {
    const std::int64_t bytes = bytes_of(trace, message);
    CHECK(message.post.event == (bytes == 200 ? 0U : bytes == 100 ? 1U : 2U));
    CHECK(message.arrival.event == (bytes == 300 ? 3U : 4U));
  }
}

TEST_CASE("a replay that cannot end says so") {
  ScriptedTrace script(2);
  script.sends(0, 1, 5000).receives(0, 1, 5000);
  script.sends(1, 0, 5000).receives(1, 0, 5000);
  CHECK_NOTHROW(split_by_replay(script.analysis(), limit_of(5000)));
  CHECK_THROWS_AS(split_by_replay(script.analysis(), limit_of(100)), RunError);
  Trace part = script.trace();
  part.not_logged = 1;
  CHECK_THROWS_AS(split_by_replay(TraceAnalysis(part), {}), InputError);
}

TEST_CASE("shifted clocks give the same split, bit by bit, and are found within their bound") {
  ScriptedTrace script(6, 2);
  std::mt19937 random(3);
  for (int step = 0; step < 30; ++step) {
    for (int rank = 0; rank < 6; ++rank) {
      script.computes(rank, 1 + static_cast<double>(random() % 50))
          .starts_receive(rank, (rank + 5) % 6);
      script.starts_send(rank, (rank + 1) % 6, 100);
      const auto last = static_cast<std::uint64_t>(2 * step);
      script.waits(rank, {{last + 1, {(rank + 5) % 6, 0, 100}}, {last + 2, {}}}).takes(5000);
    }
  }
  const Trace trace = script.trace();
  Trace shifted = trace;
  const std::vector<double> offsets{0, 12.5, -3.25};
  for (RankTrace& rank : shifted.ranks) {
    const auto ticks = static_cast<std::int64_t>(random());
    rank.begin_ticks += ticks;
    change_events(rank, [&](Event& event) { event.begin += ticks; });
    rank.begin_seconds += offsets[static_cast<std::size_t>(rank.rank / 2)];
  }
  const ReplaySplit split = split_by_replay(TraceAnalysis(trace), limit_of(64));
  const ReplaySplit again = split_by_replay(TraceAnalysis(shifted), limit_of(64));
  CHECK(split.ideal_seconds == again.ideal_seconds);
  CHECK(split.rendezvous_seconds == again.rendezvous_seconds);
  CHECK(split.times.transfer == again.times.transfer);
  for (std::size_t rank = 0; rank < 6; ++rank) {
    CHECK(split.ranks[rank].dependency == again.ranks[rank].dependency);
    CHECK(split.ranks[rank].protocol == again.ranks[rank].protocol);
    CHECK(split.ranks[rank].on_path.computing == again.ranks[rank].on_path.computing);
    CHECK(split.ranks[rank].on_path.transfer == again.ranks[rank].on_path.transfer);
  }
  const auto clocks = align_clocks(shifted, match(shifted));
  for (int host = 0; host < 3; ++host) {
    const HostClock& clock = clocks.at("n" + std::to_string(host));
    REQUIRE(clock.bound_seconds.has_value());
    CHECK(std::abs(clock.offset_seconds + offsets[static_cast<std::size_t>(host)]) <=
          *clock.bound_seconds);
    CHECK(*clock.bound_seconds < 0.1);
  }
}

namespace {

/// Two ranks on two hosts with a message each way and a barrier.
ScriptedTrace large_exchange() {
  ScriptedTrace script(2, 1);
  script.computes(0, 100).sends(0, 1, 8).takes(2).receives(0, 1, 8).takes(60);
  script.computes(1, 50).receives(1, 0, 8).takes(55).sends(1, 0, 8).takes(2);
  for (const int rank : {0, 1}) script.collective(profile::Function::Barrier, rank).takes(20);
  return script;
}

}  // namespace

TEST_CASE("what follows from a log is found once, whoever asks") {
  const TraceAnalysis run = large_exchange().analysis();
  const MatchedMessage* const messages = run.matching().messages.data();
  const models::ProgramStep* const steps = run.program().ranks.front().data();
  const HostClock* const clock = &run.clocks().at("n1");
  const ReplaySplit split = split_by_replay(run, {});
  CHECK(split.seconds == Approx(182 * microsecond));
  CHECK(run.matching().messages.size() == 2);
  CHECK(run.matching().messages.data() == messages);
  CHECK(run.program().ranks.front().data() == steps);
  CHECK(&run.clocks().at("n1") == clock);
}

TEST_CASE("the longest rank and the hosts of a run are those of its ranks") {
  const Trace trace = large_exchange().computes(1, 500).trace();
  CHECK(trace.seconds() == Approx(627 * microsecond));
  CHECK(trace.hosts() == std::vector<std::string>{"n0", "n1"});
}

TEST_CASE("calls of a trace with some missing are matched, and have no order") {
  Trace trace = large_exchange().trace();
  trace.not_logged = 1;
  const TraceAnalysis cut(std::move(trace));
  for (int i = 0; i < 2; ++i) {
    CHECK_THROWS_WITH(cut.program(), Catch::Contains("calls are missing at its end"));
  }
  CHECK(cut.matching().messages.size() == 2);
  trace = large_exchange().trace();
  trace.ranks.pop_back();
  CHECK_THROWS_WITH(TraceAnalysis(trace).program(), Catch::Contains("ranks are missing in it"));
}

}  // namespace hockney::applications
