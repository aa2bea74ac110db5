#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/node_records.hpp"
#include "core/record_file.hpp"
#include "core/samples.hpp"
#include "tests/support/page_records.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney {
namespace {

/// A node with so many blocks at each size, whose medians grow by a hundredth in all.
Record node(const std::string& host, int blocks, double factor = 1) {
  Record record = launch_of("nightly");
  record.procedure = "pingpong";
  record.started_utc = "2026-11-29T03:00:00Z";
  record.provenance.hosts = {{.name = host, .cpu_model = "EPYC", .load_average = 0.5}};
  record.provenance.mpi.settings = {{"orte_vpid", host}};
  record.ranks = {{.rank = 0, .host = host}, {.rank = 1, .host = host}};
  for (const std::int64_t bytes : {8, 4096, 1048576}) {
    const double seconds = factor * (1e-6 + static_cast<double>(bytes) * 1e-10);
    add_measured(record, pair_point(bytes, 0, 1, "l3"), seconds);
    Series& series = record.series.back();
    series.samples_seconds.clear();
    series.blocks.assign(static_cast<std::size_t>(blocks), 3);
    for (int block = 0; block < blocks; ++block) {
      for (const double part : {0.9, 1.0, 5.0}) {
        series.samples_seconds.push_back(part * seconds * (1 + 0.01 * block / blocks));
      }
    }
    series.summary = summarise(series);
  }
  return record;
}

std::vector<Record> read_back(const std::vector<Record>& nodes,
                              const std::vector<MissingNode>& missing = {}) {
  NodeTexts texts{.kinds = {kind_text(nodes.front())}, .missing = missing};
  for (const Record& one : nodes) texts.nodes.push_back(node_text(one));
  return read_nodes(parse_json(nodes_document(texts), "nodes"));
}

}  // namespace

TEST_CASE("nodes read back with the medians of their blocks") {
  const std::vector<Record> nodes{node("a", 4), node("b", 4, 1.3)};
  const std::vector<Record> read = read_back(nodes);
  REQUIRE(read.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(read[i].provenance.hosts.front().name == nodes[i].provenance.hosts.front().name);
    CHECK(read[i].ranks.front().host == nodes[i].ranks.front().host);
    CHECK(read[i].provenance.hosts.front().cpu_model == "EPYC");
    CHECK(read[i].points == nodes[i].points);
    REQUIRE(read[i].series.size() == 3);
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(read[i].series[k].samples_seconds.size() == 4);
      const double expected = launch_median(nodes[i], nodes[i].series[k]).value_or(0);
      CHECK(launch_median(read[i], read[i].series[k]).value_or(0) ==
            Approx(expected).epsilon(2e-5));
    }
  }
}

