#include "application/analysis/trace_analysis.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "application/analysis/replay_split.hpp"
#include "tests/support/scripted_trace.hpp"

namespace hockney::applications {
namespace {

/// Two ranks on two hosts with a message each way and a barrier.
ScriptedTrace exchange() {
  ScriptedTrace script(2, 1);
  script.computes(0, 100).sends(0, 1, 8).takes(2).receives(0, 1, 8).takes(60);
  script.computes(1, 50).receives(1, 0, 8).takes(55).sends(1, 0, 8).takes(2);
  for (const int rank : {0, 1}) script.collective(profile::Function::Barrier, rank).takes(20);
  return script;
}

}  // namespace

TEST_CASE("what follows from a log is found once, whoever asks") {
  const TraceAnalysis run = exchange().analysis();
  const MatchedMessage* const messages = run.matching().messages.data();
  const ProgramStep* const steps = run.program().ranks.front().data();
  const HostClock* const clock = &run.clocks().at("n1");
  const ReplaySplit split = split_by_replay(run, {});
  CHECK(split.seconds == Approx(182 * microsecond));
  CHECK(run.matching().messages.size() == 2);
  CHECK(run.matching().messages.data() == messages);
  CHECK(run.program().ranks.front().data() == steps);
  CHECK(&run.clocks().at("n1") == clock);
}

TEST_CASE("the longest rank and the hosts of a run are those of its ranks") {
  const Trace trace = exchange().computes(1, 500).trace();
  CHECK(trace.seconds() == Approx(627 * microsecond));
  CHECK(trace.hosts() == std::vector<std::string>{"n0", "n1"});
}

TEST_CASE("calls of a trace with some missing are matched, and have no order") {
  Trace trace = exchange().trace();
  trace.not_logged = 1;
  const TraceAnalysis cut(std::move(trace));
  for (int i = 0; i < 2; ++i) {
    CHECK_THROWS_WITH(cut.program(), Catch::Contains("calls are missing at its end"));
  }
  CHECK(cut.matching().messages.size() == 2);
  trace = exchange().trace();
  trace.ranks.pop_back();
  CHECK_THROWS_WITH(TraceAnalysis(trace).program(), Catch::Contains("ranks are missing in it"));
}

}  // namespace hockney::applications
