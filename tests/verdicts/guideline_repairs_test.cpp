#include <catch2/catch.hpp>

#include "tests/support/guideline_launches.hpp"
#include "verdicts/guidelines.hpp"

namespace hockney::verdicts {
namespace {

/// A sweep of the slow operation at 1 byte: each algorithm takes so many times 20 us.
std::vector<Record> sweep_of(const std::map<std::string, double>& algorithms, int launches = 10,
                             const std::string& operation = "slow") {
  std::vector<Record> records;
  for (int launch = 0; launch < launches; ++launch) {
    for (const auto& [algorithm, factor] : algorithms) {
      Record record = launch_of("algorithm=" + algorithm);
      record.campaign->name = "sweep";
      record.campaign->launch = launch;
      record.campaign->axes = {{"algorithm", algorithm}};
      add_measured(record, simple_point(operation, 1), factor * 20e-6 * (1 + 0.1 * launch));
      records.push_back(std::move(record));
    }
  }
  return records;
}

}  // namespace

TEST_CASE("the fastest algorithm that a sweep shows to be faster repairs a violation") {
  const GuidelineSet set = judge_guidelines(exact_launches({2, 2}, 12));
  const auto sweep = sweep_of({{"default", 1}, {"ring", 0.8}, {"tree", 0.5}, {"linear", 3}});
  const auto violations = find_violations(set, sweep);
  REQUIRE(violations.size() == 2);
  REQUIRE(violations[0].repair);
  CHECK(violations[0].repair->algorithm == "tree");
  CHECK(violations[0].repair->campaign == "sweep");
  CHECK(violations[0].repair->against_default.ratio == Approx(0.5));
  CHECK_FALSE(violations[1].was_swept);  // at 2 bytes
  CHECK_FALSE(violations[1].repair);
}

TEST_CASE("a sweep without a faster algorithm repairs nothing, and one of another operation too") {
  const GuidelineSet set = judge_guidelines(exact_launches({2}, 12));
  const auto slower = find_violations(set, sweep_of({{"default", 1}, {"ring", 1.2}}));
  CHECK(slower[0].was_swept);
  CHECK_FALSE(slower[0].repair);
  const auto other = find_violations(set, sweep_of({{"default", 1}, {"ring", 0.5}}, 10, "other"));
  CHECK_FALSE(other[0].was_swept);
}

TEST_CASE("of several that are faster the fastest is named") {
  std::vector<Record> records = exact_launches({2}, 12);
  for (Record& record : records) {
    Guideline another = slow_not_above_fast("slow <= faster");
    another.right.operation = "faster";
    record.guidelines.push_back(another);
    add_measured(record, simple_point("faster", 1),
                 record.series.front().samples_seconds.front() / 4);
  }
  const GuidelineSet set = judge_guidelines(records);
  const auto violations = find_violations(set, {});
  REQUIRE(violations.size() == 2);
  for (const Violation& violation : violations) {
    CHECK(violation.rivals == 2);
    CHECK(violation.is_fastest == (violation.verdict->cell.guideline.name == "slow <= faster"));
  }
}

TEST_CASE("a call of twice the time is saved by half") {
  const GuidelineSet set = judge_guidelines(exact_launches({2}, 12));
  const Interval saved = saved_share(set.verdicts.front());
  CHECK(saved.low == Approx(0.5));
  CHECK(saved.high == Approx(0.5));
}

}  // namespace hockney::verdicts
