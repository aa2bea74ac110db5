#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/synthetic_program.hpp"

// hockney map: the files for launchers, and what it refuses.
namespace hockney::driver {
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

  const CommandResult reported = run_command({built("hockney"), "map", profile, "--json"});
  const auto document = nlohmann::json::parse(reported.out);
  CHECK(document.at("change") == true);
  CHECK(document.at("cut_bytes") == 0);
  CHECK(document.at("placement") == nlohmann::json{0, 1, 0, 1});
  CHECK(document.at("now").at("cut_bytes") == 81920);
}

TEST_CASE("the page has the command with all its options") {
  const TemporaryFolder folder;
  const std::string page = folder.path() + "/page.html";
  const CommandResult result = run_command(
      {built("hockney"), "map", "--grid", "4x4", "--hosts", "n[1-2]", "--order", "tiles", "--tiles",
       "2x4", "--cpus", "scatter", "--machine", "pack:2 core:8 pu:1", "--json", "--page", page});
  INFO(result.err);
  CHECK(result.exit_code == 0);
  CHECK_THAT(read_file(page),
             Catch::Contains(
                 "hockney map --grid 4x4 --hosts &#39;n[1-2]&#39; --order tiles --tiles "
                 "2x4 --cpus scatter --machine &#39;pack:2 core:8 pu:1&#39; --page page.html"));
}

TEST_CASE("ranks of a grid get an order without a profile") {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/ranks";
  const auto map = [&](const Arguments& more) {
    Arguments command = with({built("hockney"), "map"}, more);
    CommandResult result = run_command(command);
    INFO(result.err);
    CHECK(result.exit_code == 0);
    return result;
  };
  // Ranks in order cut 248 edges (tests/components/application/analysis); tiles of 6 x 4 cut 3 x 16
  // + 3 x 24.
  const std::string said =
      map({"--grid", "24x16", "--nodes", "16", "--tiles", "6x4", "--bytes", "1K"}).out;
  CHECK_THAT(said, Catch::Contains("tiles of 6 x 4: 122880 B over 120 pairs"));
  CHECK_THAT(said, Catch::Contains("ranks in order: 253952 B over 248 pairs"));
  CHECK_THAT(said, Catch::Contains("no mapping does better"));
  CHECK_THAT(map({"--grid", "2", "--nodes", "2"}).out, Catch::Contains("at least 8 B\n"));
  CHECK_THAT(said, Catch::Contains("496 messages, 507904 B before; 240 messages, 245760 B after"));
  const Arguments square{"--grid", "4x4", "--hosts", "n[1-4]", "-o", out};
  const auto written = [&](Arguments more) {
    more.insert(more.begin(), square.begin(), square.end());
    map(more);
    return read_file(out);
  };
  CHECK(written({"--tiles", "2x2", "--format", "rank-order"}) ==
        "0,1,4,5,2,3,6,7,8,9,12,13,10,11,14,15\n");
  CHECK(written({"--order", "scatter", "--format", "hosts"}).starts_with("n1\nn2\nn3\nn4\nn1\n"));
  CHECK(written({"--order", "compact", "--format", "hosts"}).starts_with("n1\nn1\nn1\nn1\nn2\n"));
  const Arguments numa{"--order", "compact",   "--cpus",
                       "numa",    "--machine", "pack:2 numa:2 core:4 pu:2"};
  const auto with_format = [&](const std::string& format) {
    Arguments arguments = numa;
    arguments.insert(arguments.end(), {"--format", format});
    return arguments;
  };
  CHECK(written(with_format("rankfile"))
            .starts_with("rank 0=n1 slot=0\nrank 1=n1 slot=4\nrank 2=n1 slot=8\nrank 3=n1 "
                         "slot=12\nrank 4=n2 slot=0\n"));
  CHECK(written(with_format("intel")) ==
        "export I_MPI_PIN=1\nexport I_MPI_PIN_PROCESSOR_LIST=0,8,16,24\n");
}

