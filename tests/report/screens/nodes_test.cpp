#include <catch2/catch.hpp>

#include "report/screens/nodes.hpp"
#include "tests/support/page_records.hpp"

namespace hockney::report {
namespace {

/// Launches of --each-node: hosts h0, h1 ..., of which the last takes `factor` times as long.
std::vector<Record> launches_of_nodes(int nodes, double factor) {
  std::vector<Record> records;
  for (int node = 0; node < nodes; ++node) {
    for (Record& record : ping_pongs(2, node + 1 == nodes ? factor : 1)) {
      record.provenance.hosts = {{.name = "h" + std::to_string(node)}};
      record.provenance.command_line = {"hockney-pingpong", "--each-node"};
      records.push_back(std::move(record));
    }
  }
  return records;
}

}  // namespace

TEST_CASE("several nodes that each measured themselves are not launches of one point") {
  CHECK(is_of_each_node(launches_of_nodes(2, 1)));
  CHECK_FALSE(is_of_each_node(launches_of_nodes(1, 1)));
  CHECK_FALSE(is_of_each_node(ping_pongs(2)));
}

TEST_CASE("a figure of all nodes names the worst one, of times and of bandwidths") {
  const std::vector<NodesFigure> figures = nodes_figures(launches_of_nodes(5, 1.3));
  REQUIRE(figures.size() == 2);
  CHECK(figures[0].label == "pingpong l3 at 1");
  CHECK(figures[0].worst_host == "h4");
  CHECK(figures[0].nodes == 5);
  CHECK(figures[0].worst / figures[0].median == Approx(1.3));
  CHECK(figures[1].is_rate);
  CHECK(figures[1].worst_host == "h4");
  CHECK(figures[1].worst / figures[1].median == Approx(1 / 1.3));
}

TEST_CASE("memory of all cores and copies of GPUs are figures of nodes, and of one node alone") {
  std::vector<Record> records = launches_of_nodes(5, 1);
  for (Record& record : records) {
    const bool is_slow = record.provenance.hosts.front().name == "h3";
    const double rate = is_slow ? 1.5e11 : 2e11;
    record.machine = {{.lines = {{.pair = {0, 1}, .seconds = 5e-8}},
                       .ranks = {{.noise_probe_seconds = 1e-5, .copy_bytes_per_second = 9e9}},
                       .memory = {{.cores = 64, .bytes_per_second = rate}},
                       .devices = {{.device = 0,
                                    .to_device_bytes_per_second = 2e10,
                                    .from_device_bytes_per_second = rate / 10}}}};
  }
  const std::vector<NodesFigure> figures = nodes_figures(records);
  REQUIRE(figures.size() == 8);
  std::vector<std::string> labels;
  for (std::size_t i = 2; i < figures.size(); ++i) labels.push_back(figures[i].label);
  CHECK(labels == std::vector<std::string>{"noise probe", "cache line", "copy of a rank",
                                           "memory of 64 cores", "host to GPU 0", "GPU 0 to host"});
  CHECK(figures[5].is_rate);
  CHECK(figures[5].median == Approx(2e11));
  CHECK(figures[5].worst == Approx(1.5e11));
  CHECK(figures[5].worst_host == "h3");
  CHECK(figures[7].worst == Approx(1.5e10));
  const Lines alone = memory_answer({records.data(), 2});
  REQUIRE(alone.size() == 3);
  CHECK(alone.front() == "memory of 64 cores  200 GB/s");
  CHECK(memory_answer(ping_pongs(2)).empty());
}

TEST_CASE("nodes without figures are named with the reason, the most often missing first") {
  const std::vector<Finding> findings = missing_findings({{{.host = "a", .reason = "hung"}},
                                                          {{.host = "b", .reason = "died"}},
                                                          {{.host = "b", .reason = "died"}}});
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].what == "b has no figures in 2 of 3 launches: died");
  CHECK(findings[1].what == "a has no figures in 1 of 3 launches: hung");
  CHECK(missing_findings({{}, {}}).empty());
}

}  // namespace hockney::report