TEST_CASE("a node keeps its memory, its serial number and the medians of its machine probes") {
  Record record = node("a", 4);
  Host& host = record.provenance.hosts.front();
  host.memory_bytes = 269'000'000'000;
  host.gpus = {"NVIDIA H200 [10de:2335]"};
  host.serial = "S1";
  for (const double factor : {1.0, 1.1, 5.0}) {
    record.machine.push_back(
        {.lines = {{.pair = {0, 1}, .seconds = 5e-8 * factor}},
         .ranks = {{.rank = 0, .noise_probe_seconds = 1e-5 * factor, .copy_bytes_per_second = 9e9},
                   {.rank = 1, .noise_probe_seconds = 1e-5 * factor, .copy_bytes_per_second = 9e9}},
         .memory = {{.cores = 64, .bytes_per_second = 3.123456789e11 * factor}},
         .devices = {{.device = 1,
                      .to_device_bytes_per_second = 2e10,
                      .from_device_bytes_per_second = 3e10 * factor}}});
  }
  Record other = node("b", 4);
  other.provenance.hosts.front().gpus = host.gpus;
  other.provenance.hosts.front().memory_bytes = 268'000'000'000;
  CHECK(node_text(record).kind == node_text(other).kind);
  const std::vector<Record> read = read_back({record, other});
  CHECK(read[0].provenance.hosts == record.provenance.hosts);
  CHECK(read[1].provenance.hosts.front().memory_bytes == 268'000'000'000);
  CHECK(read[1].provenance.hosts.front().serial.empty());
  CHECK(read[1].machine.empty());
  REQUIRE(read[0].machine.size() == 1);
  const MachineProbe& probe = read[0].machine.front();
  REQUIRE(probe.ranks.size() == 1);
  CHECK(probe.ranks.front().noise_probe_seconds == Approx(1.1e-5));
  CHECK(probe.ranks.front().copy_bytes_per_second.value_or(0) == Approx(9e9));
  CHECK(probe.lines == std::vector<LineProbe>{{.pair = {0, 1}, .seconds = 5.5e-8}});
  REQUIRE(probe.memory.size() == 1);
  CHECK(probe.memory.front().cores == 64);
  CHECK(probe.memory.front().bytes_per_second == Approx(3.4358e11).epsilon(1e-5));
  REQUIRE(probe.devices.size() == 1);
  CHECK(probe.devices.front() == DeviceProbe{.device = 1,
                                             .to_device_bytes_per_second = 2e10,
                                             .from_device_bytes_per_second = 3.3e10});
}

TEST_CASE("a node takes at most 4 KiB, whatever it measured") {
  Record record = node("a", 2000);
  for (std::int64_t bytes = 1; bytes < 60; ++bytes) {
    record.points.own().push_back({.point = pair_point(bytes, 0, 1, "numa")});
    Series series = record.series.front();
    series.point = pair_point(bytes, 0, 1, "numa");
    record.series.push_back(series);
  }
  MachineProbe& probe = record.machine.emplace_back();
  for (int i = 0; i < 16; ++i) {
    probe.lines.push_back({.pair = {i, i + 1}, .seconds = 5.12345678e-8});
    probe.devices.push_back({.device = i,
                             .to_device_bytes_per_second = 2.123456789e10,
                             .from_device_bytes_per_second = 2.123456789e10});
  }
  CHECK(node_text(record).text.size() <= most_node_bytes);
  const std::vector<Record> read = read_back({record});
  REQUIRE(read.front().series.size() == 62);
  for (const Series& series : read.front().series) CHECK_FALSE(series.samples_seconds.empty());
  CHECK(launch_median(read.front(), read.front().series.front()).value_or(0) ==
        Approx(launch_median(record, record.series.front()).value_or(0)).epsilon(0.01));
}

TEST_CASE("nodes are of one kind unless their machines or points differ") {
  const Record first = node("a", 4);
  Record other = node("b", 9, 1.5);
  other.flags = {"oversubscribed"};
  CHECK(node_text(first).kind == node_text(other).kind);
  other.provenance.hosts.front().cpu_model = "Xeon";
  CHECK(node_text(first).kind != node_text(other).kind);
}

TEST_CASE("flags, and points that one node did not reach, are of this node") {
  const Record whole = node("a", 4);
  Record part = node("b", 4);
  part.series.front().flags = {"corrupt"};
  part.series.pop_back();
  part.points.own().back().status = PointStatus::skipped;
  part.points.own().back().reason = "it was not reached before budget spent";
  CHECK(node_text(whole).kind == node_text(part).kind);
  const std::vector<Record> read = read_back({whole, part});
  CHECK(read[0].points == whole.points);
  CHECK(read[1].points == part.points);
  CHECK(read[1].series.front().flags == part.series.front().flags);
}

TEST_CASE("the file beside a record holds the other nodes, and names those without figures") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/default-001.json";
  CHECK(missing_nodes(file).empty());
  const Record first = node("a", 4);
  save_record(first, file);
  save_nodes({.kinds = {kind_text(first)},
              .nodes = {node_text(node("b", 4))},
              .missing = {{.host = "<c>\n", .reason = "it did not end"}}},
             file);
  const std::vector<Record> records = load_records({folder.path()});
  REQUIRE(records.size() == 2);
  CHECK(records[0].provenance.hosts.front().name == "a");
  CHECK(records[1].provenance.hosts.front().name == "b");
  const std::vector<MissingNode> missing = missing_nodes(file);
  REQUIRE(missing.size() == 1);
  CHECK(missing.front().host == "<c>\n");
}

