#include "tune/predicted.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"

namespace hockney::tune {
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
