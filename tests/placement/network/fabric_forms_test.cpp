#include <catch2/catch.hpp>
#include <iomanip>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "tests/placement/network/described_networks.hpp"
#include "tests/support/temporary_folder.hpp"

// InfiniBand fabrics as versions of ibnetdiscover print them, and what hosts hear by LLDP: hosts
// and pairs of each, counted by hand.
namespace hockney::placement {
namespace {

using Pairs = std::map<std::string, std::size_t>;

/// An adapter with its links; numbers stand for GUIDs.
struct PlayedAdapter {
  int guid = 0;
  int system = 0;
  std::string description;
  std::vector<int> switches;
};

struct PlayedSwitch {
  int guid = 0;
  std::string description;
  std::vector<int> above;
  int ports = 36;
};

/// What differs between versions and options of ibnetdiscover.
enum class Print {
  old_form,  ///< OFED 1.4: "base port 0", DDR
  new_form,  ///< rdma-core, "enhanced port 0", NDR
  grouped    ///< rdma-core with -g and -f
};

std::string hex(int guid) {
  std::ostringstream out;
  out << std::hex << std::setw(16) << std::setfill('0') << guid;
  return out.str();
}

class PlayedFabric {
 public:
  PlayedFabric(std::vector<PlayedSwitch> switches, std::vector<PlayedAdapter> adapters)
      : switches_(std::move(switches)), adapters_(std::move(adapters)) {}

  [[nodiscard]] std::string text(Print print) const {
    std::ostringstream out;
    out << "#\n# Topology file: generated on Tue Mar  3 10:00:00 2020\n#\n";
    if (print != Print::old_form) out << "# Initiated from node 00000000000000ff port 1\n";
    if (print == Print::grouped) out << "\nChassis 1 (guid 0x5)\n\n# Spine Nodes\n";
    for (const PlayedSwitch& one : switches_) write(out, one, print);
    if (print == Print::grouped) out << "\nNon-Chassis Nodes\n";
    for (const PlayedAdapter& one : adapters_) write(out, one, print);
    return out.str();
  }

 private:
  static std::string speed(Print print) {
    if (print == Print::old_form) return " 4xDDR\n";
    return print == Print::new_form ? " 4xNDR\n" : " 4xEDR s=4 w=2 v=4\n";
  }

  [[nodiscard]] std::string name_of(int guid) const {
    for (const PlayedSwitch& one : switches_) {
      if (one.guid == guid) return one.description;
    }
    return "";
  }

  void write(std::ostream& out, const PlayedSwitch& one, Print print) const {
    out << "\nvendid=0x2c9\ndevid=0xcf08\nsysimgguid=0x" << std::hex << one.guid
        << (print == Print::grouped ? "\t\t# Chassis 1" : "") << "\nswitchguid=0x" << one.guid
        << "(" << one.guid << ")" << (print == Print::grouped ? "\t# Spine 1" : "") << std::dec
        << "\nSwitch\t" << one.ports << " \"S-" << hex(one.guid) << "\"\t\t# \"" << one.description
        << "\" " << (print == Print::old_form ? "base" : "enhanced") << " port 0 lid 1 lmc 0\n";
    int port = 0;
    for (const PlayedAdapter& adapter : adapters_) {
      for (const int beside : adapter.switches) {
        if (beside != one.guid) continue;
        out << "[" << ++port << "]" << (print == Print::grouped ? "[ext 3]" : "") << "\t\"H-"
            << hex(adapter.guid) << "\"[1](" << std::hex << adapter.guid + 1 << std::dec
            << ") \t\t# \"" << adapter.description << "\" lid 7" << speed(print);
      }
    }
    for (const int upper : one.above) {
      out << "[" << ++port << "]\t\"S-" << hex(upper) << "\"[1]\t\t# \"" << name_of(upper)
          << "\" lid 2" << speed(print);
    }
  }

