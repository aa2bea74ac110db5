#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/json_node.hpp"
#include "driver/campaign/config.hpp"

namespace hockney::campaign {
namespace {

Config read(const std::string& text) { return read_config(parse_json(text, "c.json")); }

constexpr const char* full = R"({
  "schema": "hockney.campaign/1", "name": "eager", "description": "eager limits",
  "program": "hockney-pingpong", "arguments": ["--sizes", "0:4M"], "ranks": "hops",
  "launches": 12, "budget_seconds": 90.5, "launch_timeout_seconds": 30,
  "settings": [
    {"name": "plain"},
    {"name": "large", "environment": {"OMPI_MCA_btl_vader_eager_limit": "65536"},
     "arguments": ["--samples", "9"], "launcher_arguments": ["--mca", "pml", "ob1"]}],
  "launcher": {"dialect": "openmpi", "command": "/opt/mpirun", "arguments": ["-v"]}})";

}  // namespace

TEST_CASE("a config is read whole") {
  const Config config = read(full);
  CHECK(config.name == "eager");
  CHECK(config.description == "eager limits");
  CHECK(config.program == "hockney-pingpong");
  CHECK(config.arguments == std::vector<std::string>{"--sizes", "0:4M"});
  CHECK_FALSE(config.ranks.has_value());
  CHECK(config.launches == 12);
  CHECK(config.budget == Seconds{90.5});
  CHECK(config.launch_timeout == Seconds{30});
  REQUIRE(config.settings.size() == 2);
  CHECK(config.settings[0].environment.empty());
  CHECK(config.settings[1].name == "large");
  CHECK(config.settings[1].environment.at("OMPI_MCA_btl_vader_eager_limit") == "65536");
  CHECK(config.settings[1].arguments == std::vector<std::string>{"--samples", "9"});
  CHECK(config.settings[1].launcher_arguments == std::vector<std::string>{"--mca", "pml", "ob1"});
  CHECK(config.launcher.dialect == Dialect::openmpi);
  CHECK(config.launcher.command == "/opt/mpirun");
  CHECK(config.launcher.arguments == std::vector<std::string>{"-v"});
  CHECK_NOTHROW(check_config(config));
}

TEST_CASE("a config can say how precise is enough") {
  const Config config = read(
      R"({"schema": "hockney.campaign/1", "name": "a", "program": "p", "precision": 0.02,
          "max_launches": 50})");
  CHECK(config.precision == 0.02);
  CHECK(config.most_launches == 50);
  CHECK_NOTHROW(check_config(config));
  CHECK(to_json(config).at("precision") == 0.02);
  CHECK(to_json(config).at("max_launches") == 50);
}

TEST_CASE("what a config leaves out has its default") {
  const Config config = read(R"({"schema": "hockney.campaign/1", "name": "a", "program": "p"})");
  CHECK(config.ranks == 2);
  CHECK_FALSE(config.launches.has_value());
  CHECK_FALSE(config.budget.has_value());
  CHECK(config.launch_timeout == Seconds{120});
  REQUIRE(config.settings.size() == 1);
  CHECK(config.settings[0].name == "default");
  CHECK_FALSE(config.launcher.dialect.has_value());
  CHECK_NOTHROW(check_config(config));
}

TEST_CASE("a config survives being written and read") {
  const nlohmann::json written = to_json(read(full));
  CHECK(to_json(read(written.dump())) == written);
  CHECK(written.at("ranks") == "hops");
}

TEST_CASE("the axes of a sweep are read whole, and survive being written and read") {
  const Config config = read(R"({
    "schema": "hockney.campaign/1", "name": "s", "program": "p", "environment": {"D": "1"},
    "axes": [{"name": "eager", "variable": "E", "values": [null, "8K", {"name": "x", "value": "1,2"}]},
             {"name": "algorithm", "variable": "A", "values": "ask", "except": ["ring"]},
             {"name": "path", "values": [{"name": "cma", "environment": {"P": "1"},
              "arguments": ["--y"], "launcher_arguments": ["-z"]}]}],
    "sweep": {"random": 24}, "ignored_settings": "flag",
    "conditions": [{"when": {"eager": ["8K"]}, "needs": {"path": ["cma"]}, "because": "so"}]})");
  REQUIRE(config.sweep);
  CHECK(config.environment.at("D") == "1");
  CHECK(config.ignored_settings == IgnoredSettings::flag);
  CHECK(config.sweep->mode == SweepMode::random);
  CHECK(config.sweep->drawn == 24);
  REQUIRE(config.sweep->axes.size() == 3);
  const Axis& eager = config.sweep->axes[0];
  REQUIRE(eager.values);
  CHECK(*eager.values == std::vector<AxisValue>{{.name = "default"},
                                                {.name = "8K", .environment = {{"E", "8K"}}},
                                                {.name = "x", .environment = {{"E", "1,2"}}}});
  CHECK_FALSE(config.sweep->axes[1].values.has_value());
  CHECK(config.sweep->axes[1].except == std::vector<std::string>{"ring"});
  CHECK(config.sweep->axes[2].values->front().launcher_arguments == std::vector<std::string>{"-z"});
  CHECK(config.sweep->conditions.front().needs.at("path") == std::vector<std::string>{"cma"});
  CHECK_NOTHROW(check_config(config));
  CHECK_FALSE(is_expanded(config));
  Config expanded = config;
  expanded.settings = {{.name = "eager=8K", .axes = {{"eager", "8K"}}}};
  const nlohmann::json written = to_json(expanded);
  CHECK(to_json(read(written.dump())) == written);
  CHECK(is_expanded(read(written.dump())));
}

TEST_CASE("ranks on the command line are a number or hops") {
  CHECK(parse_ranks("4") == 4);
  CHECK_FALSE(parse_ranks("hops").has_value());
  CHECK(parse_ranks("-1") == -1);  // check_config rejects it with the limits
  for (const char* text : {"", "two", "2x", "2.5", "99999999999"}) {
    CHECK_THROWS_AS(parse_ranks(text), InputError);
  }
}

}  // namespace hockney::campaign
