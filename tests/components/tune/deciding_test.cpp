#include <catch2/catch.hpp>

#include "components/tune/deciding.hpp"
#include "components/tune/verification.hpp"
#include "core/error.hpp"

namespace hockney::tune {
namespace {

/// A point with candidates that are shown to be faster, by their ratios to the default.
TunedPoint point(std::int64_t bytes, const std::map<std::string, double>& ratios, int ranks = 4) {
  TunedPoint point{.operation = "bcast", .ranks = ranks, .bytes = {bytes}, .base_seconds = 1e-6};
  for (const auto& [name, ratio] : ratios) {
    point.candidates.push_back(
        {.choice = {.algorithm = name}, .setting = name, .ratio = ratio, .shown = ratio < 0.98});
  }
  return point;
}

std::vector<std::string> chosen(const Decisions& decisions) {
  std::vector<std::string> names;
  for (const Decision& decision : decisions.points) names.push_back(describe(decision.choice));
  return names;
}

using Names = std::vector<std::string>;

Decisions decided(const std::vector<TunedPoint>& points, const DecideOptions& options) {
  Evidence evidence;
  evidence.points = points;
  return decide_all(evidence, options);
}

}  // namespace

TEST_CASE("the fastest that is shown to be faster is chosen, else the default") {
  const Decisions found =
      decided({point(8, {{"a", 0.9}, {"b", 0.5}}), point(64, {{"a", 0.99}}), point(512, {})}, {});
  CHECK(chosen(found) == Names{"b", "default", "default"});
  CHECK(found.points[0].ratio == 0.5);
  CHECK(found.points[0].setting == "b");
  CHECK(found.points[0].regret == 0);
}

TEST_CASE("fewer rules are worth one per cent, and no more") {
  const std::vector<TunedPoint> points{
      point(8, {{"a", 0.500}, {"b", 0.510}}), point(64, {{"a", 0.504}, {"b", 0.500}}),
      point(512, {{"a", 0.500}, {"b", 0.5045}}), point(4096, {{"a", 0.600}, {"b", 0.500}})};
  const Decisions found = decided(points, {});
  // One change is needed; later is cheaper than sooner.
  CHECK(chosen(found) == Names{"a", "a", "a", "b"});
  CHECK(found.points[1].regret == Approx(0.008));
  CHECK(chosen(decided(points, {.most_regret = 0})) == Names{"a", "b", "a", "b"});
}

TEST_CASE("a default between two equal choices is no gap to bridge") {
  const Decisions found =
      decided({point(8, {{"a", 0.5}}), point(64, {{"a", 0.985}}), point(512, {{"a", 0.5}})}, {});
  CHECK(chosen(found) == Names{"a", "default", "a"});
}

TEST_CASE("rules change at the geometric middle and end where nothing was measured") {
  const Decisions found = decided({point(8, {{"a", 0.5}}), point(512, {{"b", 0.5}})}, {});
  const Rules expected{
      {"bcast",
       {{.from = 2, .measured = 0, .sizes = {{0, Choice()}}},
        {.from = 4,
         .measured = 4,
         .sizes =
             {{0, Choice()}, {8, {.algorithm = "a"}}, {64, {.algorithm = "b"}}, {513, Choice()}}},
        {.from = 5, .measured = 0, .sizes = {{0, Choice()}}}}}};
  CHECK(found.rules == expected);
  const Decisions extended =
      decided({point(8, {{"a", 0.5}}), point(512, {{"b", 0.5}})}, {.beyond = Beyond::extended});
  const Rules wide{
      {"bcast",
       {{.from = 2, .measured = 4, .sizes = {{0, {.algorithm = "a"}}, {64, {.algorithm = "b"}}}}}}};
  CHECK(extended.rules == wide);
}

TEST_CASE("rules change where the times of two choices cross, when both are known") {
  // b takes twice the time of a, then a quarter: they cross a third of the way, at 8 x 4.
  const Decisions found =
      decided({point(8, {{"a", 0.4}, {"b", 0.8}}), point(512, {{"a", 0.8}, {"b", 0.2}})}, {});
  CHECK(decide(found.rules, "bcast", 4, 31).algorithm == "a");
  CHECK(decide(found.rules, "bcast", 4, 32).algorithm == "b");
}

TEST_CASE("the default has the sizes between it and a choice that is slower at its end") {
  const auto at = [](double low, double high, std::int64_t bytes, const DecideOptions& options) {
    const Decisions found = decided({point(8, {{"a", low}}), point(512, {{"a", high}})}, options);
    return describe(decide(found.rules, "bcast", 4, bytes));
  };
  CHECK(at(0.5, 1.2, 8, {}) == "a");
  CHECK(at(0.5, 1.2, 9, {}) == "default");
  CHECK(at(1.2, 0.5, 511, {}) == "default");
  CHECK(at(1.2, 0.5, 512, {}) == "a");
  // As good as the default at its end, though not shown to be better.
  CHECK(at(0.5, 1.0, 63, {}) == "a");
  CHECK(at(0.5, 1.0, 64, {}) == "default");
  // Exact times cross: half as long, then twice as long.
  CHECK(at(0.5, 2.0, 63, {.replication = Replication::exact}) == "a");
  CHECK(at(0.5, 2.0, 64, {.replication = Replication::exact}) == "default");
}

TEST_CASE("between two numbers of ranks the rules change at their geometric middle") {
  const Decisions found = decided({point(8, {{"a", 0.5}}, 4), point(8, {{"b", 0.5}}, 16)}, {});
  CHECK(decide(found.rules, "bcast", 3, 8).is_default());
  CHECK(decide(found.rules, "bcast", 7, 8).algorithm == "a");
  CHECK(decide(found.rules, "bcast", 8, 8).algorithm == "b");
  CHECK(decide(found.rules, "bcast", 16, 8).algorithm == "b");
  CHECK(decide(found.rules, "bcast", 17, 8).is_default());
}

TEST_CASE("boundaries lie above the smaller size and at most at the larger") {
  CHECK(boundary(8, 512) == 64);
  CHECK(boundary(0, 1) == 1);
  CHECK(boundary(0, 9) == 3);
  CHECK(boundary(8, 512, 0) == 9);
  CHECK(boundary(8, 512, 1) == 512);
  CHECK(boundary(1, 2) == 2);
  CHECK(boundary(4, 5) == 5);
  CHECK(boundary(std::int64_t{1} << 40, std::int64_t{1} << 50) == std::int64_t{1} << 45);
}

TEST_CASE("held-out sizes lie between those that were measured, in whole elements") {
  const auto sizes = [](const std::vector<std::int64_t>& measured) {
    std::vector<TunedPoint> points;
    for (const std::int64_t bytes : measured) points.push_back(point(bytes, {}));
    std::vector<std::int64_t> values;
    for (const Bytes size : held_out_sizes(points)) values.push_back(size.value);
    return values;
  };
  CHECK(sizes({8, 1024, 65536}) == std::vector<std::int64_t>{88, 8192});
  CHECK(sizes({1, 2, 4, 64}) == std::vector<std::int64_t>{16});
  CHECK(sizes({0}) == std::vector<std::int64_t>{0});
}

namespace {

constexpr const char* header = "operation,ranks,bytes,algorithm,seconds,low,high\n";

Evidence measured() {
  Evidence evidence;
  evidence.points = {{.operation = "bcast",
                      .ranks = 4,
                      .bytes = {8},
                      .base_seconds = 10e-6,
                      .base_interval_seconds = Interval{9e-6, 11e-6, 0.95}}};
  return evidence;
}

void add(Evidence& evidence, const std::string& rows) {
  add_predicted(evidence, read_predicted(header + rows, "f", Target::openmpi));
}

}  // namespace

TEST_CASE("a prediction counts when all of its interval is faster") {
  Evidence evidence = measured();
  add(evidence, "bcast,4,8,binomial,5e-6,4e-6,8e-6\nbcast,4,8,chain,5e-6,4e-6,9.5e-6\n");
  const auto& candidates = evidence.points.at(0).candidates;
  REQUIRE(candidates.size() == 2);
  CHECK(candidates[0].shown);
  CHECK(candidates[0].source == Basis::predicted);
  CHECK(candidates[0].choice.number == 6);
  CHECK(candidates[0].ratio == Approx(0.5));
  CHECK_FALSE(candidates[1].shown);
}

TEST_CASE("a prediction does not take the place of a measurement") {
  Evidence evidence = measured();
  evidence.points[0].candidates.push_back(
      {.choice = {.algorithm = "binomial", .number = 6}, .ratio = 1.2});
  add(evidence, "bcast,4,8,binomial,5e-6,4e-6,8e-6\n");
  REQUIRE(evidence.points[0].candidates.size() == 1);
  CHECK(evidence.points[0].candidates[0].ratio == 1.2);
}

TEST_CASE("where nothing is known of the default, nothing is shown") {
  Evidence evidence = measured();
  add(evidence, "bcast,256,8,binomial,5e-6,4e-6,8e-6\n");
  CHECK(evidence.points.size() == 1);
  REQUIRE(evidence.left_out.size() == 1);
  CHECK(evidence.left_out[0].points == 1);
  add(evidence, "bcast,256,8,default,10e-6,9e-6,11e-6\nbcast,256,8,binomial,5e-6,4e-6,8e-6\n");
  REQUIRE(evidence.points.size() == 2);
  CHECK(evidence.points[1].candidates.at(0).shown);
}

TEST_CASE("a bad file of predictions is refused with its line") {
  const auto refuses = [](const std::string& text, const std::string& words) {
    CHECK_THROWS_WITH(read_predicted(text, "f", Target::openmpi), Catch::Contains(words));
  };
  refuses("operation,ranks\n", "no column 'bytes'");
  refuses(header, "no predictions");
  refuses(std::string(header) + "bcast,4,8,chain,5e-6,4e-6\n", "f:2: 6 columns");
  refuses(std::string(header) + "bcast,4,8,chain,x,4e-6,5e-6\n", "f:2: bad seconds 'x'");
  refuses(std::string(header) + "bcast,4,eight,chain,1,1,1\n", "f:2: bytes");
}

}  // namespace hockney::tune