  void write(std::ostream& out, const PlayedAdapter& one, Print print) const {
    out << "\nvendid=0x2c9\ndevid=0x1017\nsysimgguid=0x" << std::hex << one.system << "\ncaguid=0x"
        << one.guid << std::dec << "\nCa\t" << one.switches.size() << " \"H-" << hex(one.guid)
        << "\"\t\t# \"" << one.description << "\"\n";
    int port = 0;
    for (const int beside : one.switches) {
      ++port;
      out << "[" << port << "](" << std::hex << one.guid + port << std::dec << ") \t\"S-"
          << hex(beside) << "\"[1]\t\t# lid 7 lmc 0 \"" << name_of(beside) << "\" lid 1"
          << speed(print);
    }
  }

  std::vector<PlayedSwitch> switches_;
  std::vector<PlayedAdapter> adapters_;
};

/// Two leaf switches below a spine.
std::vector<PlayedSwitch> two_leaves() {
  return {{0xa1, "MF0;lf1:MQM8700/U1", {0xb1}},
          {0xa2, "MF0;lf2:MQM8700/U1", {0xb1}},
          {0xb1, "MF0;sp1:MQM8700/U1", {}}};
}

struct FabricForm {
  std::string name;
  PlayedFabric fabric;
  std::size_t hosts = 0;
  Pairs pairs;
  std::string note = {};  ///< empty: there is none
};

std::vector<FabricForm> fabric_forms() {
  return {
      {"a host at each port",
       {two_leaves(),
        {{0x10, 0x10, "cn1 HCA-1", {0xa1}},
         {0x20, 0x20, "cn2 HCA-1", {0xa1}},
         {0x30, 0x30, "cn3 HCA-1", {0xa2}},
         {0x40, 0x40, "Mellanox Technologies Aggregation Node", {0xa2}}}},
       3,
       {{"same-switch", 1}, {"2-hops", 2}}},
      {"default names, empty ones and devices alone are no hosts",
       {two_leaves(),
        {{0x10, 0x10, "cn1 mlx5_0", {0xa1}},
         {0x20, 0x20, "cn2 mlx5_0", {0xa2}},
         {0x30, 0x30, "MT4123 ConnectX6   Mellanox Technologies", {0xa1}},
         {0x40, 0x40, "MT41692 BlueField3   NVIDIA", {0xa1}},
         {0x50, 0x50, "", {0xa2}},
         {0x60, 0x60, "localhost.localdomain mlx5_0", {0xa2}},
         {0x70, 0x70, "(none) mlx5_0", {0xa1}},
         {0x80, 0x80, "mlx5_0", {0xa2}}}},
       2,
       {{"2-hops", 1}},
       "left out: 6 adapters naming no host"},
      {"an adapter without a name beside one with a name, of one system",
       {two_leaves(),
        {{0x10, 0x10, "cn1 mlx5_0", {0xa1}},
         {0x11, 0x10, "MT4115 ConnectX4   Mellanox Technologies", {0xa2}},
         {0x20, 0x20, "cn2 mlx5_0", {0xa1}},
         {0x21, 0x20, "cn2 mlx5_1", {0xa2}}}},
       2,
       {{"same-switch", 1}}},
      {"one name and device on two machines at one switch, and one at another",
       {two_leaves(),
        {{0x10, 0x10, "ubuntu mlx5_0", {0xa1}},
         {0x20, 0x20, "ubuntu mlx5_0", {0xa1}},
         {0x30, 0x30, "ubuntu mlx5_0", {0xa2}},
         {0x40, 0x40, "cn4 mlx5_0", {0xa1}},
         {0x50, 0x50, "cn5 mlx5_0", {0xa2}}}},
       2,
       {{"2-hops", 1}},
       "left out: 3 adapters whose name several machines have"},
      {"one name without a device on machines at two switches",
       {two_leaves(),
        {{0x10, 0x10, "node", {0xa1}},
         {0x20, 0x20, "node", {0xa2}},
         {0x30, 0x30, "cn3", {0xa1}},
         {0x40, 0x40, "cn4", {0xa2}}}},
       2,
       {{"2-hops", 1}},
       "left out: 2 adapters whose name several machines have"},
      {"cards of a host with system GUIDs of their own on two rails, one rail down",
       {{{0xa1, "r1", {0xb1}},
         {0xa2, "r2", {0xb1}},
         {0xa3, "r3", {0xb1}},
         {0xa4, "r4", {0xb1}},
         {0xb1, "sp", {}}},
        {{0x10, 0x10, "g1 mlx5_0", {0xa1}},
         {0x11, 0x11, "g1 mlx5_1", {0xa2}},
         {0x20, 0x20, "g2 mlx5_0", {0xa1}},
         {0x21, 0x21, "g2 mlx5_1", {}},
         {0x30, 0x30, "g3 mlx5_0", {0xa3}},
         {0x31, 0x31, "g3 mlx5_1", {0xa4}},
         {0x40, 0x40, "g4 mlx5_0", {}},
         {0x41, 0x41, "g4 mlx5_1", {0xa4}}}},
       4,
       {{"same-switch", 2}, {"2-hops", 4}},
       "2 hosts with cards of several system GUIDs at several switches, one host by name: g1, g3"},
      {"two ports of a card at two switches",
       {{{0xa1, "p1", {}}, {0xa2, "p2", {}}},
        {{0x10, 0x10, "n1 HCA-1", {0xa1, 0xa2}}, {0x20, 0x20, "n2 HCA-1", {0xa2, 0xa1}}}},
       2,
       {{"same-switch", 1}}},
      {"a login host at both leaf switches",
       {two_leaves(),
        {{0x10, 0x10, "cn1 mlx5_0", {0xa1}},
         {0x20, 0x20, "cn2 mlx5_0", {0xa1}},
         {0x30, 0x30, "cn3 mlx5_0", {0xa2}},
         {0x40, 0x40, "cn4 mlx5_0", {0xa2}},
         {0x50, 0x50, "login mlx5_0", {0xa1, 0xa2}}}},
       5,
       {{"same-switch", 4}, {"2-hops", 6}},
       "1 host at more than one switch, counted at one of them: login at lf1"},
      {"a storage switch of all hosts, beside leaves of unequal size",
       {{{0xa1, "lf1", {0xb1}}, {0xa2, "lf2", {0xb1}}, {0xa3, "st", {0xb1}}, {0xb1, "sp", {}}},
        {{0x10, 0x10, "cn1 mlx5_0", {0xa1}},
         {0x11, 0x11, "cn1 mlx5_1", {0xa3}},
         {0x20, 0x20, "cn2 mlx5_0", {0xa1}},
         {0x21, 0x21, "cn2 mlx5_1", {0xa3}},
         {0x30, 0x30, "cn3 mlx5_0", {0xa1}},
         {0x31, 0x31, "cn3 mlx5_1", {0xa3}},
         {0x40, 0x40, "cn4 mlx5_0", {0xa2}},
         {0x41, 0x41, "cn4 mlx5_1", {0xa3}},
         {0x50, 0x50, "oss1 mlx5_0", {0xa3}}}},
       5,
       {{"same-switch", 3}, {"2-hops", 7}},
       "left out: 1 switch of hosts that other switches part (--interface DEVICE chooses): st (5 "
       "hosts)"},
      {"two rails of two pods, a storage switch, and names without devices",
       {{{0xa1, "r1", {0xb1}},
         {0xa2, "r2", {0xb1}},
         {0xa3, "r3", {0xb1}},
         {0xa4, "r4", {0xb1}},
         {0xa5, "st", {0xb1}},
         {0xb1, "sp", {}}},
        {{0x10, 0x10, "g1", {0xa1, 0xa2}},
         {0x11, 0x11, "g1", {0xa5}},
         {0x20, 0x20, "g2", {0xa1, 0xa2}},
         {0x21, 0x21, "g2", {0xa5}},
         {0x30, 0x30, "g3", {0xa3, 0xa4}},
         {0x31, 0x31, "g3", {0xa5}},
         {0x40, 0x40, "g4", {0xa3, 0xa4}},
         {0x41, 0x41, "g4", {0xa5}}}},
       4,
       {{"same-switch", 2}, {"2-hops", 4}},
       "left out: 1 switch of hosts that other switches part (--interface DEVICE chooses): st (4 "
       "hosts)"},
      {"cards with a switch and an adapter of their own are their hosts'",
       {{{0xa1, "lf1", {0xb1}},
         {0xa2, "lf2", {0xb1}},
         {0xb1, "sp", {}},
         {0xc1, "cn1 BlueField-3 eSwitch", {0xa1}},
         {0xc2, "", {0xa1}, 3},
         {0xc3, "", {0xa2}, 3}},
        {{0x10, 0x10, "cn1 mlx5_0", {0xc1}},
         {0x11, 0x11, "cn1-bf mlx5_0", {0xc1}},
         {0x20, 0x20, "cn2 mlx5_0", {0xc2}},
         {0x30, 0x30, "cn3 mlx5_0", {0xc3}},
         {0x31, 0x31, "dpu_cn3 mlx5_0", {0xa2}},
         {0x40, 0x40, "BlueField-3 mlx5_0", {0xa1}}}},
       3,
       {{"same-switch", 1}, {"2-hops", 2}},
       "left out: 1 adapter naming no host"},
      {"hosts that are called as adapters are",
       {two_leaves(),
        {{0x10, 0x10, "MT4001 mlx5_0", {0xa1}}, {0x20, 0x20, "MT4002 mlx5_0", {0xa1}}}},
       2,
       {{"same-switch", 1}}},
      {"names as the driver qib writes them",
       {two_leaves(),
        {{0x10, 0x10, "Intel Infiniband HCA q1", {0xa1}},
         {0x20, 0x20, "Intel Infiniband HCA q2", {0xa1}}}},
       2,
       {{"same-switch", 1}}},
  };
}

/// A device that an interface hears, in lldpctl -f json.
std::string heard(const std::string& interface, const std::string& device,
                  const std::string& capability = "Bridge", const std::string& speed = "",
                  const std::string& id = "02:00:00:00:00:01") {
  return R"({")" + interface + R"(": {"via": "LLDP", "chassis": {")" + device +
         R"(": {"id": {"type": "mac", "value": ")" + id + R"("}, "capability": [{"type": ")" +
         capability +
         R"(", "enabled": true}]}}, "port": {"id": {"type": "ifname", "value": "p1"})" +
         (speed.empty()
              ? ""
              : R"(, "auto-negotiation": {"enabled": true, "current": ")" + speed + R"("})") +
         "}}}";
}

