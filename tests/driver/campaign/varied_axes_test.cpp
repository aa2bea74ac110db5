#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "driver/campaign/config.hpp"
#include "driver/campaign/varied_axes.hpp"

namespace hockney::campaign {
namespace {

Axis varied(const std::string& text) {
  Config config{.name = "c", .program = "p"};
  vary(config, {text});
  return config.sweep->axes.front();
}

std::vector<std::string> names_of(const Axis& axis) {
  std::vector<std::string> names;
  for (const AxisValue& value : axis.values.value()) names.push_back(value.name);
  return names;
}

}  // namespace

TEST_CASE("values of a variable: the default adds nothing, a plus is a comma") {
  const Axis axis = varied("OMPI_MCA_btl=default,self+tcp");
  CHECK(axis.name == "OMPI_MCA_btl");
  CHECK(names_of(axis) == std::vector<std::string>{"default", "self+tcp"});
  CHECK(axis.values->at(0).is_default());
  CHECK(axis.values->at(1).environment.at("OMPI_MCA_btl") == "self,tcp");
}

TEST_CASE("values parted by semicolons are taken as they are") {
  const Axis axis = varied("X=a+b;c,d");
  CHECK(axis.values->at(0).environment.at("X") == "a+b");
  CHECK(axis.values->at(1).environment.at("X") == "c,d");
}

TEST_CASE("options of the program, ranks and variables of the simulator vary, too") {
  CHECK(varied("--cache=hot,cold").values->at(1).arguments ==
        std::vector<std::string>{"--cache=cold"});
  CHECK(varied("--cache=hot,cold").name == "cache");
  CHECK(varied("ranks=2,4").values->at(1).ranks == 4);
  const Axis simulated = varied("smpi/bcast=default,binomial_tree");
  CHECK(simulated.name == "bcast");
  CHECK(simulated.values->at(1).launcher_arguments ==
        std::vector<std::string>{"--cfg=smpi/bcast:binomial_tree"});
}

TEST_CASE("what names nothing, or one value alone, is refused") {
  for (const char* const bad :
       {"X", "=a,b", "X=a", "X=ask", "X=a,", "ranks=2,x", "--=1,2", "smpi/=a,b"}) {
    CHECK_THROWS_AS(varied(bad), InputError);
  }
}

TEST_CASE("a campaign without settings gets every combination, one with settings none") {
  Config config{.name = "c", .description = {}, .program = "p"};
  vary(config, {"A=default,1", "ranks=2,4"});
  CHECK(expand(config.sweep.value(), 0).settings.size() == 4);
  Config own{.name = "c", .description = {}, .program = "p"};
  own.settings = {{.name = "a"}, {.name = "b"}};
  CHECK_THROWS_WITH(vary(own, {"A=default,1"}), Catch::Contains("settings of its own"));
  vary(own, {});
  CHECK_FALSE(own.sweep);
  Config empty{.name = "c", .description = {}, .program = "p"};
  empty.settings.clear();
  vary(empty, {"A=default,1"});
  CHECK(empty.sweep);
}

TEST_CASE("--vary and --ranks take the place of an axis, and conditions forget its other values") {
  Config config{.name = "c", .description = {}, .program = "p"};
  vary(config, {"ranks=2,4,8", "OMPI_MCA_btl=default,self+tcp"});
  config.sweep->conditions = {{.when = {{"ranks", {"2", "8"}}}, .needs = {}, .because = "few"}};
  vary(config, {"ranks=8,16"});
  REQUIRE(config.sweep->axes.size() == 2);
  const auto names = strings_of(*config.sweep->axes.front().values, &AxisValue::name);
  CHECK(names == std::vector<std::string>{"8", "16"});
  CHECK(config.sweep->conditions.front().when.at("ranks") == std::vector<std::string>{"8"});
  CHECK(fix_ranks(config, 3));
  REQUIRE(config.sweep->axes.front().values->size() == 1);
  CHECK(config.sweep->axes.front().values->front().ranks == 3);
  CHECK(expand(*config.sweep, 0).settings.size() == 2);
  CHECK_THROWS_WITH(vary(config, {"ranks=2,4", "ranks=8,16"}), Catch::Contains("varied twice"));
  Config plain{.name = "c", .description = {}, .program = "p"};
  CHECK_FALSE(fix_ranks(plain, 3));
}

}  // namespace hockney::campaign
