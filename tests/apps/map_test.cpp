// hockney map: the files for launchers, and what it refuses.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "models/applications/scotch_mapping.hpp"
#include "tests/apps/bad_input.hpp"
#include "tests/support/synthetic_program.hpp"

namespace hockney::apps {
namespace {

/// Ranks 0 and 2 exchange a lot, 1 and 3 too, on nodes of two.
std::string crossed_pairs(const TemporaryFolder& folder) {
  SyntheticProgram program(4, 2);
  program.send(0, 2, 4096, 10).send(2, 0, 4096, 10).send(1, 3, 4096, 10).send(3, 1, 4096, 10);
  return folder.write("profile.json", nlohmann::json(program.profile()).dump());
}

}  // namespace

TEST_CASE("ranks that exchange a lot go to one node, as launchers are told") {
  const TemporaryFolder folder;
  const std::string profile = crossed_pairs(folder);
  const std::string out = folder.path() + "/ranks";
  const auto written = [&](const std::string& format) {
    Arguments command{built("hockney"), "map", profile, "-o", out};
    if (!format.empty()) command.insert(command.end(), {"--format", format});
    const CommandResult result = run_command(command);
    INFO(result.err);
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.out, Catch::Contains("as it was: 81920 B over 2 pairs"));
    return read_file(out);
  };
  CHECK(written("") ==
        "rank 0=node0 slot=0\nrank 1=node1 slot=0\nrank 2=node0 slot=1\nrank 3=node1 slot=1\n");
  CHECK(written("rankfile") == written(""));
  CHECK(written("hosts") == "node0\nnode1\nnode0\nnode1\n");
  CHECK(written("rank-order") == "0,2,1,3\n");

  const CommandResult told = run_command({built("hockney"), "map", profile, "--json"});
  const auto document = nlohmann::json::parse(told.out);
  CHECK(document.at("change") == true);
  CHECK(document.at("cut_bytes") == 0);
  CHECK(document.at("placement") == nlohmann::json{0, 1, 0, 1});
  CHECK(document.at("now").at("cut_bytes") == 81920);
}

TEST_CASE("hockney map refuses what it cannot do") {
  const TemporaryFolder folder;
  const Arguments command{built("hockney"), "map", crossed_pairs(folder)};
  check_refusal(command, {.arguments = {"--format", "hosts"}, .words = "--format without -o"});
  check_refusal(command, {.arguments = {"--format", "rankfil", "-o", folder.path() + "/x"},
                          .words = "did you mean 'rankfile'?"});
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/x"));
  check_refusal({built("hockney"), "map"}, {.arguments = {"/nowhere"}, .words = "/nowhere"});
  const CommandResult asked = run_command({built("hockney"), "map", command.back(), "--scotch"});
  if (applications::has_scotch()) {
    CHECK(asked.exit_code == 0);
    CHECK_THAT(asked.out, Catch::Contains("Scotch: 0 B over 0 pairs"));
  } else {
    check_refusal(command, {.arguments = {"--scotch"}, .words = "built without it"});
  }
  check_refusal(command, {.arguments = {"-o", "/dev/full"}, .words = "/dev/full", .exit_code = 3});
}

}  // namespace hockney::apps