std::string lldp_document(const std::vector<std::string>& entries) {
  return R"({"lldp": {"interface": [)" + join(entries, ",\n") + "]}}";
}

/// The same in lldpctl -f json0.
std::string heard0(const std::string& interface, const std::string& device) {
  return R"({"name": ")" + interface + R"(", "via": "LLDP", "chassis": [{"id": [{"type": "mac",
      "value": "02:00:00:00:00:02"}], "name": [{"value": ")" +
         device + R"("}], "capability": [{"type": "Bridge", "enabled": true},
      {"type": "Router", "enabled": false}]}], "port": [{"id": [{"type": "ifname",
      "value": "swp1"}]}]})";
}

std::string lldp0_document(const std::vector<std::string>& entries) {
  return R"({"lldp": [{"interface": [)" + join(entries, ",\n") + "]}]}";
}

/// The same in lldpctl -f keyvalue.
std::string heard_lines(const std::string& interface, const std::string& device,
                        const std::string& speed) {
  const std::string begin = "lldp." + interface + ".";
  return begin + "via=LLDP\n" + begin + "rid=1\n" + begin + "age=0 day, 00:10:00\n" + begin +
         "chassis.mac=02:00:00:00:00:03\n" + begin + "chassis.name=" + device + "\n" + begin +
         "chassis.Bridge.enabled=on\n" + begin + "chassis.Router.enabled=off\n" + begin +
         "port.ifname=swp7\n" + begin + "port.descr=x=y\n" + begin +
         "port.auto-negotiation.current=" + speed + "\n";
}

