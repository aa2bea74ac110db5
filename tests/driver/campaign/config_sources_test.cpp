#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "driver/campaign/config_sources.hpp"
#include "tests/support/temporary_folder.hpp"

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
                                                               .tuned = {.name = "tuned"},
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
  check_config(config);
}

TEST_CASE("a setting that brings its own sizes keeps them") {
  const Config config = verification_config(
      other_campaign(),
      {.base = "x=default",
       .tuned = {.name = "tuned", .arguments = {"--operations", "bcast", "--sizes", "16"}},
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

namespace {

std::string config(const std::string& name, const std::string& more = "") {
  return R"({"schema": "hockney.campaign/1", "name": ")" + name + R"(", "program": "p")" + more +
         "}";
}

}  // namespace

TEST_CASE("a config is found by name in the first folder that has it") {
  const TemporaryFolder first;
  const TemporaryFolder second;
  const std::string own = first.write("mine.json", config("mine"));
  const std::string other = second.write("mine.json", config("other"));
  const std::string far = second.write("far.json", config("far"));
  const std::vector<std::string> folders{first.path(), second.path()};
  CHECK(find_config("mine", folders) == own);
  CHECK(find_config("far", folders) == far);
  CHECK(find_config(other, folders) == other);
  CHECK(find_config("any/thing", folders) == "any/thing");
  CHECK_THROWS_WITH(find_config("fra", folders), Catch::Contains("did you mean 'far'?"));
}

TEST_CASE("a config is found by the name that it had before, unless there is one of that name") {
  const TemporaryFolder folder;
  const std::string now = folder.write("rules-openmpi-bcast.json", config("rules-openmpi-bcast"));
  CHECK(find_config("tune-openmpi-bcast", {folder.path()}) == now);
  CHECK(find_config(folder.path() + "/tune-openmpi-bcast.json", {}) == now);
  const std::string own = folder.write("tune-openmpi-bcast.json", config("mine"));
  CHECK(find_config("tune-openmpi-bcast", {folder.path()}) == own);
  CHECK(find_config(own, {}) == own);
}

TEST_CASE("listed are configs, broken ones with what is wrong, and no other documents") {
  const TemporaryFolder folder;
  folder.write("good.json", config("good", R"(, "requires": "mpich", "launches": 3)"));
  folder.write("broken.json", config("broken", R"(, "requires": "mpihc")"));
  folder.write("record.json", R"({"schema": "hockney.record/1"})");
  folder.write("none.json", "no json");
  folder.write("text.txt", config("text"));
  const auto configs = named_configs({folder.path(), "/no/such/folder"});
  REQUIRE(configs.size() == 2);
  CHECK(configs[0].name == "broken");
  CHECK_THAT(configs[0].problem, Catch::Contains("mpich"));
  CHECK(configs[1].config->required_library == RequiredLibrary::mpich);
  CHECK(expected_length(*configs[1].config) == "3 launches");
}

TEST_CASE("what a config says of its length and of itself") {
  Config config{.name = "c", .description = "One thing. Another", .program = "p"};
  config.budget = {60};
  CHECK(expected_length(config) == "1 min");
  config.budget = {45};
  CHECK(expected_length(config) == "45 s");
  config.budget.reset();
  CHECK(expected_length(config) == "-");
  config.launches = 1;
  CHECK(expected_length(config) == "1 launch");
  CHECK(summary_of(config) == "One thing");
  config.description = "As in a.md and v4.1: more";
  CHECK(summary_of(config) == "As in a.md and v4.1");
}

TEST_CASE("a config for one library is not for another") {
  using enum RequiredLibrary;
  CHECK(belongs_to(openmpi, LauncherKind::openmpi5, {}));
  CHECK(belongs_to(openmpi4, LauncherKind::openmpi4, MpiFamily::openmpi));
  CHECK_FALSE(belongs_to(openmpi4, LauncherKind::openmpi5, MpiFamily::openmpi));
  CHECK_FALSE(belongs_to(intel, LauncherKind::mpich, MpiFamily::mpich));
  CHECK_FALSE(belongs_to(mpich, LauncherKind::openmpi4, MpiFamily::openmpi));
  CHECK(belongs_to(openmpi5, LauncherKind::slurm, MpiFamily::openmpi));
  CHECK_FALSE(belongs_to(openmpi5, LauncherKind::slurm, MpiFamily::mpich));
  CHECK(belongs_to(openmpi5, LauncherKind::slurm, {}));
}

}  // namespace hockney::campaign
