#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "tests/placement/network/described_networks.hpp"
#include "tests/support/temporary_folder.hpp"

// Slurm topologies as sites write them, and as versions of Slurm print them: hosts, sites and pairs
// of each, counted by hand.
namespace hockney::placement {
namespace {

using Pairs = std::map<std::string, std::size_t>;

struct SlurmForm {
  std::string name;
  std::string text;
  std::size_t hosts = 0;
  std::size_t nearest = 0;  ///< sites of the nearest level
  Pairs pairs;
  std::string note = {};  ///< empty: there is none
};

const std::vector<SlurmForm>& slurm_forms() {
  static const std::vector<SlurmForm> forms{
      {"keys in any case, comments behind lines, blanks, CR at line ends",
       "# site\r\nswitchname=tor1 NODES=cn[01-03]   # rack 1\r\n"
       "SWITCHNAME = tor2\tNodes = cn[04-05],cn09 LinkSpeed = 100\r\n"
       "SwitchName=core Switches=tor[1-2]\r\n\r\n",
       6,
       2,
       {{"same-switch", 6}, {"other-switch", 9}}},
      {"a line that goes on, once within a list and once between keys",
       "SwitchName=l1 Nodes=a[1-2],\\\n    a7,\\\na9\nSwitchName=l2 \\\n  Nodes=a[3-4]\n"
       "SwitchName=r Switches=l1,l2\n",
       6,
       2,
       {{"same-switch", 7}, {"other-switch", 8}}},
      {"values in quotes, and a list with blanks",
       "SwitchName=\"l1\" Nodes=\"a[1-2]\"\nSwitchName=l2 Nodes=a3, a4, a5\n",
       5,
       2,
       {{"same-switch", 4}, {"other-switch", 6}}},
      {"names with dots and several brackets",
       "SwitchName=sw1.hall.org Nodes=r[0-1]c[0-1]n[1-2].ib\n"
       "SwitchName=sw2.hall.org Nodes=r2c[0-1]n[1-2].ib,login.ib\n"
       "SwitchName=top.hall.org Switches=sw[1-2].hall.org\n",
       13,
       2,
       {{"same-switch", 38}, {"other-switch", 40}}},
      {"pods of two spines each, printed with levels, below two cores",
       "SwitchName=core0 Level=2 LinkSpeed=1 Nodes=p[1-8] Switches=sp[0-3]\n"
       "SwitchName=core1 Level=2 LinkSpeed=1 Nodes=p[1-8] Switches=sp[0-3]\n"
       "SwitchName=sp0 Level=1 LinkSpeed=1 Nodes=p[1-4] Switches=e[0-1]\n"
       "SwitchName=sp1 Level=1 LinkSpeed=1 Nodes=p[1-4] Switches=e[0-1]\n"
       "SwitchName=sp2 Level=1 LinkSpeed=1 Nodes=p[5-8] Switches=e[2-3]\n"
       "SwitchName=sp3 Level=1 LinkSpeed=1 Nodes=p[5-8] Switches=e[2-3]\n"
       "SwitchName=e0 Level=0 LinkSpeed=1 Nodes=p[1-2]\n"
       "SwitchName=e1 Level=0 LinkSpeed=1 Nodes=p[3-4]\n"
       "SwitchName=e2 Level=0 LinkSpeed=1 Nodes=p[5-6]\n"
       "SwitchName=e3 Level=0 LinkSpeed=1 Nodes=p[7-8]\n",
       8,
       4,
       {{"same-switch", 4}, {"same-group", 8}, {"other-group", 16}}},
      {"a core that one edge switch is not cabled to",
       "SwitchName=c1 Switches=e[1-3]\nSwitchName=c2 Switches=e[1-2]\n"
       "SwitchName=e1 Nodes=x[1-2]\nSwitchName=e2 Nodes=x[3-4]\nSwitchName=e3 Nodes=x[5-6]\n",
       6,
       3,
       {{"same-switch", 3}, {"other-switch", 12}}},
      {"halls without a common root, and a switch beside them",
       "SwitchName=hallA Switches=a[1-2]\nSwitchName=a1 Nodes=n[1-3]\n"
       "SwitchName=a2 Nodes=n[4-6]\nSwitchName=hallB Switches=b[1-2]\n"
       "SwitchName=b1 Nodes=n[7-9]\nSwitchName=b2 Nodes=n[10-12]\nSwitchName=lone Nodes=n[13-15]\n",
       15,
       5,
       {{"same-switch", 15}, {"same-group", 18}, {"other-group", 72}}},
      {"nodes at two leaf switches, as of two rails, of which one node has one down",
       "SwitchName=r0 Nodes=g[1-4]\nSwitchName=r1 Nodes=g[1-3]\n"
       "SwitchName=r2 Nodes=g[5-8]\nSwitchName=r3 Nodes=g[5-8]\n"
       "SwitchName=spine Switches=r[0-3]\n",
       8,
       2,
       {{"same-switch", 12}, {"other-switch", 16}}},
      {"a login node at both leaf switches",
       "SwitchName=l1 Nodes=n[1-4],login\nSwitchName=l2 Nodes=n[5-6],login\n",
       7,
       2,
       {{"same-switch", 11}, {"other-switch", 10}},
       "1 host at more than one switch, counted at one of them: login at l1 of l1, l2"},
      {"switches that wait for nodes, and one above them",
       "SwitchName=cloud1\nSwitchName=cloud2 Nodes=\nSwitchName=clouds Switches=cloud[1-2]\n"
       "SwitchName=l1 Nodes=n[1-2]\nSwitchName=l2 Nodes=n[3-4]\n"
       "SwitchName=root Switches=l[1-2],clouds\n",
       4,
       2,
       {{"same-switch", 2}, {"other-switch", 4}},
       "left out: 3 switches without nodes: cloud1, cloud2, clouds"},
      {"no switches and no nodes, as Slurm 20 prints them",
       "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[0-3] Switches=(null)\n"
       "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[4-7] Switches=(null)\n"
       "SwitchName=s2 Level=1 LinkSpeed=1 Nodes=n[0-7] Switches=s[0-1]\n",
       8,
       2,
       {{"same-switch", 12}, {"other-switch", 16}}},
      {"one bad list, and one line that is none",
       "SwitchName=l1 Nodes=n[1-2],n[9-5]\nend of topology\nSwitchName=l2 Nodes=n[3-4]\n",
       4,
       2,
       {{"same-switch", 2}, {"other-switch", 4}},
       "left out: 3 entries"},
      // 8 blocks of 2; 4 of 4; 2 of 8; 120 pairs in all.
      {"blocks that BlockSizes joins by twos and fours",
       "BlockSizes=2,4,8\nBlockName=k1 Nodes=h[1-2]\nBlockName=k2 Nodes=h[3-4]\n"
       "BlockName=k3 Nodes=h[5-6]\nBlockName=k4 Nodes=h[7-8]\nBlockName=k5 Nodes=h[9-10]\n"
       "BlockName=k6 Nodes=h[11-12]\nBlockName=k7 Nodes=h[13-14]\nBlockName=k8 Nodes=h[15-16]\n",
       16,
       8,
       {{"same-block", 8}, {"same-group", 16}, {"same-level-3", 32}, {"other-level-3", 64}}},
      {"blocks without nodes keep their place among those that are joined",
       "BlockName=k1 Nodes=h[1-2]\nBlockName=k2\nBlockName=k3 Nodes=h[5-6]\n"
       "BlockName=k4 Nodes=h[7-8]\nBlockSizes=2,4\n",
       6,
       3,
       {{"same-block", 3}, {"same-group", 4}, {"other-group", 8}},
       "left out: 1 block without nodes: k2"},
      {"joined blocks of 3, 4 and 5 nodes, printed without BlockSize",
       "BlockName=k0 BlockIndex=0 Nodes=u[0-2]\nBlockName=k1 BlockIndex=1 Nodes=u[3-4]\n"
       "BlockName=k2 BlockIndex=2 Nodes=u[5-6]\nBlockName=k3 BlockIndex=3 Nodes=u[7-8]\n"
       "AggregatedBlock=k[0-1] BlockIndex=4 Nodes=u[0-4]\n"
       "AggregatedBlock=k[2-3] BlockIndex=5 Nodes=u[5-8]\n",
       9,
       4,
       {{"same-block", 6}, {"same-group", 10}, {"other-group", 20}}},
      {"an odd block at the end, which Slurm joins to none",
       "BlockName=k0 BlockIndex=0 Nodes=u[0-1] BlockSize=2\n"
       "BlockName=k1 BlockIndex=1 Nodes=u[2-3] BlockSize=2\n"
       "BlockName=k2 BlockIndex=2 Nodes=u[4-5] BlockSize=2\n"
       "AggregatedBlock=k[0-1] BlockIndex=3 Nodes=u[0-3] BlockSize=4\n",
       6,
       3,
       {{"same-block", 3}, {"same-group", 4}, {"other-group", 8}}},
      {"blocks that are all one larger one",
       "BlockName=k0 BlockIndex=0 Nodes=u[0-17] BlockSize=18\n"
       "BlockName=k1 BlockIndex=1 Nodes=u[18-34] BlockSize=18\n"
       "AggregatedBlock=k[0-1] BlockIndex=2 Nodes=u[0-34] BlockSize=36\n",
       35,
       2,
       {{"same-block", 289}, {"other-block", 306}}},
      {"rings as scontrol prints them",
       "RingName=ra Nodes=q[1-4] RingSize=4\nRingName=rb Nodes=q[5-8] RingSize=4\n"
       "RingName=rc RingSize=0\n",
       8,
       2,
       {{"same-ring", 12}, {"other-ring", 16}},
       "left out: 1 ring without nodes: rc"},
      {"toruses as scontrol prints them",
       "TorusName=pod1 Dims=2x2x1 Nodes=t[1-4]\n  TorusName=pod1 PlacementDims=2x1x1(2) Anchors=2\n"
       "TorusName=pod2 Dims=2x1x1 Nodes=t[5-6]\n",
       6,
       2,
       {{"same-torus", 7}, {"other-torus", 8}}},
      {"topology.yaml, lists not indented, keys in order of the alphabet",
       "- cluster_default: true\n  topology: default\n  tree:\n    switches:\n"
       "    - nodes: n[1-3]\n      switch: leafa\n    - nodes: n[4-6]\n      switch: leafb\n"
       "    - children: leafa,leafb\n      switch: root\n",
       6,
       2,
       {{"same-switch", 6}, {"other-switch", 9}}},
      {"topology.yaml with blocks, sizes in brackets, quotes, comments and tags",
       "%YAML 1.1\n---\n# two racks\n- topology: !!str 'nvl'\n  cluster_default: yes\n  block:\n"
       "    block_sizes: [2, 4]  # nodes\n    blocks:\n      - block: \"k1\"\n"
       "        nodes: \"h[1-2]\"\n      - {block: k2, nodes: h[3-4]}\n      - block: k3\n"
       "        nodes: >-\n          h5,\n          h6\n      - block: k4\n...\n",
       6,
       3,
       {{"same-block", 3}, {"same-group", 4}, {"other-group", 8}},
       "left out: 1 block without nodes: k4"},
      {"topology.yaml of which the second topology is the default",
       "- topology: gpu\n  cluster_default: false\n  block:\n    block_sizes:\n      - 2\n"
       "    blocks:\n      - block: k1\n        nodes: g[1-2]\n"
       "- topology: cpu\n  cluster_default: true\n  tree:\n    switches:\n"
       "      - switch: l1\n        nodes: c[1-3]\n      - switch: l2\n        nodes: c[4-5]\n"
       "- topology: cloud\n  flat: true\n",
       5,
       2,
       {{"same-switch", 4}, {"other-switch", 6}},
       "topology 'cpu' is used; --topology NAME names another: gpu, cloud (flat)"},
      {"topology.yaml with a torus of regions and an unknown key",
       "- topology: t\n  torus3d:\n    toruses:\n      - name: pod\n        dims: {x: 2, y: 2, z: "
       "1}\n"
       "        regions:\n          - anchor: {x: 0, y: 0, z: 0}\n            nodes: n[1-2]\n"
       "          - nodes: n[3-4]\n      - name: pod2\n        nodes: n5\n        colour: red\n",
       5,
       2,
       {{"same-torus", 6}, {"other-torus", 4}},
       "unknown key 'colour'"},
      {"addresses with several switches of a level",
       "n1 s[4-5].s0.n1 switch.switch.node\nn2 s[4-5].s0.n2 switch.switch.node\n"
       "n3 s[4-5].s1.n3 switch.switch.node\nn4 s[6-7].s2.n4 switch.switch.node\n",
       4,
       3,
       {{"same-switch", 1}, {"same-group", 2}, {"other-group", 3}}},
      {"addresses of a switch without one above it",
       "n1 hall.a.n1 switch.switch.node\nn2 hall.a.n2 switch.switch.node\n"
       "n3 hall.b.n3 switch.switch.node\nn4 .lone.n4 switch.switch.node\n",
       4,
       3,
       {{"same-switch", 1}, {"same-group", 2}, {"other-group", 3}}},
      {"addresses of switches with a domain",
       "n1.x.org top.x.org.l1.x.org.n1 switch.switch.node\n"
       "n2.x.org top.x.org.l1.x.org.n2 switch.switch.node\n"
       "n3.x.org top.x.org.l2.x.org.n3 switch.switch.node\n",
       3,
       2,
       {{"same-switch", 1}, {"other-switch", 2}}},
      {"addresses of switches with numbers behind dots",
       "n1 switch.3.1.switch.2.1.switch.1.1.n1 switch.switch.switch.node\n"
       "n2 switch.3.1.switch.2.1.switch.1.1.n2 switch.switch.switch.node\n"
       "n3 switch.3.1.switch.2.1.switch.1.2.n3 switch.switch.switch.node\n"
       "n4.x.org core.leaf.2.2.switch.1.3.n4 switch.switch.switch.node\n"
       "n5 a.b.c.d.e.n5 switch.switch.switch.node\n",
       4,
       3,
       {{"same-switch", 1}, {"same-group", 2}, {"other-group", 3}},
       "left out: 1 line without the place of a node"},
      {"addresses with the labels of srun -l",
       "0: n1 s0.n1 switch.node\n1: n2 s0.n2 switch.node\n2: n3 s1.n3 switch.node\n",
       3,
       2,
       {{"same-switch", 1}, {"other-switch", 2}}},
      {"lists that Slurm alone can expand",
       "SwitchName=all Nodes=ALL\nSwitchName=s0 Nodes=n[1-2]\nSwitchName=s1 Nodes=n3,{rack1}\n",
       3,
       2,
       {{"same-switch", 1}, {"other-switch", 2}},
       "left out: 2 names hockney cannot expand"},
      {"addresses in rings, and a node in none",
       "q1 ra:0.q1 ring:position.node\nq2 ra:1.q2 ring:position.node\n"
       "q3 rb:0.q3 ring:position.node\nlogin login node\n",
       3,
       2,
       {{"same-ring", 1}, {"other-ring", 2}},
       "left out: 1 line without the place of a node"},
  };
  return forms;
}

}  // namespace

TEST_CASE("forms of Slurm's topologies are read as Slurm reads them") {
  const TemporaryFolder folder;
  for (const SlurmForm& form : slurm_forms()) {
    INFO(form.name);
    const FoundNetwork network = read_network(folder.write("topology", form.text));
    INFO(join(network.notes, "\n"));
    CHECK(network.sites.hosts.size() == form.hosts);
    CHECK(sites_of_levels(network.sites).at(0) == form.nearest);
    CHECK(pairs_by_class(network.sites) == form.pairs);
    CHECK(network.notes.empty() == form.note.empty());
    CHECK_THAT(join(network.notes, "\n"), Catch::Contains(form.note));
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
