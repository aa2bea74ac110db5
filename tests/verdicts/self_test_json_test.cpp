#include "verdicts/self_test.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/error_line.hpp"

namespace hockney::verdicts {

using Json = nlohmann::json;

namespace {

SelfTest example() {
  return {.launches = 40,
          .launches_each = 10,
          .variants = {{"b", 0, {4, 200}, {1, 4}, 1.001},
                       {"slow-10", 0.1, {190, 200}, {4, 4}, std::nullopt}},
          .covered_at_random = {196, 200},
          .covered_in_blocks = {0, 0},
          .clock = {.truth = ClockTruth{.within = {999, 1000},
                                        .median_error_seconds = 1.25e-8,
                                        .largest_error_seconds = 2e-6,
                                        .median_bound_seconds = 2.5e-7},
                    .reason = {}},
          .measured = {.mpi_libraries = {"Open MPI v4.1.4"},
                       .hosts = {"node1", "node2"},
                       .ranks = {2},
                       .first_utc = "2026-01-02T03:04:05Z",
                       .last_utc = "2026-01-02T03:06:05Z"}};
}

SelfTest read(const Json& document) {
  return read_self_test(parse_json(document.dump(), "s.json"));
}

Json with(const std::string& pointer, const Json& value) {
  Json document = to_json(example());
  document[Json::json_pointer(pointer)] = value;
  return document;
}

struct BadDocument {
  std::string pointer;
  Json value;
  std::string words;
};

}  // namespace

TEST_CASE("a self-test survives being written and read") {
  CHECK(read(to_json(example())) == example());
  SelfTest unknown = example();
  unknown.clock = {.truth = std::nullopt, .reason = "the launches made no --clock-checks"};
  const Json document = to_json(unknown);
  CHECK(document.at("clock").is_null());
  CHECK(document.at("clock_reason") == "the launches made no --clock-checks");
  CHECK(read(document) == unknown);
}

TEST_CASE("a self-test of an earlier version, without families, is read") {
  Json document = to_json(example());
  for (Json& variant : document["variants"]) variant.erase("any_of_family");
  CHECK(read(document).variants[0].any == Rate());
  CHECK(read(document).variants[0].different == Rate{4, 200});
}

TEST_CASE("a document holds shares and their intervals beside the counts") {
  const Json document = to_json(example());
  CHECK(document.at("schema") == "hockney.self-test/1");
  const Json& within = document.at("clock").at("within");
  CHECK(within.at("share") == 0.999);
  CHECK(within.at("share_ci").at(0).get<double>() == Approx(0.99444).epsilon(1e-5));
  CHECK(document.at("covered_in_blocks").at("share").is_null());
  CHECK(document.at("measured").at("hosts") == Json{"node1", "node2"});
}

TEST_CASE("what is missing, unknown, mistyped or contradictory is refused with its key") {
  const std::vector<BadDocument> table{
      {"/schema", "hockney.self-test/2", "key 'schema' is 'hockney.self-test/2'"},
      {"/launches", "40", "'launches' is not a whole number"},
      {"/launches", -1, "'launches' is -1"},
      {"/lanches", 1, "did you mean 'launches'?"},
      {"/variants/0/different/hits", 201, "more hits than trials"},
      {"/variants/0/different/share", 0.5, "share that is not hits / trials"},
      {"/variants/0/different/share", nullptr, "share that is not hits / trials"},
      {"/variants/0/different/share_ci", nullptr, "share that is not hits / trials"},
      {"/variants/0/different/share_ci", {0.1}, "is not [low, high]"},
      {"/variants/1/more", 1, "variants[1]"},
      {"/clock", nullptr, "has a clock and a reason for none, or neither"},
      {"/clock_reason", "why", "has a clock and a reason for none, or neither"},
      {"/clock/median_bound_seconds", -1, "cannot be negative"},
      {"/clock/median_bound_seconds", 1e300, "is 1e+300 (it is at most"},
      {"/launches", 2'147'483'647, "is 2147483647 (it is at most"},
      {"/variants/0/median_ratio", -1e300, "is -1e+300 (its magnitude is at most"},
      {"/variants/0/different/share_ci", {0.1, 1.5}, "is 1.5 (it is at most"},
      {"/measured/host", "x", "did you mean 'hosts'?"},
      {"/measured/ranks", {"2"}, "measured.ranks"},
      {"/measured/ranks", Json::array({4'294'967'298}), "'measured.ranks[0]' is 4294967298"}};
  for (const BadDocument& bad : table) {
    CAPTURE(bad.pointer, bad.words);
    const std::string line = input_error_of([&] { return read(with(bad.pointer, bad.value)); });
    CHECK_THAT(line, Catch::StartsWith("s.json: "));
    CHECK_THAT(line, Catch::Contains(bad.words));
  }
  const Json whole = to_json(example());
  for (const auto& item : whole.items()) {
    if (item.key().starts_with("clock")) continue;  // may be null, but not both
    Json document = whole;
    document.erase(item.key());
    CHECK_THAT(input_error_of([&] { return read(document); }),
               Catch::Contains("'" + item.key() + "' is missing"));
  }
}

}  // namespace hockney::verdicts
