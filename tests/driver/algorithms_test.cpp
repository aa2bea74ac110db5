#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "tests/driver/launched.hpp"
#include "tests/support/temporary_folder.hpp"

// Which algorithm ran, told by verification runs under the MPI at hand.
#ifdef HOCKNEY_OPEN_MPI

namespace hockney::driver {
namespace {

/// A sweep over the algorithms of an operation on four ranks.
std::string config_of(const std::string& operation, const std::string& size,
                      const nlohmann::json& values) {
  const std::string variable = "OMPI_MCA_coll_tuned_" + operation + "_algorithm";
  return nlohmann::json{
      {"schema", "hockney.campaign/1"},
      {"name", operation},
      {"program", "hockney-collectives"},
      {"ranks", 4},
      {"launches", 1},
      {"arguments", {"--operations", operation, "--sizes", size}},
      {"environment", {{"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"}}},
      {"axes", {{{"name", "algorithm"}, {"variable", variable}, {"values", values}}}}}
      .dump();
}

/// The lines of the table, by setting.
std::string verified(const std::string& config) {
  const TemporaryFolder folder;
  const std::string file = folder.write("c.json", config);
  const CommandResult result = run_command(
      {built("hockney"), "run", file, "--verification-only", "--out", folder.path() + "/out"},
      std::chrono::seconds(100));
  INFO(result.err);
  CHECK(result.exit_code == 0);
  return result.out;
}

/// The words of the line of a setting.
std::vector<std::string> words_of(const std::string& table, const std::string& setting) {
  for (const std::string& line : split(table, '\n')) {
    std::vector<std::string> words = split(line, ' ');
    std::erase(words, "");
    if (!words.empty() && words.front() == "algorithm=" + setting) return words;
  }
  return {};
}

}  // namespace

TEST_CASE("ring is asked for, recursive doubling runs: two doubles on four ranks") {
  const std::string table = verified(config_of("allreduce", "16", {"ring", "rabenseifner"}));
  INFO(table);
  CHECK(words_of(table, "ring") ==
        std::vector<std::string>{"algorithm=ring", "ring", "recursive_doubling!"});
  CHECK(words_of(table, "rabenseifner").back() == "basic_linear!");
  CHECK_THAT(table, Catch::Contains("2 enumerated, 2 run, 0 proven, 2 substituted, 0 unproven"));
}

TEST_CASE("a list of PMLs that leaves out the counter gets it for the verification alone") {
  nlohmann::json config = nlohmann::json::parse(config_of("bcast", "8K", {"binomial"}));
  config["environment"]["OMPI_MCA_pml"] = "ob1";
  const std::string table = verified(config.dump());
  INFO(table);
  CHECK(words_of(table, "binomial") ==
        std::vector<std::string>{"algorithm=binomial", "binomial", "="});
}

TEST_CASE("every algorithm of bcast that Open MPI lists runs, and is proven or marked",
          "[nightly]") {
  const std::string table = verified(config_of("bcast", "8K", "ask"));
  INFO(table);
  for (const char* proven : {"basic_linear", "pipeline", "binary_tree", "binomial"}) {
    INFO(proven);
    CHECK(words_of(table, proven) ==
          std::vector<std::string>{"algorithm=" + std::string(proven), proven, "="});
  }
  CHECK(words_of(table, "default").size() == 3);
}

TEST_CASE("Open MPI counts the messages of other programs as it does without hockney") {
  const CommandResult result = run_command(
      launched(2, "hockney-pingpong", {"--operations", "pingpong", "--sizes", "8", "--epochs", "1"},
               {"OMPI_MCA_pml_monitoring_enable=1", "OMPI_MCA_pml_monitoring_enable_output=1"}),
      std::chrono::seconds(100));
  INFO(result.out << result.err);
  CHECK(result.exit_code == 0);
  // "E	0	1	... bytes	... msgs sent	...": messages of the program between ranks
  // 0 and 1.
  CHECK_THAT(result.out + result.err, Catch::Contains("E\t0\t1\t"));
}

}  // namespace hockney::driver

#endif
