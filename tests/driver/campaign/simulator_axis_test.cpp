#include <catch2/catch.hpp>

#include "core/json_node.hpp"
#include "driver/campaign/config.hpp"
#include "driver/campaign/sweep.hpp"

namespace hockney::campaign {

using Texts = std::vector<std::string>;

namespace {

const std::string axes_config = R"({"axes": [
  {"name": "algorithm", "variable": "smpi/bcast", "values": VALUES}]})";

Sweep sweep_with(const std::string& values) {
  std::string text = axes_config;
  text.replace(text.find("VALUES"), 6, values);
  return *read_sweep(parse_json(text, "c"));
}

const std::vector<AxisValue>& values_of(const Sweep& sweep) { return *sweep.axes.at(0).values; }

}  // namespace

TEST_CASE("a simulator's variable is an option of smpirun") {
  const Sweep sweep =
      sweep_with(R"([null, "flattree", {"name": "tree", "value": "binomial_tree"}])");
  CHECK(values_of(sweep)[0].is_default());
  CHECK(values_of(sweep)[1].launcher_arguments == Texts{"--cfg=smpi/bcast:flattree"});
  CHECK(values_of(sweep)[1].environment.empty());
  CHECK(values_of(sweep)[2].launcher_arguments == Texts{"--cfg=smpi/bcast:binomial_tree"});
}

TEST_CASE("its list has a default of its own, which is the axis' too") {
  const VariableLookup query = [](const std::string& variable) {
    return ControlVariable{.name = variable,
                           .choices = {{"default", std::nullopt}, {"flattree", std::nullopt}}};
  };
  const Sweep sweep = resolve_values(sweep_with("\"ask\""), query, "c");
  REQUIRE(values_of(sweep).size() == 2);
  CHECK(values_of(sweep)[1].name == "flattree");
}

TEST_CASE(
    "a campaign may vary a simulator's variable, by listed values and by those it is asked for") {
  const auto config_with = [](const std::string& values) {
    return read_config(parse_json(R"({"schema": "hockney.campaign/1", "name": "c", "program": "p",
      "axes": [{"name": "algorithm", "variable": "smpi/allreduce", "values": )" +
                                      values + "}]}",
                                  "c"));
  };
  const VariableLookup query = [](const std::string& variable) {
    return ControlVariable{.name = variable, .choices = {{"rdb", std::nullopt}}};
  };
  for (const std::string values : {R"([null, "rdb"])", "\"ask\""}) {
    CAPTURE(values);
    Config config = config_with(values);
    CHECK_NOTHROW(check_config(config));
    settle_sweep(config, 1, query);
    CHECK_NOTHROW(check_config(config));
    REQUIRE(config.settings.size() == 2);
    CHECK(config.settings[0].launcher_arguments.empty());
    CHECK(config.settings[1].name == "algorithm=rdb");
    CHECK(config.settings[1].launcher_arguments == Texts{"--cfg=smpi/allreduce:rdb"});
    CHECK(config.settings[1].environment.empty());
  }
}

TEST_CASE("a variable that neither the simulator nor the environment can have is refused") {
  Config config{.name = "c", .program = "p"};
  config.sweep = sweep_with(R"([null, "flattree"])");
  config.sweep->axes[0].variable = "simulator/bcast";
  CHECK_THROWS_AS(check_config(config), InputError);
}

}  // namespace hockney::campaign
