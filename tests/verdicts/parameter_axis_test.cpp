#include "verdicts/parameter_axis.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "tests/support/launches.hpp"
#include "verdicts/compare_axis.hpp"

namespace hockney::verdicts {
namespace {

Point point_going(const std::string& way) {
  Point point = simple_point("halo", 8);
  point.parameters = {{"way", way}, {"work", "after"}};
  return point;
}

/// Six launches in which one way takes half as long as the other, and a third cannot be gone.
std::vector<Record> launches(const std::string& setting) {
  std::vector<Record> records;
  for (int launch = 1; launch <= 6; ++launch) {
    Record& record = records.emplace_back(launch_of(setting));
    record.campaign->launch = launch;
    add_measured(record, point_going("blocking"), 2e-6 * (1 + 0.1 * launch));
    add_measured(record, point_going("immediate"), 1e-6 * (1 + 0.1 * launch));
    add_skipped(record, point_going("lock"), "there is none");
    add_measured(record, simple_point("barrier", 0), 1e-6);
  }
  return records;
}

}  // namespace

TEST_CASE("a parameter of points is an axis of launches, one for each of its values") {
  const std::vector<Record> records = launches("a");
  CHECK(parameters_of(records) == std::vector<std::string>{"way", "work"});
  const std::vector<Record> parts = as_axis(records, "way");
  REQUIRE(parts.size() == 12);
  const Record& first = parts.front();
  CHECK(first.campaign->axes == std::map<std::string, std::string>{{"way", "blocking"}});
  CHECK(first.campaign->launch == 1);
  REQUIRE(first.series.size() == 1);
  CHECK(first.series[0].point.parameters == std::map<std::string, std::string>{{"work", "after"}});
  REQUIRE(first.points.size() == 1);
  CHECK(first.points[0].point == first.series[0].point);
  CHECK(as_axis(records, "window").empty());
}

TEST_CASE("values of a parameter are judged launch by launch") {
  const AxisCompareSet set = compare_by_axis(launches("a"), "way");
  CHECK(set.base == "blocking");
  REQUIRE(set.comparisons.size() == 1);
  CHECK(set.comparisons[0].value == "immediate");
  REQUIRE(set.comparisons[0].set.comparisons.size() == 1);
  const Comparison& comparison = set.comparisons[0].set.comparisons[0];
  CHECK(comparison.design == Design::paired);
  CHECK(comparison.ratio == Approx(0.5));
  CHECK(comparison.p == Approx(2.0 / 64));  // six pairs of one sign
  CHECK(comparison.verdict == Verdict::faster);
}

TEST_CASE("launches of no campaign are numbered, and settings are kept apart") {
  std::vector<Record> records = launches("a");
  for (Record& record : records) record.campaign.reset();
  CHECK(compare_by_axis(records, "way").comparisons.at(0).set.comparisons.at(0).design ==
        Design::paired);
  records = launches("a");
  for (const Record& record : launches("b")) records.push_back(record);
  const AxisCompareSet set = compare_by_axis(records, "way");
  REQUIRE(set.comparisons.size() == 2);
  CHECK(set.comparisons[0].others.at("setting") == "a");
  CHECK(set.comparisons[1].others.at("setting") == "b");
}

TEST_CASE("what is neither axis nor parameter is refused, and the nearest is named") {
  CHECK_THROWS_WITH(compare_by_axis(launches("a"), "wai"), Catch::Contains("way"));
}

}  // namespace hockney::verdicts
