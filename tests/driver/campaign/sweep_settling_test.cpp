#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "driver/campaign/config.hpp"

namespace hockney::campaign {

using Names = std::vector<std::string>;

namespace {

ControlVariable library(const std::string& variable) {
  if (variable == "OMPI_MCA_algorithm") {
    return {.name = "algorithm",
            .type = "int",
            .value = "0",
            .choices = {{"ignore", 0}, {"linear", 1}, {"ring", 4}}};
  }
  if (variable == "OMPI_MCA_size") return {.name = "size", .type = "int", .value = "0"};
  throw InputError({"the MPI library knows no '" + variable + "'", "it shows 2", ""});
}

Config sweep_of(const Axis& axis) {
  Config config{.name = "s", .program = "p"};
  config.sweep = Sweep{.axes = {axis}};
  config.file = "c.json";
  return config;
}

Names settled(Config config) {
  settle_sweep(config, 1, library);
  Names names;
  for (const Setting& setting : config.settings) names.push_back(setting.name);
  return names;
}

const Axis requesting{.name = "algorithm", .variable = "OMPI_MCA_algorithm"};

}  // namespace

TEST_CASE("an axis that asks has the default and what the library lists besides") {
  CHECK(settled(sweep_of(requesting)) ==
        Names{"algorithm=default", "algorithm=linear", "algorithm=ring"});
}

TEST_CASE("values that are excepted are left out, and must be there") {
  Axis axis = requesting;
  axis.except = {"linear"};
  CHECK(settled(sweep_of(axis)) == Names{"algorithm=default", "algorithm=ring"});
  axis.except = {"rng"};
  CHECK_THROWS_WITH(settled(sweep_of(axis)),
                    Catch::Contains("excepts 'rng'") && Catch::Contains("did you mean 'ring'"));
}

TEST_CASE("a variable whose values the library does not list is an error that says what to do") {
  CHECK_THROWS_WITH(settled(sweep_of({.name = "size", .variable = "OMPI_MCA_size"})),
                    Catch::StartsWith("c.json: the values of 'OMPI_MCA_size' are not known") &&
                        Catch::Contains("a list in place of \"ask\""));
  CHECK_THROWS_WITH(settled(sweep_of({.name = "x", .variable = "OMPI_MCA_x"})),
                    Catch::Contains("knows no 'OMPI_MCA_x'"));
}

TEST_CASE("conditions are judged with the values that were told") {
  Config config = sweep_of(requesting);
  config.sweep->conditions = {{.when = {{"algorithm", {"rng"}}}, .because = "no"}};
  CHECK_THROWS_WITH(settled(config), Catch::Contains("did you mean 'ring'"));
  config.sweep->conditions = {{.when = {{"algorithm", {"ring"}}}, .because = "no"}};
  CHECK(settled(config) == Names{"algorithm=default", "algorithm=linear"});
  config.sweep->conditions.front().when = {{"algorithm", {"default", "linear", "ring"}}};
  CHECK_THROWS_WITH(settled(config), Catch::Contains("nothing is left of the sweep"));
}

TEST_CASE("a config that has its settings is left as it is") {
  Config config = sweep_of(requesting);
  settle_sweep(config, 1, library);
  const auto never = [](const std::string&) -> ControlVariable { throw InputError({"", "", ""}); };
  const auto before = config.settings;
  CHECK(settle_sweep(config, 1, never).empty());
  CHECK(config.settings == before);
  Config plain{.name = "a", .program = "p"};
  CHECK(settle_sweep(plain, 1, never).empty());
  CHECK(plain.settings.size() == 1);
}

}  // namespace hockney::campaign