TEST_CASE("points of loaded nodes have their host, those of other launches have not") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/default-001.json";
  Record first = node("a", 4);
  first.provenance.command_line = {"hockney-pingpong", "--each-node"};
  Record second = node("b", 4);
  second.provenance.command_line = first.provenance.command_line;
  save_record(first, file);
  save_nodes({.kinds = {kind_text(first)}, .nodes = {node_text(second)}}, file);
  std::vector<Record> records = load_records({folder.path()});
  REQUIRE(records.size() == 2);
  CHECK(host_of(records[0].series.front().point) == "a");
  CHECK(host_of(records[1].points.begin()->point) == "b");
  CHECK(count_launches(records) == LaunchCount{.launches = 1, .nodes = 2});
  forget_host(records[0]);
  CHECK(records[0].points == first.points);
  Record other = node("c", 4);
  name_host(other);
  CHECK(host_of(other.series.front().point).empty());
}

TEST_CASE("all nodes of a launch are one launch, with and without a campaign") {
  std::vector<Record> records;
  for (int launch = 1; launch <= 3; ++launch) {
    for (const char* host : {"a", "b"}) {
      if (launch == 2 && host == std::string("a")) continue;  // it failed
      Record& record = records.emplace_back(node(host, 1));
      record.provenance.command_line = {"hockney-pingpong", "--each-node"};
      record.campaign->launch = launch;
    }
  }
  CHECK(text_of(count_launches(records)) == "3 launches of 2 nodes");
  for (Record& record : records) record.campaign.reset();
  CHECK(text_of(count_launches(records)) == "3 launches of 2 nodes");
  records.push_back(node("c", 1));
  CHECK(count_launches(records) == LaunchCount{.launches = 4, .nodes = 2});
  CHECK(text_of({.launches = 1, .nodes = 0}) == "1 launch");
}

TEST_CASE("damaged files of nodes are refused with their key") {
  const Record first = node("a", 4);
  const NodeTexts texts{.kinds = {kind_text(first)}, .nodes = {node_text(first)}};
  const nlohmann::json good = nlohmann::json::parse(nodes_document(texts));
  const auto refusal = [&](const auto& damage) {
    nlohmann::json bad = good;
    damage(bad);
    try {
      read_nodes(parse_json(bad.dump(), "nodes"));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(refusal([](auto&) {}) == "accepted");
  CHECK_THAT(refusal([](auto& bad) { bad["nodes"][0]["kind"] = "x"; }),
             Catch::Contains("nodes[0].kind"));
  CHECK_THAT(refusal([](auto& bad) { bad["nodes"][0]["series"][0][0] = 99; }),
             Catch::Contains("nodes[0].series[0][0]"));
  CHECK_THAT(refusal([](auto& bad) { bad["nodes"][0]["series"][0][3] = 400; }),
             Catch::Contains("no time has this unit"));
  CHECK_THAT(refusal([](auto& bad) { bad["nodes"][0]["series"][0][4][0] = -1; }),
             Catch::Contains("nodes[0].series[0][4]"));
  CHECK_THAT(refusal([](auto& bad) {
               bad["nodes"][0]["machine"] = {{"memory", {{0, 1e9}}}};
             }),
             Catch::Contains("nodes[0].machine.memory[0][0]"));
  CHECK_THAT(refusal([](auto& bad) {
               bad["nodes"][0]["machine"] = {{"devices", {{0, 1e9}}}};
             }),
             Catch::Contains("it has 3 parts"));
  CHECK_THAT(refusal([](auto& bad) { bad["nodes"][0].erase("host"); }), Catch::Contains("host"));
  CHECK_THAT(refusal([](auto& bad) { bad["schema"] = "hockney.nodes/9"; }),
             Catch::Contains("schema"));
}

}  // namespace hockney