struct LldpForm {
  std::string name;
  std::map<std::string, std::string> files;  ///< by host
  std::size_t hosts = 0;
  Pairs pairs;
  std::string note = {};  ///< empty: there is none
  std::string interface = {};
};

std::vector<LldpForm> lldp_forms() {
  const auto host = [](const std::string& leaf, const std::vector<std::string>& more = {}) {
    std::vector<std::string> entries = more;
    entries.push_back(heard("ens2", leaf));
    return lldp_document(entries);
  };
  const std::string common = heard("eno1", "oob");
  const auto pair_of = [](const std::string& one, const std::string& other) {
    return lldp_document({heard("ens2f0", one), heard("ens2f1", other)});
  };
  return {
      {"json0",
       {{"a1", lldp0_document({heard0("ens2", "lf1")})},
        {"a2", lldp0_document({heard0("ens2", "lf1")})},
        {"a3", lldp0_document({heard0("ens2", "lf2")})}},
       3,
       {{"same-switch", 1}, {"other-switch", 2}}},
      {"json0 of a host that hears nobody, and a file that is no JSON",
       {{"a1", host("lf1")},
        {"a2", host("lf1")},
        {"a3", host("lf2")},
        {"a4", R"({"lldp": [{}]})"},
        {"a5", "lldpctl: unable to connect"}},
       3,
       {{"same-switch", 1}, {"other-switch", 2}},
       "left out: 1 host hearing no switch (place unknown): a4"},
      {"a management switch on a second port, with a leaf of more than half of the hosts",
       {{"a1", host("lf1", {common})},
        {"a2", host("lf1", {common})},
        {"a3", host("lf1", {common})},
        {"a4", host("lf2", {common})}},
       4,
       {{"same-switch", 3}, {"other-switch", 3}},
       "uses what hosts receive on ens2, not on eno1"},
      {"a host whose data port is down hears the management switch alone",
       {{"a1", host("lf1", {common})},
        {"a2", host("lf1", {common})},
        {"a3", host("lf2", {common})},
        {"a4", host("lf2", {common})},
        {"a5", lldp_document({common})}},
       4,
       {{"same-switch", 2}, {"other-switch", 4}},
       "left out: 1 host hearing none of these switches (place unknown): a5"},
      {"management switches of each rack, told by the speeds of ports",
       {{"a1", lldp_document({heard("eno1", "oob1", "Bridge", "1000BaseTFD - UTP"),
                              heard("ens2", "lf1", "Bridge", "100GbaseCR4 - copper")})},
        {"a2", lldp_document({heard("eno1", "oob2", "Bridge", "1000BaseTFD - UTP"),
                              heard("ens2", "lf1", "Bridge", "100GbaseCR4 - copper")})},
        {"a3", lldp_document({heard("eno1", "oob2", "Bridge", "1000BaseTFD - UTP"),
                              heard("ens2", "lf2", "Bridge", "100GbaseCR4 - copper")})}},
       3,
       {{"same-switch", 1}, {"other-switch", 2}},
       "left out: 2 switches at slower ports than others"},
      {"cards on the fastest port that call themselves switches",
       {{"a1", lldp_document({heard("p0", "a1-bf3", "Bridge", "200GbaseCR4 - copper"),
                              heard("ens2", "lf1", "Bridge", "100GbaseCR4 - copper")})},
        {"a2", lldp_document({heard("p0", "dpu-a2", "Bridge", "200GbaseCR4 - copper"),
                              heard("ens2", "lf1", "Bridge", "100GbaseCR4 - copper")})},
        {"a3", lldp_document({heard("p0", "BlueField-3", "Bridge", "200GbaseCR4 - copper"),
                              heard("ens2", "lf2", "Bridge", "100GbaseCR4 - copper")})}},
       3,
       {{"same-switch", 1}, {"other-switch", 2}},
       "left out: 3 cards of a host, no switch: a1-bf3 (by a1), dpu-a2 (by a2), BlueField-3 (by "
       "a3)"},
      {"the same without speeds, by the name of the interface",
       {{"a1", host("lf1", {heard("eno1", "oob1")})},
        {"a2", host("lf1", {heard("eno1", "oob2")})},
        {"a3", host("lf2", {heard("eno1", "oob2")})}},
       3,
       {{"same-switch", 1}, {"other-switch", 2}},
       "uses what hosts receive on ens2, not on eno1",
       "ens2"},
      {"two ports of each host at a pair of switches, one of them down",
       {{"a1", pair_of("lf1a", "lf1b")},
        {"a2", pair_of("lf1b", "lf1a")},
        {"a3", pair_of("lf2a", "lf2b")},
        {"a4", host("lf2b")}},
       4,
       {{"same-switch", 2}, {"other-switch", 4}}},
      {"two ports of each host and a management switch",
       {{"a1", lldp_document({common, heard("ens2f0", "lf1a"), heard("ens2f1", "lf1b")})},
        {"a2", lldp_document({common, heard("ens2f0", "lf1a"), heard("ens2f1", "lf1b")})},
        {"a3", lldp_document({common, heard("ens2f0", "lf2a"), heard("ens2f1", "lf2b")})},
        {"a4", lldp_document({common, heard("ens2f0", "lf2a"), heard("ens2f1", "lf2b")})}},
       4,
       {{"same-switch", 2}, {"other-switch", 4}},
       "oob (4 hosts, on eno1)"},
      {"a bridge of the host itself on the port of the leaf switch",
       {{"a1", host("lf1", {heard("ens2", "vm-bridge-a1")})},
        {"a2", host("lf1", {heard("ens2", "vm-bridge-a2")})},
        {"a3", host("lf2", {heard("ens2", "vm-bridge-a3")})},
        {"a4", host("lf2")}},
       4,
       {{"same-switch", 2}, {"other-switch", 4}},
       "left out: 3 devices that only one host receives on the port of a switch"},
      {"leaf switches that route, and other hosts on the same port",
       {{"a1", lldp_document({heard("ens2", "a9", "Station"), heard("ens2", "lf1", "Router")})},
        {"a2", lldp_document({heard("ens2", "lf1", "Router"), heard("ens2", "a8", "Station")})},
        {"a3", lldp_document({heard("ens2", "lf2", "Router")})}},
       3,
       {{"same-switch", 1}, {"other-switch", 2}}},
      {"a leaf switch of each host, and a management switch",
       {{"a1", host("lf1", {common})},
        {"a2", host("lf2", {common})},
        {"a3", host("lf3", {common})}},
       3,
       {{"other-switch", 3}},
       "oob (3 hosts, on eno1)"},
      {"several neighbours of one interface in one list",
       {{"a1", R"({"lldp": {"interface": {"ens2": [
            {"chassis": {"a9": {"capability": {"type": "Station", "enabled": true}}}},
            {"chassis": {"lf1": {"capability": {"type": "Bridge", "enabled": true}}}}]}}})"},
        {"a2", host("lf1")}},
       2,
       {{"same-switch", 1}}},
      {"switches that are called alike, told apart by their identifiers",
       {{"a1", lldp_document({heard("ens2", "sonic", "Bridge", "", "02:00:00:00:00:11")})},
        {"a2", lldp_document({heard("ens2", "sonic", "Bridge", "", "02:00:00:00:00:11")})},
        {"a3", lldp_document({heard("ens2", "sonic", "Bridge", "", "02:00:00:00:00:12")})},
        {"a4", lldp_document({heard("ens2", "sonic", "Bridge", "", "02:00:00:00:00:12")})}},
       4,
       {{"same-switch", 2}, {"other-switch", 4}},
       "1 name that several switches have, distinguished by their identifiers: sonic"},
      {"a switch that sends the address of each port",
       {{"a1", lldp_document({heard("ens2", "lf1", "Bridge", "", "02:00:00:00:00:11")})},
        {"a2", lldp_document({heard("ens2", "lf1", "Bridge", "", "02:00:00:00:00:12")})}},
       2,
       {{"same-switch", 1}}},
      {"one network of two switches, which all hosts hear",
       {{"a1", pair_of("lf1", "lf2")}, {"a2", pair_of("lf1", "lf2")}},
       2,
       {{"same-switch", 1}}},
  };
}

}  // namespace

