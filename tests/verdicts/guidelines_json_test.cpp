#include "verdicts/guidelines_json.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/guideline_launches.hpp"

namespace hockney::verdicts {
namespace {

nlohmann::json document(const std::vector<Record>& records,
                        const std::vector<KnownViolation>& known = {}) {
  const GuidelineSet set = judge_guidelines(records);
  return to_json(set, find_violations(set, {}), known);
}

}  // namespace

TEST_CASE("the document has what other programs rely on, and both absolute times") {
  const auto json = document(exact_launches({2}, 12));
  CHECK(json.at("schema") == "hockney.guidelines/1");
  CHECK(json.at("family") ==
        nlohmann::json{{"size", 1}, {"correction", "max-t"}, {"alpha", 0.05}, {"delta", 0.05}});
  const auto& verdict = json.at("verdicts").at(0);
  CHECK(verdict.at("guideline") == "slow <= fast");
  CHECK(verdict.at("lhs") == "slow");
  CHECK(verdict.at("rhs") == "fast");
  CHECK(verdict.at("bytes") == 1);
  CHECK(verdict.at("ranks") == 2);
  CHECK(verdict.at("verdict") == "violated");
  CHECK(verdict.at("ratio").get<double>() == Approx(2));
  CHECK(verdict.at("ratio_ci").size() == 2);
  CHECK(verdict.at("p_adjusted").get<double>() == Approx(1.0 / 4096));
  CHECK(verdict.at("launches") == 12);
  CHECK(verdict.at("lhs_seconds").get<double>() == Approx(31e-6));
  CHECK(verdict.at("rhs_seconds").get<double>() == Approx(15.5e-6));
  CHECK(verdict.at("reason").is_null());
  CHECK(verdict.at("known") == false);
  CHECK(verdict.at("violation").at("saved_share_ci").at(0).get<double>() == Approx(0.5));
  CHECK(verdict.at("violation").at("repair").is_null());
}

TEST_CASE("the document says why a cell is undecided, and null where nothing is known") {
  const auto json = document(exact_launches({2}, 3));
  const auto& verdict = json.at("verdicts").at(0);
  CHECK(verdict.at("verdict") == "undecided");
  CHECK(verdict.at("reason") == "too_few_launches");
  CHECK(verdict.at("launches_needed") == 5);
  CHECK(verdict.at("ratio_ci").is_null());
  CHECK(verdict.at("smallest_visible_ratio").is_null());
  CHECK(verdict.at("known").is_null());
  CHECK(verdict.at("violation").is_null());
}

TEST_CASE("the document marks known violations, and names those not seen") {
  const auto json =
      document(exact_launches({2, 1}, 12), {{.guideline = "slow <= fast", .bytes = Bytes{1}},
                                            {.guideline = "slow <= fast", .bytes = Bytes{2}}});
  CHECK(json.at("verdicts").at(0).at("known") == true);
  REQUIRE(json.at("known_not_seen").size() == 1);
  CHECK(json.at("known_not_seen").at(0).at("bytes") == 2);
}

}  // namespace hockney::verdicts
