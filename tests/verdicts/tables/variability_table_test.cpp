#include "verdicts/tables/variability_table.hpp"

#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/launches.hpp"

namespace hockney::report {
namespace {

std::string printed(const std::vector<verdicts::VarianceSplit>& splits) {
  std::ostringstream out;
  print_variability(out, splits);
  return out.str();
}

}  // namespace

TEST_CASE("the spread of a point is told by cause, the largest first") {
  using verdicts::Cause;
  verdicts::VarianceSplit split;
  split.point.operation = "pingpong";
  split.point.bytes = Bytes{8};
  split.point.ranks = 2;
  split.launches = 12;
  split.spread = 0.031;
  split.shares = {{Cause::repetition, 0.25}, {Cause::launch, 0.75, Interval{0.6, 0.9, 0.95}}};
  split.untold = {Cause::block, Cause::place, Cause::job, Cause::day};
  const std::string text = printed({split});
  CHECK(text.starts_with("the largest part of the spread: launches at 1 point\n"));
  CHECK(text.find("75 (60 .. 90)") != std::string::npos);
  CHECK(text.find("3.1") != std::string::npos);
  CHECK(text.find("# jobs are not distinguished everywhere: one job (SLURM_JOB_ID)") !=
        std::string::npos);
}

TEST_CASE("without samples there is nothing to split") {
  CHECK(printed({}).starts_with("no spread to split"));
}

}  // namespace hockney::report
