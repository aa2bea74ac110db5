#include <catch2/catch.hpp>

#include "core/json_node.hpp"
#include "tests/support/guideline_launches.hpp"
#include "verdicts/guidelines.hpp"

namespace hockney::verdicts {
namespace {

std::vector<KnownViolation> read(const std::string& known) {
  const std::string text =
      R"({"schema": "hockney.guidelines-baseline/1", "known": [)" + known + "]}";
  return read_guideline_baseline(parse_json(text, "known.json"));
}

}  // namespace

TEST_CASE("a baseline names violations by guideline, and by bytes and ranks where it says so") {
  const GuidelineSet set = judge_guidelines(exact_launches({2, 2, 1}, 12));
  const auto any = read(R"({"guideline": "slow <= fast", "note": "bug 7"})");
  CHECK(any.front().note == "bug 7");
  CHECK(is_known(any, set.verdicts[0]));
  CHECK(is_known(any, set.verdicts[1]));
  const auto one = read(R"({"guideline": "slow <= fast", "bytes": 2, "ranks": 2})");
  CHECK_FALSE(is_known(one, set.verdicts[0]));
  CHECK(is_known(one, set.verdicts[1]));
  CHECK_FALSE(is_known(read(R"({"guideline": "slow <= fast", "ranks": 3})"), set.verdicts[1]));
}

TEST_CASE("known violations that are not there any more are told") {
  const GuidelineSet set = judge_guidelines(exact_launches({2, 1}, 12));
  const auto known = read(R"({"guideline": "slow <= fast", "bytes": 1},
                             {"guideline": "slow <= fast", "bytes": 2})");
  REQUIRE(not_seen(known, set).size() == 1);
  CHECK(not_seen(known, set).front() == known[1]);
}

TEST_CASE("a baseline is read strictly") {
  const auto refused = [](const std::string& known, const std::string& words) {
    CHECK_THROWS_WITH(read(known), Catch::Contains(words));
  };
  refused(R"({"guidelin": "slow <= fast"})", "did you mean 'guideline'?");
  refused(R"({"bytes": 1})", "guideline");
  refused(R"({"guideline": "slow <= fast", "bytes": -1})", "bytes cannot be negative");
  refused(R"({"guideline": "slow <= fast", "bytes": "1K"})", "bytes");
  CHECK_THROWS_WITH(
      read_guideline_baseline(parse_json(R"({"schema": "other", "known": []})", "known.json")),
      Catch::Contains("this program reads 'hockney.guidelines-baseline/1'"));
}

TEST_CASE("a baseline with a guideline that nobody judged is refused with the nearest one") {
  const GuidelineSet set = judge_guidelines(exact_launches({1}, 6));
  CHECK_THROWS_WITH(check_known(read(R"({"guideline": "slow <= fats"})"), set, "known.json"),
                    Catch::Contains("did you mean 'slow <= fast'?"));
}

}  // namespace hockney::verdicts
