#include "application/analysis/time_line.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "tests/support/scripted_trace.hpp"

namespace hockney::applications {
namespace {

using profile::Function;

const ActivityLine::Activity& activity(const ActivityLine& line, const std::string& name) {
  const auto found = std::ranges::find(line.activities, name, &ActivityLine::Activity::name);
  REQUIRE(found != line.activities.end());
  return *found;
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Two ranks: 40 us of computing, 10 us in a message, rank 1 late by 20 us.
ScriptedTrace late_sender() {
  ScriptedTrace script(2);
  script.computes(0, 40).receives(0, 1, 800).takes(30);
  script.computes(1, 60).sends(1, 0, 800).takes(10);
  script.collective(Function::Barrier, 0).takes(10);
  script.collective(Function::Barrier, 1).takes(10);
  return script;
}

/// `steps` of 10 us computing and a barrier of 10 us on each rank.
ScriptedTrace stepping(int ranks, int steps) {
  ScriptedTrace script(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    for (int i = 0; i < steps; ++i) {
      script.computes(rank, i == 7 ? 40 : 10).collective(Function::Barrier, rank).takes(10);
    }
  }
  return script;
}

EventLine lines_of(const ScriptedTrace& script, const LineLimits& limits = {}) {
  const TraceAnalysis run = script.analysis();
  return event_line(run, find_iterations(run), limits);
}

/// Time of each row in all bars of a window.
std::vector<double> covered(const LineWindow& window, std::size_t rows) {
  std::vector<double> seconds(rows);
  for (const LineBar& bar : window.bars) seconds[bar.row] += bar.end_seconds - bar.begin_seconds;
  return seconds;
}

}  // namespace

TEST_CASE("against time: ranks that compute and ranks in each function") {
  const ActivityLine line = activity_line(late_sender().analysis(), {}, 8);
  REQUIRE(line.bins() == 8);
  CHECK(line.bin_seconds == Approx(10 * microsecond));
  const std::vector<double> computing{2, 2, 2, 2, 1, 1, 0, 0};
  for (std::size_t bin = 0; bin < computing.size(); ++bin) {
    CHECK(activity(line, "computing").ranks[bin] == Approx(computing[bin]).margin(1e-9));
  }
  CHECK(activity(line, "MPI_Recv").ranks[5] == Approx(1));
  CHECK(activity(line, "MPI_Send").ranks[6] == Approx(1));
  CHECK(activity(line, "MPI_Barrier").ranks[7] == Approx(2));
}

TEST_CASE("the time line adds up to the time of all ranks, whatever the bins") {
  for (const std::size_t bins : {1U, 7U, 160U}) {
    const ActivityLine line = activity_line(late_sender().analysis(), {}, bins, 1);
    double seconds = 0;
    for (const auto& one : line.activities) seconds += sum_of(one.ranks) * line.bin_seconds;
    CHECK(seconds == Approx(160 * microsecond));
    CHECK(activity(line, "other MPI").ranks.size() == bins);
  }
}

TEST_CASE("time without a CPU is an even part of what a rank does") {
  const std::vector<NotScheduled> lost{{.computing_seconds = 10 * microsecond},
                                       {.computing_seconds = 0, .mpi_seconds = 10 * microsecond}};
  const ActivityLine line = activity_line(late_sender().analysis(), lost, 8);
  CHECK(sum_of(activity(line, "not scheduled").ranks) * line.bin_seconds ==
        Approx(20 * microsecond));
  CHECK(activity(line, "not scheduled").ranks[0] == Approx(0.25));
  CHECK(activity(line, "computing").ranks[0] == Approx(1.75));
  CHECK(activity(line, "not scheduled").ranks[7] == Approx(0.5));
}

TEST_CASE("a rank waits until its sender sends, and the message is a line") {
  const LineWindow window = lines_of(late_sender()).windows.front();
  REQUIRE(window.bars.size() == 7);
  CHECK(window.bars[0].doing == Doing::computing);
  CHECK(window.bars[1].doing == Doing::waiting);
  CHECK(window.bars[1].begin_seconds == Approx(40 * microsecond));
  CHECK(window.bars[1].end_seconds == Approx(60 * microsecond));
  CHECK(window.bars[2].doing == Doing::messages);
  CHECK(window.bars[3].doing == Doing::collectives);
  REQUIRE(window.messages.size() == 1);
  CHECK(window.messages[0].from == 1);
  CHECK(window.messages[0].to == 0);
  CHECK(window.messages[0].bytes == 800);
  CHECK(window.messages[0].sent_seconds == Approx(60 * microsecond));
  CHECK(window.messages[0].received_seconds == Approx(70 * microsecond));
}

TEST_CASE("the time line opens on the median iteration and has the slowest") {
  const EventLine line = lines_of(stepping(4, 200));
  CHECK(line.ranks == std::vector<int>{0, 1, 2, 3});
  CHECK(line.windows.size() <= LineLimits().windows);
  CHECK(line.windows[line.opening].seconds == Approx(20 * microsecond));
  REQUIRE(line.slowest);
  CHECK(line.windows[*line.slowest].iteration == 7);
  CHECK(line.windows[*line.slowest].seconds == Approx(50 * microsecond));
  CHECK(line.windows[*line.slowest].bars.size() == 8);
  CHECK(line.windows.front().slot_seconds > 0);
}

TEST_CASE("without iterations the windows are parts of the run, the middle one first") {
  ScriptedTrace script(1);
  for (int i = 0; i < 4; ++i) script.computes(0, 100).collective(Function::Barrier, 0).takes(1);
  const EventLine line = lines_of(script);
  CHECK(!line.slowest);
  CHECK(!line.windows[line.opening].iteration);
  CHECK(line.windows[line.opening].begin_seconds == Approx(202 * microsecond).epsilon(0.05));
}

TEST_CASE("many calls become slots, within the limit and over the whole window") {
  const EventLine line = lines_of(stepping(3, 5000), {.bars = 100});
  for (const LineWindow& window : line.windows) {
    CHECK(window.bars.size() <= 100);
    for (const double seconds : covered(window, 3)) {
      CHECK(seconds == Approx(window.seconds).epsilon(0.01));
    }
  }
  CHECK(line.windows.front().slot_seconds > 0);
  CHECK(line.windows[line.opening].slot_seconds == 0);
}

TEST_CASE("of many ranks some are shown, with the one that explains the slowest iteration") {
  ScriptedTrace script(100);
  for (int rank = 0; rank < 100; ++rank) {
    for (int i = 0; i < 20; ++i) {
      const bool is_late = rank == 57 && i == 11;
      script.computes(rank, is_late ? 1000 : 10);
      script.collective(Function::Barrier, rank).takes(i == 11 && !is_late ? 1000 : 10);
    }
  }
  const EventLine line = lines_of(script);
  CHECK(line.ranks.size() == 16);
  CHECK(std::ranges::count(line.ranks, 57) == 1);
  CHECK(std::ranges::is_sorted(line.ranks));
}

}  // namespace hockney::applications
