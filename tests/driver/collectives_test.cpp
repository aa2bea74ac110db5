

// hockney-collectives on as many ranks as there may be, oversubscribed: all operations, in all ways
// they can be called in, at sizes where something may go wrong.

#ifdef HOCKNEY_MPIEXEC

#include <algorithm>
#include <set>

#include "core/record.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "tests/driver/launched.hpp"
#include "tests/support/study.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::driver {
namespace {

const std::string collectives =
    "barrier,bcast,reduce,allreduce,gather,gatherv,scatter,scatterv,allgather,allgatherv,alltoall,"
    "alltoallv,alltoallw,reduce-scatter,reduce-scatter-block,scan,exscan,ibarrier,ibcast,"
    "iallreduce,ialltoall,persistent-allreduce,neighbor-alltoall";

/// Its record; an empty one, and a failed check, where it fails.
Record run_collectives(int ranks, const Arguments& more) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.cbor";
  const Arguments usual{"--epochs", "1", "--samples", "1", "--bind", "none", "-o", file};
  const CommandResult result =
      run_command(launched(ranks, "hockney-collectives", with(usual, more)));
  INFO(ranks << " ranks: " << result.err);
  CHECK(result.exit_code == 0);
  return result.exit_code == 0 ? load_record(file) : Record{};
}

void check_points(const Record& record, std::size_t operations) {
  std::set<std::string> names;
  std::size_t measured = 0;
  for (const PlannedPoint& planned : record.points) {
    names.insert(planned.point.operation);
    INFO(curve_name(planned.point) << " at " << planned.point.bytes.value);
    CHECK(planned.reason.empty() == (planned.status == PointStatus::measured));
    measured += planned.status == PointStatus::measured ? 1 : 0;
  }
  CHECK(names.size() == operations);
  CHECK(record.series.size() == measured);
  for (const Series& series : record.series) {
    CHECK(std::ranges::find(series.flags, corrupt_flag) == series.flags.end());
    CHECK_FALSE(series.samples_seconds.empty());
  }
}

}  // namespace

TEST_CASE(
    "a launch of a campaign leaves out the sizes that its time does not hold, and names them") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.cbor";
  const CommandResult result =
      run_command(launched(2, "hockney-collectives", {"--operations", "bcast,allgather,alltoall",
                                                      "--datatype",   "byte",
                                                      "-b",           "1:4M:4",
                                                      "--bind",       "none",
                                                      "--start",      "barrier",
                                                      "--budget",     "20ms",
                                                      "--campaign",   "short",
                                                      "--setting",    "default",
                                                      "--launch",     "1",
                                                      "-o",           file}));
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  const Record record = load_record(file);
  CHECK(std::ranges::any_of(record.series,
                            [](const Series& one) { return one.point.bytes == Bytes{1}; }));
  CHECK(record.series.size() < record.points.size());
  for (const PlannedPoint& planned : record.points) {
    if (planned.status == PointStatus::measured) continue;
    CHECK(planned.reason == "it was not reached before budget spent");
  }
}

TEST_CASE("collectives run on one rank, and on more than there are cores, at odd sizes",
          "[study]") {
  for (const int ranks : first_of<int>(1, {5, 1, 8})) {
    const Record record = run_collectives(ranks, {"--operations", collectives, "-b", "0,1,1001",
                                                  "--datatype", "uint8", "--tests", "2"});
    check_points(record, split(collectives, ',').size());
  }
}

TEST_CASE("collectives run with all counts, roots, places, cadences and communicators", "[study]") {
  const std::vector<std::string> some =
      first_of<std::string>(2, {"gatherv", "allreduce", "alltoallv", "bcast"});
  const Record record = run_collectives(
      4, {"--operations", join(some, ","), "-b", "0,24", "--datatype", "double", "--counts", "all",
          "--root", "first,rotating,3", "--in-place", "no,yes", "--cadence", "isolated,streaming",
          "--communicator", "all", "--operator", "sum,user-ordered"});
  check_points(record, some.size());
  std::set<std::string> communicators;
  for (const Series& series : record.series) {
    communicators.insert(series.point.parameters.at("communicator"));
  }
  CHECK(communicators == std::set<std::string>{"half", "node", "several", "world"});
}

}  // namespace hockney::driver

#endif
