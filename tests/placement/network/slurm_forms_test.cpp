#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "placement/network/slurm_topology.hpp"
#include "tests/placement/network/described_networks.hpp"
#include "tests/support/error_line.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_forms.hpp"

// Slurm topologies as sites write them, and as versions of Slurm print them: hosts, sites and pairs
// of each, counted by hand.
namespace hockney::placement {
namespace {

using Pairs = std::map<std::string, std::size_t>;

/// "4 hosts, 2 nearest sites, same-switch 2 ...": hosts, sites of the nearest level, and pairs.
std::string counts_of(const SiteFile& sites) {
  std::string counts = std::to_string(sites.hosts.size()) + " hosts, " +
                       std::to_string(sites_of_levels(sites).at(0)) + " nearest sites";
  for (const auto& [hop, pairs] : pairs_by_class(sites)) {
    counts += ", " + hop + " " + std::to_string(pairs);
  }
  return counts;
}

}  // namespace

TEST_CASE("forms of Slurm's topologies are read as Slurm reads them") {
  const TemporaryFolder folder;
  const std::vector<TextForm> forms = text_forms("network/slurm-forms.txt");
  CHECK(forms.size() >= 30);
  for (const TextForm& form : forms) {
    INFO(form.name);
    const FoundNetwork network = read_network(folder.write("topology", form.text));
    const std::string notes = join(network.notes, "\n");
    INFO(notes);
    CHECK(counts_of(network.sites) == form.expected.at(0));
    CHECK(notes.empty() == (form.expected.size() == 1));
    CHECK_THAT(notes, Catch::Contains(form.expected.size() > 1 ? form.expected[1] : ""));
  }
}

TEST_CASE("one topology of topology.yaml is chosen by its name") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "topology.yaml",
      "- topology: a\n  cluster_default: true\n  flat:\n    alpha_step_rank: true\n"
      "- topology: b\n  ring:\n    rings:\n      - ring: r\n        nodes: n[1-4]\n"
      "- topology: c\n  tree:\n    switches:\n      - switch: s\n        nodes: n[1-2]\n");
  // The default has no switches: the first that has any.
  CHECK(pairs_by_class(read_network(file).sites) == Pairs{{"same-ring", 6}});
  CHECK(pairs_by_class(read_network(file, {.topology = "c"}).sites) == Pairs{{"same-switch", 1}});
  CHECK_THROWS_WITH(read_network(file, {.topology = "d"}),
                    Catch::Contains("no topology 'd' (it has a, b, c)"));
  CHECK_THROWS_WITH(read_network(file, {.topology = "a"}), Catch::Contains("no nodes"));
}

TEST_CASE("what is no YAML, an alias and too many levels are refused with their line") {
  const auto error = [](const std::string& text) {
    return input_error_of([&] { read_slurm_yaml({text, "f"}); });
  };
  CHECK(error("a: 1\n\tb: 2\n").starts_with("f:2: cannot be read ("));
  CHECK(error("- &x 1\n- *x\n").starts_with("f:2: cannot be read (an alias)"));
  CHECK(error("- [" + std::string(100'000, '[')).starts_with("f:1: cannot be read (too many"));
  CHECK(error(std::string("a: \0b", 5)).starts_with("f:1: cannot be read ("));
  CHECK(error("").starts_with("f: no nodes"));
}

TEST_CASE("included files are read, and a missing one is named") {
  const TemporaryFolder folder;
  folder.write("racks.conf", "SwitchName=l2 Nodes=n[3-4]\nInclude racks.conf\n");
  const FoundNetwork network = read_network(folder.write(
      "topology.conf", "include racks.conf\nInclude gone.conf\nSwitchName=l1 Nodes=n[1-2]\n"));
  CHECK(pairs_by_class(network.sites) == Pairs{{"same-switch", 2}, {"other-switch", 4}});
  CHECK_THAT(join(network.notes, "\n"),
             Catch::Contains("gone.conf") && Catch::Contains("racks.conf:2"));
}

}  // namespace hockney::placement