TEST_CASE("hosts of fabrics are found in all forms that ibnetdiscover prints") {
  const TemporaryFolder folder;
  for (const FabricForm& form : fabric_forms()) {
    for (const Print print : {Print::old_form, Print::new_form, Print::grouped}) {
      INFO(form.name);
      const FoundNetwork network = read_network(folder.write("fabric", form.fabric.text(print)));
      INFO(join(network.notes, "\n"));
      CHECK(network.sites.hosts.size() == form.hosts);
      CHECK(pairs_by_class(network.sites) == form.pairs);
      CHECK(network.notes.empty() == form.note.empty());
      CHECK_THAT(join(network.notes, "\n"), Catch::Contains(form.note));
    }
  }
}

TEST_CASE("switches go by the names that their managers gave them") {
  const TemporaryFolder folder;
  const PlayedFabric fabric(two_leaves(),
                            {{0x10, 0x10, "n1 mlx5_0", {0xa1}}, {0x20, 0x20, "n2 mlx5_0", {0xa2}}});
  const SiteFile sites = read_network(folder.write("f", fabric.text(Print::new_form))).sites;
  CHECK(sites.sites.at("n1") == std::vector<std::string>{"lf1"});
  // Two chips of a director have one name.
  const PlayedFabric director(
      {{0xa1, "MF0;dir:CS8500/L01/U1", {0xa2}}, {0xa2, "MF0;dir:CS8500/L02/U1", {}}},
      {{0x10, 0x10, "n1 mlx5_0", {0xa1}}, {0x20, 0x20, "n2 mlx5_0", {0xa2}}});
  const SiteFile chips = read_network(folder.write("f", director.text(Print::old_form))).sites;
  CHECK(chips.sites.at("n2") == std::vector<std::string>{"MF0;dir:CS8500/L02/U1"});
}