TEST_CASE("hosts of a grid are those of a file, with a line for each rank or each host") {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/hosts";
  const auto mapped = [&](const std::string& lines, const std::string& grid, bool is_job) {
    const std::string file = folder.write("nodes", lines);
    Arguments command{built("hockney"), "map", "--grid", grid, "--order", "compact"};
    command.insert(command.end(), {"-o", out, "--format", "hosts"});
    if (is_job) command.insert(command.begin(), {"/usr/bin/env", "PBS_NODEFILE=" + file});
    if (!is_job) command.insert(command.end(), {"--hosts", file});
    const CommandResult result = run_command(command);
    return result.exit_code == 0 ? read_file(out) : result.err;
  };
  CHECK(mapped("n1.site\nn1.site\nn2.site\nn2.site\n", "2x2", true) ==
        "n1.site\nn1.site\nn2.site\nn2.site\n");
  CHECK(mapped("n1\r\nn2\r\nn1\r\n", "3", false) == "n1\nn1\nn2\n");
  CHECK(mapped("# two\nn1 slots=3\nn2\n", "2x2", false) == "n1\nn1\nn1\nn2\n");
  CHECK(mapped("n1:1\nn2:1\n", "2x2", false) == "n1\nn1\nn2\nn2\n");
  CHECK_THAT(mapped("n1\nn1\nn2\n", "2x2", false),
             Catch::StartsWith("4 ranks of the grid (the hosts are for 3"));
  CHECK_THAT(mapped("# none\n", "2x2", false), Catch::Contains("names no hosts"));
}

TEST_CASE("hockney map refuses grids and nodes that do not go together") {
  const TemporaryFolder folder;
  const Arguments command{built("hockney"), "map", "--grid", "6x4"};
  const auto refused = [&](const Arguments& more, const std::string& words) {
    check_refusal(command, {.arguments = more, .words = words});
  };
  refused({}, "--grid without --nodes");
  refused({"--nodes", "5"}, "24 ranks on 5 nodes");
  refused({"--nodes", "4", "--tiles", "5x2"}, "they do not divide");
  refused({"--nodes", "4", "--tiles", "3x4"}, "has 2 of them");
  refused({"--nodes", "4", "--points", "7"}, "--points 7 of a grid with 2 dimensions");
  refused({"--nodes", "4", "--order", "compct"}, "did you mean 'compact'?");
  refused({"--nodes", "4", "--order", "tiles"}, "--order tiles without --tiles");
  refused({"--nodes", "4", "--hosts", "a"}, "both --nodes and --hosts");
  refused({"--hosts", "a[0-"}, "a bracket has no partner");
  refused({"--nodes", "4", "--cpus", "l3", "--machine", "pack:2 l3:1 core:2 pu:1"},
          "the machine has 2 places");
  refused({"--nodes", "4", "-o", folder.path() + "/x", "--format", "intel"}, "add --cpus");
  check_refusal(
      {built("hockney"), "map", crossed_pairs(folder)},
      {.arguments = {"--grid", "2x2", "--nodes", "2"}, .words = "both a profile and --grid"});
}

TEST_CASE("hockney map refuses what it cannot do") {
  const TemporaryFolder folder;
  const Arguments command{built("hockney"), "map", crossed_pairs(folder)};
  check_refusal(command, {.arguments = {"--format", "hosts"}, .words = "--format without -o"});
  check_refusal(command, {.arguments = {"--format", "rankfil", "-o", folder.path() + "/x"},
                          .words = "did you mean 'rankfile'?"});
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/x"));
  check_refusal(command, {.arguments = {"--scotch"}, .words = "unknown option '--scotch'"});
  check_refusal(command, {.arguments = {"-o", "/dev/full"}, .words = "/dev/full", .exit_code = 3});
}

}  // namespace hockney::driver
