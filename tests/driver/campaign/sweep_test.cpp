#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "core/json_node.hpp"
#include "driver/campaign/config.hpp"
#include "driver/campaign/request.hpp"
#include "driver/campaign/sweep.hpp"

namespace hockney::campaign {

using Names = std::vector<std::string>;

namespace {

Axis axis_of(const std::string& name, const Names& values) {
  Axis axis{.name = name, .variable = "OMPI_MCA_" + name, .values = std::vector<AxisValue>()};
  for (const std::string& value : values) {
    axis.values->push_back({.name = value});
    if (value != default_value) axis.values->back().environment = {{axis.variable, value}};
  }
  return axis;
}

Names names_of(const Expansion& expansion) {
  Names names;
  for (const Setting& setting : expansion.settings) names.push_back(setting.name);
  return names;
}

Sweep two_axes(SweepMode mode = SweepMode::full) {
  return {
      .axes = {axis_of("eager", {"default", "8192"}), axis_of("algorithm", {"1", "default", "3"})},
      .mode = mode};
}

}  // namespace

TEST_CASE("a full sweep holds every combination, the last axis turning fastest") {
  const Expansion expansion = expand(two_axes(), 1);
  CHECK(names_of(expansion) == Names{"eager=default,algorithm=1", "eager=default,algorithm=default",
                                     "eager=default,algorithm=3", "eager=8192,algorithm=1",
                                     "eager=8192,algorithm=default", "eager=8192,algorithm=3"});
  CHECK(expansion.skipped.empty());
  const Setting& last = expansion.settings.back();
  CHECK(last.environment == std::map<std::string, std::string>{{"OMPI_MCA_eager", "8192"},
                                                               {"OMPI_MCA_algorithm", "3"}});
  CHECK(last.axes == std::map<std::string, std::string>{{"eager", "8192"}, {"algorithm", "3"}});
  CHECK(expansion.settings[1].environment.empty());
}

TEST_CASE("an axis can vary the number of ranks") {
  const nlohmann::json document{
      {"schema", campaign_schema},
      {"name", "scaling"},
      {"program", "p"},
      {"axes",
       {{{"name", "ranks"}, {"values", {2, 4}}},
        {{"name", "layout"},
         {"values", {{{"name", "wide"}, {"ranks", 16}}, {{"name", "as-is"}}}}}}}};
  const Config config = read_config(parse_json(document.dump(), "c.json"));
  const Expansion expansion = expand(*config.sweep, 1);
  CHECK(names_of(expansion) == Names{"ranks=2,layout=wide", "ranks=2,layout=as-is",
                                     "ranks=4,layout=wide", "ranks=4,layout=as-is"});
  CHECK(expansion.settings[0].ranks == 16);
  CHECK(expansion.settings[1].ranks == 2);
  CHECK(expansion.settings[3].ranks == 4);
  Request request{.config = config, .program = "/p", .ranks = 1};
  request.config.settings = expansion.settings;
  const nlohmann::json written = to_json(request.config);
  CHECK(to_json(read_config(parse_json(written.dump(), "c.json"))) == written);
  CHECK(launch_job(request, {.setting = 3, .launch = 1}, "r.json", std::nullopt).ranks == 4);
}

TEST_CASE("an axis of no ranks at all is refused") {
  for (const nlohmann::json& value : {nlohmann::json(0), nlohmann::json(-2)}) {
    const nlohmann::json document{{"schema", campaign_schema},
                                  {"name", "scaling"},
                                  {"program", "p"},
                                  {"axes", {{{"name", "ranks"}, {"values", {value}}}}}};
    CHECK_THROWS_WITH(read_config(parse_json(document.dump(), "c.json")),
                      Catch::Contains("a launch has 1 to 1000000"));
  }
}

TEST_CASE("one at a time leaves the others at their defaults") {
  CHECK(names_of(expand(two_axes(SweepMode::one_at_a_time), 1)) ==
        Names{"eager=default,algorithm=1", "eager=default,algorithm=default",
              "eager=default,algorithm=3", "eager=8192,algorithm=default"});
}

TEST_CASE("an axis without a value that adds nothing has its first one as default") {
  const Sweep sweep{.axes = {axis_of("a", {"1", "2"}), axis_of("b", {"3", "4"})},
                    .mode = SweepMode::one_at_a_time};
  CHECK(names_of(expand(sweep, 1)) == Names{"a=1,b=3", "a=1,b=4", "a=2,b=3"});
}

TEST_CASE("a random sweep draws the same combinations for the same seed, defaults among them") {
  const Sweep sweep{.axes = {axis_of("a", {"default", "1", "2", "3"}),
                             axis_of("b", {"1", "2", "default"}), axis_of("c", {"default", "1"})},
                    .mode = SweepMode::random,
                    .drawn = 5};
  std::set<Names> different;
  std::set<std::string> ever;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Names names = names_of(expand(sweep, seed));
    CHECK(names.size() == 5);
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == 5);
    CHECK(std::ranges::count(names, "a=default,b=default,c=default") == 1);
    CHECK(names == names_of(expand(sweep, seed)));
    different.insert(names);
    ever.insert(names.begin(), names.end());
  }
  CHECK(different.size() > 90);
  CHECK(ever.size() == 24);
}

