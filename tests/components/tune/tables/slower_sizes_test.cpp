#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "components/tune/deciding.hpp"
#include "components/tune/tables/tables.hpp"
#include "components/tune/verification.hpp"
#include "core/error.hpp"
#include "tests/support/tuned_campaign.hpp"

namespace hockney::tune {
namespace {

std::vector<Record> launches(const TunedCampaign::Times& times) {
  return TunedCampaign(10).add("default", 0, times).records();
}

/// A file that was slower at 64 and 256 bytes, and faster at 8.
std::string slower_document() {
  const Verification found = verify({.base = launches({{8, 10}, {64, 10}, {256, 10}}),
                                     .tuned = launches({{8, 5}, {64, 20}, {256, 30}})},
                                    {});
  return to_json(found, {}).dump();
}

/// Chain is shown to take half of the default's time from 8 to 512 bytes.
Evidence chain_everywhere() {
  Evidence evidence;
  for (const std::int64_t bytes : {8, 64, 512}) {
    evidence.points.push_back({.operation = "bcast",
                               .ranks = 4,
                               .bytes = {bytes},
                               .base_seconds = 1e-6,
                               .candidates = {{.choice = {.algorithm = "chain"},
                                               .setting = "algorithm=chain",
                                               .ratio = 0.5,
                                               .shown = true}}});
  }
  return evidence;
}

}  // namespace

TEST_CASE("what a verification found slower is read from its document") {
  CHECK(read_slower_sizes(slower_document(), "v.json") ==
        std::vector<SlowerSize>{{"bcast", 4, {64}, "v.json"}, {"bcast", 4, {256}, "v.json"}});
  CHECK_THROWS_WITH(read_slower_sizes(R"({"schema": "hockney.selection/1"})", "v.json"),
                    Catch::Contains("v.json: key 'schema' is 'hockney.selection/1'"));
  CHECK_THROWS_AS(read_slower_sizes("{", "v.json"), InputError);
}

TEST_CASE("sizes that were slower are the default's, and rules do not reach across them") {
  Evidence evidence = chain_everywhere();
  leave_to_default(evidence, read_slower_sizes(slower_document(), "v.json"));
  const Rules rules = decide_all(evidence, {}).rules;
  const auto at = [&](std::int64_t bytes) { return describe(decide(rules, "bcast", 4, bytes)); };
  CHECK(at(8) == "chain");
  CHECK(at(64) == "default");
  CHECK(at(256) == "default");
  CHECK(at(511) == "default");  // 256 is the last size of which anything is known below 512
  CHECK(at(512) == "chain");
  REQUIRE(evidence.left_out.size() == 1);
  CHECK(evidence.left_out[0].why == "at 64 the file was slower, says v.json");
}

TEST_CASE("a refutation of what no campaign measured is refused") {
  Evidence evidence = chain_everywhere();
  CHECK_THROWS_WITH(
      leave_to_default(evidence, std::vector<SlowerSize>{{"reduce", 4, {64}, "v.json"}}),
      Catch::Contains("v.json verified reduce on 4 ranks"));
  CHECK_THROWS_AS(leave_to_default(evidence, std::vector<SlowerSize>{{"bcast", 8, {64}, "v.json"}}),
                  InputError);
}

}  // namespace hockney::tune
