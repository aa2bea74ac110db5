#include "campaign/derived_config.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"

namespace hockney::campaign {
namespace {

using Arguments = std::vector<std::string>;

Manifest other_campaign() {
  Manifest manifest{.config = {.name = "bcast", .program = "hockney-collectives"}};
  manifest.config.arguments = {"--operations", "bcast", "--sizes", "8,1K", "--cache", "hot"};
  manifest.config.environment = {{"A", "1"}};
  manifest.config.precision = 0.05;
  manifest.config.budget = Seconds{600};
  manifest.config.settings = {
      {.name = "x=default", .axes = {{"x", "default"}}},
      {.name = "x=chain", .environment = {{"X", "chain"}}, .axes = {{"x", "chain"}}}};
  manifest.program = "/bin/hockney-collectives";
  manifest.ranks = 4;
  manifest.launches = 12;
  return manifest;
}

}  // namespace

TEST_CASE("a verification repeats the campaign with other sizes and settings") {
  const Config config = verification_config(other_campaign(), {.base = "x=default",
                                                               .tuned = {{.name = "tuned"}},
                                                               .forced = {"x=chain"},
                                                               .operations = {"bcast", "reduce"},
                                                               .sizes = "88"});
  CHECK(config.name == "bcast-verify");
  CHECK(config.program == "/bin/hockney-collectives");
  CHECK(config.ranks == 4);
  CHECK(config.launches == 12);
  CHECK_FALSE(config.precision);
  CHECK_FALSE(config.budget);
  CHECK(config.arguments == Arguments{"--cache", "hot"});
  CHECK(config.environment.at("A") == "1");
  REQUIRE(config.settings.size() == 3);
  CHECK(config.settings[0].name == "default");
  CHECK(config.settings[0].axes.empty());
  CHECK(config.settings[1].name == "tuned");
  CHECK(config.settings[2].name == "forced-x=chain");
  CHECK(config.settings[2].environment.at("X") == "chain");
  for (const Setting& setting : config.settings) {
    CHECK(setting.arguments == Arguments{"--operations", "bcast,reduce", "--sizes", "88"});
  }
  check_config(config, "test");
}

TEST_CASE("a setting that brings its own sizes keeps them") {
  const Config config = verification_config(
      other_campaign(),
      {.base = "x=default",
       .tuned = {{.name = "tuned.1", .arguments = {"--operations", "bcast", "--sizes", "16"}}},
       .forced = {},
       .operations = {"bcast"},
       .sizes = "16,88"});
  CHECK(config.settings[1].arguments == Arguments{"--operations", "bcast", "--sizes", "16"});
}

TEST_CASE("what chooses operations and sizes is taken out of arguments in any spelling") {
  CHECK(without_workload({"-b", "8", "--epochs", "2", "--sizes=8", "--operations", "x"}) ==
        Arguments{"--epochs", "2"});
}

TEST_CASE("a setting that the campaign does not have is refused") {
  CHECK_THROWS_WITH(setting_of(other_campaign().config, "x=chan"),
                    Catch::Contains("did you mean 'x=chain'?"));
}

}  // namespace hockney::campaign
