#include <catch2/catch.hpp>
#include <cstddef>
#include <set>

#include "driver/screens/nodes.hpp"
#include "tests/support/each_node_records.hpp"

namespace hockney::report {

TEST_CASE("several nodes that each measured themselves are not launches of one point") {
  CHECK(are_of_several_nodes(launches_of_nodes({.nodes = 2})));
  CHECK_FALSE(are_of_several_nodes(launches_of_nodes({.nodes = 1})));
  CHECK_FALSE(are_of_several_nodes(ping_pongs(2)));
}

TEST_CASE("a figure of all nodes names the worst one, of times and of bandwidths") {
  const std::vector<NodesFigure> figures =
      nodes_figures(launches_of_nodes({.nodes = 5, .factor = 1.3}));
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
  std::vector<Record> records = launches_of_nodes({.nodes = 5});
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

TEST_CASE("a curve is shown once where the first launch reached fewer of its sizes") {
  std::vector<Record> records = launches_of_nodes({.nodes = 2});
  for (Record& record : records) {
    const std::size_t sizes = record.series.size();
    for (std::size_t i = 0; i < sizes; ++i) {
      Series other = record.series[i];
      other.point.operation = "bcast";
      record.series.push_back(std::move(other));
    }
  }
  std::vector<Series>& first = records.front().series;
  first.erase(first.begin() + 1, first.begin() + static_cast<std::ptrdiff_t>(first.size()) / 2);
  std::set<std::string> labels;
  const std::vector<NodesFigure> figures = nodes_figures(records);
  for (const NodesFigure& figure : figures) labels.insert(figure.label);
  CHECK(figures.size() == 4);
  CHECK(labels.size() == 4);
}

TEST_CASE("more than eight nodes are shown by 90 % of them and the worst one") {
  const std::vector<NodesFigure> figures =
      nodes_figures(launches_of_nodes({.nodes = 21, .factor = 2}));
  REQUIRE(figures.size() == 2);
  CHECK(figures[0].usual.high == Approx(figures[0].median));  // the slow one is beyond 95 %
  CHECK(figures[0].worst / figures[0].usual.high == Approx(2));
  const auto heading_of = [](int nodes) {
    return nodes_screen(launches_of_nodes({.nodes = nodes})).answer.at(2);
  };
  CHECK_THAT(heading_of(9), Catch::Contains("5 .. 95 % of nodes"));
  CHECK_THAT(heading_of(8), Catch::Contains("range"));
}

TEST_CASE("a header counts launches, and the nodes of each") {
  const Lines header = header_of(launches_of_nodes({.nodes = 4, .launches = 10}));
  REQUIRE(header.size() == 2);
  CHECK_THAT(header[1], Catch::Contains("10 launches of 4 nodes in 20 s"));
  CHECK_THAT(header_of(ping_pongs(3)).front(), Catch::Contains("3 launches"));
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
