#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "tests/support/launches.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/compare_axis.hpp"

namespace hockney::verdicts {
namespace {

constexpr int launch_count = 8;

Record launch_at(int number, const std::string& eager, const std::string& algorithm,
                 double seconds) {
  Record record = launch_of(eager + "-" + algorithm);
  record.campaign->launch = number;
  record.campaign->axes = {{"eager", eager}, {"algorithm", algorithm}};
  add_measured(record, simple_point("allreduce", 8), seconds);
  return record;
}

/// Three eager limits of the ring, two of the tree, and one without a default.
std::vector<Record> sweep() {
  std::vector<Record> records;
  for (int launch = 1; launch <= launch_count; ++launch) {
    const double drift = 1 + 0.1 * launch;
    records.push_back(launch_at(launch, "default", "ring", 1e-6 * drift));
    records.push_back(launch_at(launch, "16384", "ring", 3e-6 * drift));
    records.push_back(launch_at(launch, "8192", "ring", 2e-6 * drift));
    records.push_back(launch_at(launch, "default", "tree", 5e-6 * drift));
    records.push_back(launch_at(launch, "8192", "tree", 4e-6 * drift));
    records.push_back(launch_at(launch, "4096", "chain", 4e-6 * drift));
  }
  return records;
}

}  // namespace

TEST_CASE("every value of an axis is judged against its base, all in one family") {
  const AxisCompareSet set = compare_by_axis(sweep(), "eager");
  CHECK(set.axis == "eager");
  CHECK(set.base == "default");
  CHECK(set.family == 3);
  CHECK(set.alone == std::vector<std::string>{"4096"});
  REQUIRE(set.comparisons.size() == 3);
  const std::vector<std::string> values{"8192", "16384", "8192"};
  const std::vector<std::string> algorithms{"ring", "ring", "tree"};
  const std::vector<double> ratios{2, 3, 0.8};
  for (std::size_t i = 0; i < 3; ++i) {
    const AxisComparison& found = set.comparisons[i];
    CHECK(found.value == values[i]);
    CHECK(found.others.at("algorithm") == algorithms[i]);
    REQUIRE(found.set.comparisons.size() == 1);
    const Comparison& comparison = found.set.comparisons.front();
    CHECK(comparison.design == Design::paired);
    CHECK(comparison.ratio == Approx(ratios[i]));
    // Eight pairs of one sign have p = 2 / 2^8, and so has a family that agrees.
    CHECK(comparison.p == Approx(2.0 / 256));
    CHECK(comparison.p_adjusted == Approx(2.0 / 256));
    CHECK(comparison.verdict == (ratios[i] > 1 ? Verdict::slower : Verdict::faster));
    CHECK(found.set.family == 3);
  }
}

TEST_CASE("the base is the first value or the one that is asked for") {
  const AxisCompareSet set = compare_by_axis(sweep(), "eager", {}, "8192");
  CHECK(set.base == "8192");
  REQUIRE(set.comparisons.size() == 3);
  CHECK(set.comparisons[0].value == "default");
  CHECK(set.comparisons[0].set.comparisons.front().ratio == Approx(0.5));
  CHECK(set.comparisons[1].value == "16384");
  CHECK(set.comparisons[1].set.comparisons.front().ratio == Approx(1.5));
  CHECK(set.comparisons[2].set.comparisons.front().ratio == Approx(1.25));
  CHECK(set.alone == std::vector<std::string>{"4096"});
  // The tree was not measured there.
  CHECK(compare_by_axis(sweep(), "eager", {}, "16384").alone ==
        std::vector<std::string>{"4096", "default", "8192"});
  CHECK_THROWS_WITH(compare_by_axis(sweep(), "eager", {}, "8k"),
                    "unknown value '8k' of eager (no complete launch has it) "
                    "Valid: 16384, 4096, 8192, default");
}

TEST_CASE("the plain value of a parameter is the base, wherever it stands in the alphabet") {
  std::vector<Record> records;
  for (int launch = 1; launch <= launch_count; ++launch) {
    Record record = launch_of("default");
    record.campaign->launch = launch;
    for (const std::string memory : {"cuda", "host", "huge"}) {
      Point point = simple_point("pingpong", 8);
      point.parameters = {{"memory", memory}, {"work", memory == "host" ? "none" : "alone"}};
      add_measured(record, point, 1e-6);
    }
    records.push_back(record);
  }
  CHECK(compare_by_axis(records, "memory").base == "host");
  CHECK(compare_by_axis(records, "memory", {}, "cuda").base == "cuda");
  CHECK(compare_by_axis(records, "work").base == "alone");  // none is no time to compare with
}

TEST_CASE("a larger family asks for more launches by Holm, and not by exchanging launches") {
  std::vector<Record> records = sweep();
  std::erase_if(records, [](const Record& record) { return record.campaign->launch > 6; });
  for (const AxisComparison& found : compare_by_axis(records, "eager").comparisons) {
    CHECK(found.set.comparisons.front().verdict != Verdict::no_evidence);
  }
  const CompareOptions by_holm{.correction = Correction::holm};
  for (const AxisComparison& found : compare_by_axis(records, "eager", by_holm).comparisons) {
    const Comparison& comparison = found.set.comparisons.front();
    CHECK(comparison.verdict == Verdict::no_evidence);
    CHECK(comparison.reason == NoEvidence::too_few_launches);
    CHECK(comparison.launches_needed == 7);  // 3 * 2 / 2^7 <= 0.05
  }
}

TEST_CASE("an axis there is not is named with the nearest") {
  CHECK_THROWS_AS(compare_by_axis(sweep(), "eagre"), InputError);
}

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
