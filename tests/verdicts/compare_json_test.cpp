#include "verdicts/compare.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/verdicts/side_fixture.hpp"

namespace hockney::verdicts {
namespace {

const std::vector<double> six{1, 2, 3, 4, 5, 6};
const std::vector<double> slow{11, 12, 13, 14, 15, 16};

}  // namespace

TEST_CASE("the document of a comparison holds both sides and the family") {
  const auto document = to_json(compare(sides_of("a", {{8, six}, {16, six}}), side("b", slow)));
  CHECK(document["schema"] == "hockney.compare/1");
  CHECK(document["a"]["setting"] == "a");
  CHECK(document["b"]["launches"] == 6);
  CHECK(document["interleaved"] == false);
  REQUIRE(document["comparisons"].size() == 1);
  const auto& row = document["comparisons"][0];
  CHECK(row["operation"] == "pingpong");
  CHECK(row["point"]["bytes"] == 8);
  CHECK(row["design"] == "unpaired");
  CHECK(row["launches"] == nlohmann::json{6, 6});
  CHECK(row["a_median_seconds"] == 3.5);
  CHECK(row["a_ci_seconds"] == nlohmann::json{1, 6});
  CHECK(row["b_ci_seconds"] == nlohmann::json{11, 16});
  CHECK(row["verdict"] == "slower");
  CHECK(row["reason"].is_null());
  CHECK(row["launches_needed"].is_null());
  CHECK(document["family"] ==
        nlohmann::json{{"size", 1}, {"correction", "max-t"}, {"alpha", 0.05}, {"at_least", 0.0}});
  REQUIRE(document["only_in_a"].size() == 1);
  CHECK(document["only_in_a"][0]["reason"] == "not_planned");
  CHECK(document["only_in_a"][0]["detail"].is_null());
  CHECK(document["only_in_b"].empty());
}

TEST_CASE("what a comparison cannot know is null, with the reason") {
  const auto row =
      to_json(compare(side("a", {1.0, 2.0}), side("b", {11.0, 12.0})))["comparisons"][0];
  for (const char* key : {"a_ci_seconds", "b_ci_seconds", "ratio_ci", "ratio_ci_level"}) {
    CHECK(row[key].is_null());
  }
  CHECK(row["verdict"] == "no evidence");
  CHECK(row["reason"] == "too_few_launches");
  CHECK(row["launches_needed"] == 4);
  CHECK(row["smallest_p"].get<double>() == Approx(2.0 / 6));
}

}  // namespace hockney::verdicts
