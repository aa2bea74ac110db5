#include <catch2/catch.hpp>

#include "campaign/config.hpp"
#include "campaign/sweep.hpp"

using namespace hockney;
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
  const VariableLookup ask = [](const std::string& variable) {
    return ControlVariable{.name = variable,
                           .choices = {{"default", std::nullopt}, {"flattree", std::nullopt}}};
  };
  const Sweep sweep = resolve_values(sweep_with("\"ask\""), ask, "c");
  REQUIRE(values_of(sweep).size() == 2);
  CHECK(values_of(sweep)[1].name == "flattree");
}