TEST_CASE("a random sweep of more than there are is a full one") {
  Sweep sweep = two_axes(SweepMode::random);
  sweep.drawn = 100;
  CHECK(names_of(expand(sweep, 3)) == names_of(expand(two_axes(), 3)));
}

TEST_CASE("combinations that conditions rule out are skipped with the reason") {
  Sweep sweep = two_axes();
  sweep.conditions = {
      {.when = {{"eager", {"8192"}}, {"algorithm", {"1", "3"}}}, .because = "no"},
      {.when = {{"algorithm", {"3"}}}, .needs = {{"eager", {"8192"}}}, .because = "3 needs 8192"}};
  const Expansion expansion = expand(sweep, 1);
  CHECK(names_of(expansion) == Names{"eager=default,algorithm=1", "eager=default,algorithm=default",
                                     "eager=8192,algorithm=default"});
  CHECK(expansion.skipped ==
        std::vector<SkippedCombination>{{"eager=default,algorithm=3", "3 needs 8192"},
                                        {"eager=8192,algorithm=1", "no"},
                                        {"eager=8192,algorithm=3", "no"}});
}

TEST_CASE("a random sweep draws among what is not skipped") {
  Sweep sweep = two_axes(SweepMode::random);
  sweep.drawn = 4;
  sweep.conditions = {{.when = {{"algorithm", {"3"}}}, .because = "no"}};
  CHECK(names_of(expand(sweep, 9)) ==
        Names{"eager=default,algorithm=1", "eager=default,algorithm=default",
              "eager=8192,algorithm=1", "eager=8192,algorithm=default"});
}

TEST_CASE("values bring arguments too, and several variables") {
  Axis path{.name = "path", .values = std::vector<AxisValue>()};
  path.values->push_back({.name = "shm", .environment = {{"A", "1"}, {"B", "2"}}});
  path.values->push_back(
      {.name = "cma", .arguments = {"--x"}, .launcher_arguments = {"--mca", "btl", "self"}});
  const Expansion expansion = expand({.axes = {path}}, 1);
  REQUIRE(expansion.settings.size() == 2);
  CHECK(expansion.settings[0].environment.size() == 2);
  CHECK(expansion.settings[1].arguments == Names{"--x"});
  CHECK(expansion.settings[1].launcher_arguments == Names{"--mca", "btl", "self"});
}

TEST_CASE("names too long for files become numbers of all the sweep") {
  const std::string word(60, 'x');
  const Sweep sweep{.axes = {axis_of("a", {"1", word}), axis_of("b", {"1", word})},
                    .conditions = {{.when = {{"a", {"1"}}, {"b", {"1"}}}, .because = "no"}}};
  const Expansion expansion = expand(sweep, 1);
  CHECK(names_of(expansion) == Names{"combination-002", "combination-003", "combination-004"});
  CHECK(expansion.skipped.front().setting == "combination-001");
  CHECK(expansion.settings.front().axes.at("b") == word);
}

TEST_CASE("names of values are plain") {
  CHECK(value_name("self,tcp") == "self+tcp");
  CHECK(value_name("shm:ofi") == "shm+ofi");
  CHECK(value_name("a b=c/d") == "a+b+c+d");
  CHECK(value_name("64K_1.5-x+") == "64K_1.5-x+");
}

}  // namespace hockney::campaign