TEST_CASE("a file of GUIDs names hosts that adapters do not") {
  const TemporaryFolder folder;
  const PlayedFabric fabric(two_leaves(),
                            {{0x10, 0x10, "n1 mlx5_0", {0xa1}},
                             {0x21, 0x20, "localhost mlx5_0", {0xa1}},
                             {0x31, 0x30, "MT4129 ConnectX7   Mellanox Technologies", {0xa2}},
                             {0x41, 0x40, "n4 mlx5_0", {0xa2}}});
  const HostsOfGuids hosts = load_guid_lines(folder.write(
      "guids",
      "# pdsh\nn2: 0000:0000:0000:0021\n0x0000000000000030 \"n3.x.org\"\nn4.x.org 0x41\n"));
  const FoundNetwork network =
      read_network(folder.write("f", fabric.text(Print::new_form)), {.hosts = hosts});
  CHECK(network.notes.empty());
  CHECK(network.sites.hosts == std::vector<std::string>{"n1", "n2", "n3.x.org", "n4.x.org"});
  CHECK(pairs_by_class(network.sites) == Pairs{{"same-switch", 2}, {"2-hops", 4}});
  CHECK_THROWS_WITH(load_guid_lines(folder.write("bad", "n1 0x1\nn2\n")),
                    Catch::Contains("bad:2: no host and its GUIDs"));
}

