#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

namespace hockney::apps {
namespace {

struct TopoOutcome {
  int exit_code = -1;
  std::string text;  ///< stdout, and stderr where the arguments join it
};

TopoOutcome topo(const std::string& arguments) {
  const std::string command = HOCKNEY_BINARY_DIR "/bin/hockney topo " + arguments;
  TopoOutcome outcome;
  FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> part{};
  while (const std::size_t got = std::fread(part.data(), 1, part.size(), pipe)) {
    outcome.text.append(part.data(), got);
  }
  const int status = ::pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

std::string fixture_file(const std::string& name) {
  return "'" HOCKNEY_SOURCE_DIR "/tests/fixtures/topologies/" + name + ".xml'";
}

TEST_CASE("topo tells the hop classes of a synthetic machine") {
  const TopoOutcome outcome = topo("--json --synthetic 'pack:2 numa:2 l3:2 l2:4 core:1 pu:2'");
  REQUIRE(outcome.exit_code == 0);
  const nlohmann::json document = nlohmann::json::parse(outcome.text);
  CHECK(document.at("schema") == "hockney.topology/1");
  CHECK(document.at("source") == "synthetic pack:2 numa:2 l3:2 l2:4 core:1 pu:2");
  CHECK(document.at("pus").size() == 64);
  CHECK(document.at("hops") == nlohmann::json::parse(R"([
    {"hop": "smt", "pairs": 32, "representative": [2, 3]},
    {"hop": "l3", "pairs": 192, "representative": [2, 4]},
    {"hop": "numa", "pairs": 256, "representative": [2, 8]},
    {"hop": "package", "pairs": 512, "representative": [2, 16]},
    {"hop": "cross-package", "pairs": 1024, "representative": [2, 32]}])"));
  CHECK(document.at("plan").at("ranks") == 6);
  CHECK(document.at("plan").at("cpus") == nlohmann::json{2, 4, 8, 16, 32, 3});
}

TEST_CASE("topo reads a file and lists all pairs") {
  const TopoOutcome outcome = topo("--json --pairs all --xml " + fixture_file("xeon-interleaved"));
  REQUIRE(outcome.exit_code == 0);
  const nlohmann::json document = nlohmann::json::parse(outcome.text);
  CHECK(document.at("pairs").size() == 120);
  CHECK(
      document.at("hops").back() ==
      nlohmann::json::parse(R"({"hop": "cross-package", "pairs": 64, "representative": [1, 2]})"));
}

TEST_CASE("topo plans as many ranks as asked for") {
  const TopoOutcome outcome = topo("--ranks 2 --xml " + fixture_file("xeon-interleaved"));
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.text, Catch::Contains("on cpus         2,4\n"));
  CHECK_THAT(outcome.text, Catch::Contains("not shown       cross-package, takes 3 ranks\n"));
}

TEST_CASE("topo tells about this machine") {
  const TopoOutcome outcome = topo("");
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.text, Catch::StartsWith("source          live\n"));
}

TEST_CASE("topo refuses bad usage in one line") {
  struct Case {
    std::string arguments;
    std::string words;
  };
  const std::vector<Case> cases{
      {"--synthetic pu:2 --xml " + fixture_file("hybrid"), "excludes"},
      {"--xml /nonexistent.xml", "No such file"},
      {"--xml", "--xml"},
      {"--synthetic nonsense", "describes no machine"},
      {"--synthetic pu:2 --pairs every", "Valid: representative, all"},
      {"--synthetic pu:2 --ranks 0", "cannot place 0 ranks"},
      {"--synthetic pu:2 --ranks two", "--ranks"},
      {"--jsn", "did you mean '--json'?"},
      {"pu:2", "pu:2"},
  };
  for (const Case& bad : cases) {
    INFO(bad.arguments);
    const TopoOutcome outcome = topo(bad.arguments + " 2>&1");
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.text, Catch::Contains(bad.words));
    CHECK(std::count(outcome.text.begin(), outcome.text.end(), '\n') == 1);
  }
}

}  // namespace
}  // namespace hockney::apps
