#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

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
  Arguments command = with({built("hockney"), "topo", "--network"}, more);
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
    return run_command(
        with({"sh", "-c", "PATH=" + folder_.path() + ":$PATH SLURM_JOB_ID=7 exec \"$@\"", "sh",
              built("hockney")},
             hockney));
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
    Arguments command = with({"run", "quick", "--dry-run", "--out", out}, more);
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
  check_refusal({built("hockney"), "topo"},
                {.arguments = {"--network", wrong}, .words = "t.conf:1: unknown key 'Nod'"});
  check_refusal({built("hockney"), "run", "quick", "--dry-run"},
                {.arguments = {"--sites", wrong}, .words = "t.conf:1: unknown key"});
}

TEST_CASE("topo tells about this machine") {
  const CommandResult result = run_command({built("hockney"), "topo"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::StartsWith("source      live\n"));
}

}  // namespace hockney::driver