TEST_CASE("a damaged line costs its adapter, and warnings before a fabric cost nothing") {
  const TemporaryFolder folder;
  std::string text = PlayedFabric(two_leaves(), {{0x10, 0x10, "n1 mlx5_0", {0xa1}},
                                                 {0x20, 0x20, "n2 mlx5_0", {0xa1}},
                                                 {0x30, 0x30, "n3 mlx5_0", {0xa2}}})
                         .text(Print::new_form);
  text.replace(text.find("Ca\t1 \"H-0000000000000020\""), 25, "Ca\t1 \"H-00000000");
  const FoundNetwork network =
      read_network(folder.write("f", "ibwarn: [77] mad_rpc_open_port: timeout\n" + text));
  CHECK(pairs_by_class(network.sites) == Pairs{{"same-switch", 1}, {"2-hops", 2}});
  CHECK_THAT(join(network.notes), Catch::Contains("f:1: 'ibwarn"));
}

TEST_CASE("switches are found in all forms that lldpctl prints") {
  for (const LldpForm& form : lldp_forms()) {
    const TemporaryFolder folder;
    INFO(form.name);
    for (const auto& [host, text] : form.files) folder.write(host + ".json", text);
    CHECK(is_lldp_folder(folder.path()));
    const FoundNetwork network = read_network(folder.path(), {.interface = form.interface});
    INFO(join(network.notes, "\n"));
    CHECK(network.sites.hosts.size() == form.hosts);
    CHECK(pairs_by_class(network.sites) == form.pairs);
    CHECK(network.notes.empty() == form.note.empty());
    CHECK_THAT(join(network.notes, "\n"), Catch::Contains(form.note));
  }
}

