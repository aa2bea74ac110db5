#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "core/json_node.hpp"
#include "tests/support/error_line.hpp"
#include "tests/support/launches.hpp"
#include "verdicts/self_test.hpp"

namespace hockney::verdicts {
namespace {

ClockSelfTest found(double estimate, double bound, bool passed = true) {
  return {.estimate_seconds = estimate, .bound_seconds = bound, .passed = passed};
}

const ClockSelfTest nothing_found{};

Record launch_with(const std::string& scheme, std::optional<ClockSelfTest> self_test,
                   std::optional<std::vector<ClockSelfTest>> checks) {
  Record record = launch_of("default");
  record.sync = Synchronisation{
      .scheme = scheme, .self_test = std::move(self_test), .checks = std::move(checks)};
  return record;
}

std::string reason_of(const Record& record) { return judge_clocks(std::vector{record}).reason; }

}  // namespace

TEST_CASE("syncs are within their bound or not, whatever their sign") {
  const std::vector<ClockSelfTest> findings{found(1, 2), found(-3, 3), found(4, 5), found(-8, 7),
                                            found(6, 9)};
  const ClockTruth truth = judge_clock(findings);
  CHECK(truth.within == Rate{4, 5});
  CHECK(truth.median_error_seconds == 4);
  CHECK(truth.largest_error_seconds == 8);
  CHECK(truth.median_bound_seconds == 5);
}

TEST_CASE("the word of a record that a sync has passed is not enough") {
  CHECK(judge_clock(std::vector{found(-8, 7, true)}).within == Rate{0, 1});
  CHECK(judge_clock(std::vector{found(8, 7, false)}).within == Rate{0, 1});
}

TEST_CASE("a sync that contradicted itself counts, and has no error") {
  const ClockTruth truth = judge_clock(std::vector{nothing_found, found(2, 4), found(4, 8)});
  CHECK(truth.within == Rate{2, 3});
  CHECK(truth.median_error_seconds == 3);
  CHECK(truth.median_bound_seconds == 6);
  const ClockTruth none = judge_clock(std::vector{nothing_found});
  CHECK(none.within == Rate{0, 1});
  CHECK_FALSE(none.median_error_seconds);
  CHECK_FALSE(none.largest_error_seconds);
  CHECK_FALSE(none.median_bound_seconds);
}

TEST_CASE("a thousand syncs within their bound leave at most 0.37 % outside") {
  const std::vector<ClockSelfTest> findings(1000, found(1, 2));
  const ClockTruth truth = judge_clock(findings);
  CHECK(truth.within == Rate{1000, 1000});
  CHECK(truth.within.interval()->low == Approx(std::pow(0.025, 1.0 / 1000)));
  CHECK(truth.within.interval()->high == 1);
}

TEST_CASE("the syncs of all launches are judged together") {
  const std::vector<Record> launches{
      launch_with("same-clock", found(0, 1), std::vector{found(1, 2), found(3, 2)}),
      launch_with("same-clock", found(0, 1), std::nullopt),
      launch_with("same-clock", found(0, 1), std::vector{found(-5, 6)})};
  const ClockVerdict verdict = judge_clocks(launches);
  REQUIRE(verdict.truth);
  CHECK(verdict.reason.empty());
  CHECK(verdict.truth->within == Rate{2, 3});
  CHECK(verdict.truth->median_error_seconds == 3);
  CHECK(verdict.truth->largest_error_seconds == 5);
}

TEST_CASE("without syncs there is a reason, not a 0") {
  const std::optional<std::vector<ClockSelfTest>> none;
  CHECK_FALSE(judge_clocks(std::vector{launch_of("default")}).truth);
  CHECK(reason_of(launch_of("default")) == "the records say nothing of clocks");
  CHECK(reason_of(launch_with("simulated", std::nullopt, none)) ==
        "all ranks of a simulator have one clock");
  CHECK(reason_of(launch_with("hca3", std::nullopt, none)) ==
        "no two ranks read the same clock, so the truth is not known");
  CHECK(reason_of(launch_with("same-clock", found(0, 1), none)) ==
        "the launches made no --clock-checks");
}

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
      {"/clock", nullptr, "a clock or the reason for none is reported"},
      {"/clock_reason", "why", "a clock or the reason for none is reported"},
      {"/clock/median_error_seconds", 1e3, "the median error is no larger"},
      {"/launches_each", 1'000'000, "launches of a side are some of all"},
      {"/clock/median_bound_seconds", -1, "cannot be negative"},
      {"/clock/median_bound_seconds", 1e300, "is 1e+300 (it is at most"},
      {"/launches", 2'147'483'647, "is 2147483647 (it is at most"},
      {"/variants/0/median_ratio", -1e300, "is -1e+300 (it is at most"},
      {"/variants/0/different/share_ci", {0.0, 1.5}, "is not [low, high]"},
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

namespace {

struct Truth {
  int launches = 40;
  int sizes = 25;
  double launch_spread = 0.03;   ///< of a whole launch, shared by its variants
  double variant_spread = 0.02;  ///< of each variant of a launch
  double drift = 0;              ///< of the logarithm, from the first launch to the last
};

/// A campaign of self-tests in which "b" is "a" and "slow-10" a tenth slower.
std::vector<Record> campaign(const Truth& truth, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Record> records;
  for (int launch = 0; launch < truth.launches; ++launch) {
    Record record = launch_of("default");
    record.campaign->launch = launch + 1;
    const double drift = truth.drift * launch / truth.launches;
    for (int size = 0; size < truth.sizes; ++size) {
      const double shared = drift + truth.launch_spread * normal(random);
      for (const auto& [variant, factor] : {std::pair("a", 1.0), {"b", 1.0}, {"slow-10", 1.1}}) {
        Point point = simple_point("pingpong", 1 << (size % 25));
        point.parameters["variant"] = variant;
        const double noise = shared + truth.variant_spread * normal(random);
        add_measured(record, point, 1e-6 * factor * std::exp(noise));
      }
    }
    records.push_back(record);
  }
  return records;
}

double share(const Rate& rate) { return rate.share().value(); }

}  // namespace

TEST_CASE("where the truth is known, so are alarms, power and coverage") {
  const SelfTest test = evaluate_self_test(campaign({}, 1), 10, 1);
  CHECK(test.launches == 40);
  REQUIRE(test.variants.size() == 2);
  const VariantVerdicts& same = test.variants[0];
  CHECK(same.variant == "b");
  CHECK(same.planted == 0);
  CHECK(same.different.trials == 4 * 25);
  CHECK(share(same.different) < 0.12);  // 5 % of 100: above 11 has a chance of 0.5 %
  CHECK(same.ratio == Approx(1).epsilon(0.01));
  CHECK(same.any.trials == 4);
  CHECK(same.any.hits <= 1);  // two of four families have a chance of 1.4 %
  const VariantVerdicts& slower = test.variants[1];
  CHECK(slower.variant == "slow-10");
  CHECK(slower.planted == Approx(0.1));
  CHECK(share(slower.different) > 0.95);
  CHECK(slower.any == Rate{4, 4});
  CHECK(slower.ratio == Approx(1.1).epsilon(0.01));
  CHECK(share(test.covered_at_random) > 0.93);
  CHECK(share(test.covered_in_blocks) > 0.93);
  CHECK_FALSE(test.clock.truth);
}

TEST_CASE("a variant whose name says no number is taken as it is") {
  std::vector<Record> records = campaign({}, 3);
  for (Record& record : records) {
    for (PlannedPoint& planned : record.points.own()) {
      std::string& variant = planned.point.parameters["variant"];
      if (variant == "slow-10") variant = "slow-very";
    }
    for (Series& series : record.series) {
      std::string& variant = series.point.parameters["variant"];
      if (variant == "slow-10") variant = "slow-very";
    }
  }
  CHECK(evaluate_self_test(records, 10, 1).variants[1].planted == 0);
}

TEST_CASE("a self-test says where and when it was measured, and of what clocks") {
  std::vector<Record> records = campaign({.launches = 12, .sizes = 1}, 1);
  for (std::size_t i = 0; i < records.size(); ++i) {
    Record& record = records[i];
    record.started_utc = "2026-01-02T03:04:" + std::to_string(59 - i) + "Z";
    record.provenance.mpi.library = i == 3 ? "B" : "A";
    record.provenance.hosts = {{.name = "node2"}, {.name = "node1"}};
    record.ranks.resize(2);
    record.sync = Synchronisation{.scheme = "same-clock"};
    record.sync->checks = {{.estimate_seconds = 1e-9, .bound_seconds = 2e-9, .passed = true}};
  }
  records.back().status = LaunchStatus::interrupted;  // the first one by its time
  records.push_back(records.front());
  const SelfTest test = evaluate_self_test(records, 6, 1);
  CHECK(test.launches == 12);
  CHECK(test.measured == MeasuredOn{.mpi_libraries = {"A", "B"},
                                    .hosts = {"node1", "node2"},
                                    .ranks = {2},
                                    .first_utc = "2026-01-02T03:04:49Z",
                                    .last_utc = "2026-01-02T03:04:59Z"});
  REQUIRE(test.clock.truth);
  CHECK(test.clock.truth->within == Rate{12, 12});  // of complete launches
}

TEST_CASE("drift shows in consecutive launches only") {
  const SelfTest test = evaluate_self_test(campaign({.drift = 0.3}, 2), 10, 1);
  CHECK(share(test.covered_in_blocks) < 0.8);
  CHECK(share(test.covered_at_random) > 0.93);
  CHECK(share(test.variants[0].different) < 0.12);  // variants drift together
}

TEST_CASE("without variants, or with too few launches, there is nothing to test") {
  CHECK(input_error_of([] {
          return evaluate_self_test(campaign({.launches = 19}, 1), 10, 1);
        }).starts_with("19 launches are too few (they are cut into sub-campaigns of 10"));
  std::vector<Record> plain(20, launch_of("default"));
  for (Record& record : plain) add_measured(record, simple_point("pingpong", 8), 1e-6);
  CHECK(input_error_of([&] {
          return evaluate_self_test(plain, 10, 1);
        }).starts_with("the records hold no variants of operations"));
}

}  // namespace hockney::verdicts
