#include "components/application/analysis/time_line.hpp"

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

}  // namespace hockney::applications