TEST_CASE("what lldpctl -f keyvalue prints is read beside its other forms") {
  const TemporaryFolder folder;
  folder.write("a1.txt", heard_lines("eno1.100", "oob", "1000BaseTFD - UTP") +
                             heard_lines("ens2", "lf1", "10GigBaseCX4 - X"));
  folder.write("a2.txt", heard_lines("ens2", "lf1", "10GigBaseCX4 - X"));
  folder.write("a3.json", lldp_document({heard("ens2", "lf2")}));
  folder.write("a4.txt",
               "lldp.ens2.via=LLDP\nlldp.ens2.chassis.mac=02:00:00:00:00:07\n"
               "lldp.ens2.chassis.Station.enabled=on\n");
  folder.write("a5.txt", "lldpctl: no such file\n");
  REQUIRE(is_lldp_folder(folder.path()));
  const FoundNetwork network = read_network(folder.path());
  CHECK(pairs_by_class(network.sites) == Pairs{{"same-switch", 1}, {"other-switch", 2}});
  const std::string notes = join(network.notes, "\n");
  CHECK_THAT(notes, Catch::Contains("uses what hosts receive on ens2, not on eno1.100"));
  CHECK_THAT(notes, Catch::Contains("oob (1000 Mbit/s)"));
  CHECK_THAT(notes, Catch::Contains("1 host hearing no switch (place unknown): a4"));
  CHECK_THAT(notes,
             Catch::Contains("1 host without readable output of lldpctl") && Catch::Contains("a5"));
  const FoundNetwork one = read_network(folder.path() + "/a2.txt");
  CHECK(one.sites.hosts == std::vector<std::string>{"a2"});
}

TEST_CASE("an interface on which no host hears a switch is refused") {
  const TemporaryFolder folder;
  folder.write("a1.json", lldp_document({heard("ens2", "lf1")}));
  CHECK_THROWS_WITH(
      read_network(folder.path(), {.interface = "ib0"}),
      Catch::Contains(
          "no host receives LLDP of a switch on ib0 (LLDP of switches arrives on ens2)"));
}

}  // namespace hockney::placement
