#include "verdicts/compare_axis.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "tests/support/launches.hpp"
#include "verdicts/compare.hpp"

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

TEST_CASE("the document by an axis") {
  const nlohmann::json document = to_json(compare_by_axis(sweep(), "eager"));
  CHECK(document.at("schema") == "hockney.compare-axis/1");
  CHECK(document.at("values").size() == 3);
  CHECK(document.at("values")[1].at("value") == "16384");
  CHECK(document.at("values")[1].at("others").at("algorithm") == "ring");
  CHECK(document.at("values")[1].at("family").at("size") == 3);
  CHECK(document.at("values")[1].at("comparisons")[0].at("verdict") == "slower");
}

}  // namespace hockney::verdicts
