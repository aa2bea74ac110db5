#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "core/atomic_file.hpp"
#include "core/site_file.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/temporary_folder.hpp"

// Networks as users name them: hockney topo --network, and what hockney run makes of them.
namespace hockney::driver {
namespace {

std::string network_file(const std::string& name) {
  return HOCKNEY_SOURCE_DIR "/tests/fixtures/network/" + name;
}

CommandResult topo_network(const Arguments& more) {
  Arguments command{built("hockney"), "topo", "--network"};
  command.insert(command.end(), more.begin(), more.end());
  CommandResult result = run_command(command);
  INFO(result.err);
  CHECK(result.exit_code == 0);
  return result;
}

/// A machine in a job of Slurm, whose scontrol prints that file.
class FakeSlurm {
 public:
  explicit FakeSlurm(const std::string& topology) {
    const std::string script = folder_.write("scontrol", "#!/bin/sh\n" + topology + "\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  }

  [[nodiscard]] CommandResult run(const Arguments& hockney) const {
    Arguments command{"sh", "-c", "PATH=" + folder_.path() + ":$PATH SLURM_JOB_ID=7 exec \"$@\"",
                      "sh", built("hockney")};
    command.insert(command.end(), hockney.begin(), hockney.end());
    return run_command(command);
  }
  [[nodiscard]] const std::string& folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a described network is shown, and kept as a site file") {
  const TemporaryFolder folder;
  const std::string kept = folder.path() + "/sites.json";
  const std::string said = topo_network({network_file("tree-three-levels.conf"), "-o", kept}).out;
  CHECK_THAT(said, Catch::Contains("32 hosts at 4 switches in 2 groups"));
  CHECK_THAT(said, Catch::Contains("other-group  256"));
  CHECK(network_hop(load_sites(kept), "n07", "n08") == "same-group");
  // What was kept says the same again.
  const auto document = nlohmann::json::parse(topo_network({kept, "--json"}).out);
  CHECK(document.at("schema") == "hockney.network/1");
  CHECK(document.at("sites").at("origin").at("source") == "slurm-topology");
  CHECK(document.at("classes").size() == 3);
  CHECK(document.at("classes")[1] ==
        nlohmann::json{{"hop", "same-group"}, {"pairs", 128}, {"example", {"n00", "n08"}}});
  CHECK(document.at("guess").is_null());
  CHECK_THAT(topo_network({network_file("lldp"), "--all"}).out, Catch::Contains("c4    tor2"));
  CHECK(topo_network({network_file("lldp"), "-q"}).out ==
        "4 hosts at 2 switches, pairs: same-switch 2, other-switch 4\n");
}

TEST_CASE("what was left out of a network is on every screen of it") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("t.conf", "SwitchName=a Nodes=n[1-2]\nSwitchName=b\nSwitchName=c Nodes=n3\n");
  const std::string note = "left out: 1 switch without nodes: b";
  CHECK_THAT(topo_network({file}).out,
             Catch::Contains("3 hosts at 2 switches") && Catch::Contains("reliability  " + note));
  CHECK_THAT(topo_network({file, "--all"}).out, Catch::Contains("\n\n" + note));
  const auto document = nlohmann::json::parse(topo_network({file, "--json"}).out);
  CHECK(document.at("notes") == nlohmann::json{note});
  const CommandResult dry =
      run_command({built("hockney"), "run", "quick", "--dry-run", "--sites", file});
  CHECK_THAT(dry.err, Catch::Contains("network: " + note));
}

TEST_CASE("options choose a topology or an interface of a description and name its hosts") {
  const TemporaryFolder folder;
  const auto answer = [](const Arguments& more) { return topo_network(more).out; };
  CHECK_THAT(answer({network_file("topology.yaml")}),
             Catch::Contains("5 hosts at 2 switches") && Catch::Contains("another: gpu, cloud"));
  const std::string gpu = answer({network_file("topology.yaml"), "--topology", "gpu"});
  CHECK_THAT(gpu, Catch::Contains("4 hosts at 2 blocks") && Catch::Contains("--topology gpu -o"));
  CHECK_THAT(answer({network_file("lldp"), "--interface", "eth0"}), Catch::Contains("4 hosts"));
  const std::string guids = folder.write("guids", "h0: 0x100000\nh1: 0x100010\n");
  CHECK_THAT(
      answer({network_file("ib-line-of-three.txt"), "--guids", guids}),
      Catch::Contains("2 hosts at 2 switches") && Catch::Contains("1 adapter naming no host"));
  check_refusals({built("hockney"), "topo"},
                 {{.arguments = {"--network", network_file("lldp"), "--interface", "ib0"},
                   .words = "LLDP of switches arrives on eth0"},
                  {.arguments = {"--network", network_file("topology.yaml"), "--topology", "x"},
                   .words = "it has cpu, gpu, cloud"},
                  {.arguments = {"--interface", "eth0"}, .words = "--network"}});
}

TEST_CASE("in a job of Slurm scontrol tells, and other sources are said not to be used") {
  const FakeSlurm slurm("cat " + network_file("tree-two-leaves.txt"));
  const CommandResult reported = slurm.run({"topo", "--network"});
  INFO(reported.err);
  CHECK(reported.exit_code == 0);
  CHECK_THAT(reported.out, Catch::Contains("4 hosts at 2 switches, from scontrol show topology"));
  CHECK_THAT(reported.out, Catch::Contains("not used: slurm-address"));
  const FakeSlurm broken("echo 'slurm_load_topo error' >&2; exit 1");
  CHECK_THAT(broken.run({"topo", "--network"}).out,
             Catch::Contains("slurm-topology (scontrol is not here, or fails)"));
}

TEST_CASE("campaigns tell their launches where hosts are") {
  const FakeSlurm slurm("cat " + network_file("tree-two-leaves.txt"));
  const std::string out = slurm.folder() + "/out";
  const auto dry = [&](const Arguments& more) {
    Arguments command{"run", "quick", "--dry-run", "--out", out};
    command.insert(command.end(), more.begin(), more.end());
    CommandResult result = slurm.run(command);
    INFO(result.err);
    CHECK(result.exit_code == 0);
    return result.out;
  };
  CHECK_THAT(dry({}), Catch::Contains("--sites " + out + "/network.json"));
  CHECK_THAT(dry({"--sites", network_file("blocks.conf")}), Catch::Contains("/network.json"));
  CHECK_THAT(dry({"--sites", "none"}), !Catch::Contains("--sites"));
  CHECK_THAT(dry({"--", "--sites", "own.json"}), !Catch::Contains("network.json"));
  CHECK_FALSE(std::filesystem::exists(out));
}

TEST_CASE("networks that cannot be read are refused with their line") {
  const TemporaryFolder folder;
  const std::string wrong = folder.write("t.conf", "SwitchName=a Nod=n1\nSwitchNam=b\n");
  const Arguments topo{built("hockney"), "topo"};
  check_refusals(topo, {{.arguments = {"--network", wrong}, .words = "t.conf:1: unknown key 'Nod'"},
                        {.arguments = {"--network", "/nowhere"}, .words = "cannot read '/nowhere'"},
                        {.arguments = {"--network", folder.path()}, .words = "no record"},
                        {.arguments = {"-o", "x"}, .words = "--network"},
                        {.arguments = {"--network", "lldp", "-o", folder.path() + "/x"},
                         .words = "no site file can be written"},
                        {.arguments = {"--network", network_file("blocks.conf"), "-o", "/dev/full"},
                         .words = "/dev/full",
                         .exit_code = run_failed}});
  check_refusal({built("hockney"), "run", "quick", "--dry-run"},
                {.arguments = {"--sites", wrong}, .words = "t.conf:1: unknown key"});
}

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
  CHECK_THAT(outcome.text, Catch::Contains("on cpus     2,4\n"));
  CHECK_THAT(outcome.text, Catch::Contains("not shown   cross-package, takes 3 ranks\n"));
}

TEST_CASE("topo tells about this machine") {
  const TopoOutcome outcome = topo("");
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.text, Catch::StartsWith("source      live\n"));
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
}  // namespace hockney::driver
