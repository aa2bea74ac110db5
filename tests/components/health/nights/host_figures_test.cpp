#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "components/health/nights/host_figures.hpp"
#include "tests/components/health/nights/some_records.hpp"

// What each host of a night measured for itself.
namespace hockney::health {
namespace {

/// A launch on one host.
Record launch_on(const std::string& host, int number, double seconds) {
  Record record = nightly_launch("default", number);
  record.provenance.hosts.front().name = host;
  for (int rank = 0; rank < 2; ++rank) record.ranks.push_back({.rank = rank, .host = host});
  add_measured(record, hop_point("pingpong", 8), seconds);
  return record;
}

std::string on(const std::string& host) {
  return "pingpong/ranks=2 hop=l3 bytes=8 host=" + host + " setting=nightly/seconds";
}

}  // namespace

TEST_CASE("each host has series of its own, and all hosts have theirs as before") {
  const Night night = make_night(
      20000, "nightly",
      {launch_on("hx1", 1, 1e-6), launch_on("hx1", 2, 1.2e-6), launch_on("hx2", 3, 2e-6)});
  CHECK(figure(night, on("hx1")).value.value == Approx(1.1e-6));
  CHECK(figure(night, on("hx1")).value.launches == 2);
  CHECK(figure(night, on("hx2")).value.value == Approx(2e-6));
  CHECK(figure(night, "pingpong/ranks=2 hop=l3 bytes=8 setting=nightly/seconds").value.launches ==
        3);
  // Hosts with equal facts share an environment, whatever their names.
  CHECK(figure(night, on("hx1")).value.environment == figure(night, on("hx2")).value.environment);
}

TEST_CASE("one host has no series beside those of all hosts") {
  const Night night = make_night(20000, "nightly", {launch_on("hx1", 1, 1e-6)});
  CHECK_FALSE(has_figure(night, on("hx1")));
}

TEST_CASE("names of series do not depend on other hosts, nor on the order of ranks") {
  Record both = nightly_launch("default", 1);
  both.provenance.hosts = {{.name = "hx2"}, {.name = "hx1"}};
  for (int rank = 0; rank < 4; ++rank) {
    both.ranks.push_back({.rank = rank, .host = rank < 2 ? "hx2" : "hx1"});
  }
  for (const std::vector<int>& pair : {std::vector{0, 1}, std::vector{2, 3}, std::vector{1, 2}}) {
    Point point = hop_point("pingpong", 8);
    point.pair = pair;
    if (pair.front() == 1) point.hop = "cross-node";
    add_measured(both, point, pair.front() == 2 ? 3e-6 : 1e-6);
  }
  const HostNight night = host_night({&both, 1}, "nightly");
  REQUIRE(night.figures.size() == 2);  // the pair of two hosts is no figure of one
  CHECK(night.figures[0].series.name == on("hx1"));
  CHECK(night.figures[0].value.value == Approx(3e-6));
  CHECK(night.figures[1].series.name == on("hx2"));
}

TEST_CASE("a point that died on one host is that host's absence") {
  std::vector<Record> launches{launch_on("hx1", 1, 1e-6), launch_on("hx2", 2, 1e-6)};
  add_skipped(launches[1], hop_point("pingpong", 1024), "SIGSEGV in lib.so");
  const HostNight night = host_night(launches, "nightly");
  REQUIRE(night.absences.size() == 1);
  CHECK(night.absences[0].series ==
        "pingpong/ranks=2 hop=l3 bytes=1024 host=hx2 setting=nightly/seconds");
  CHECK(night.absences[0].reason == "SIGSEGV in lib.so");
}

TEST_CASE("copies of the machine probes are those of the rank's host") {
  std::vector<Record> launches{launch_on("hx1", 1, 1e-6), launch_on("hx2", 2, 1e-6)};
  launches[1].machine.push_back(
      {.lines = {{.pair = {0, 1}, .seconds = 5e-8}},
       .ranks = {{.rank = 0, .noise_probe_seconds = 1e-5, .copy_bytes_per_second = 9e9}}});
  const HostNight night = host_night(launches, "nightly");
  const auto value_of = [&](const std::string& name) {
    for (const NightFigure& one : night.figures) {
      if (one.series.name == name) return one.value.value;
    }
    return 0.0;
  };
  CHECK(value_of("copy/host=hx2 setting=nightly/bytes_per_second") == Approx(9e9));
  CHECK(value_of("cache-line/host=hx2 setting=nightly/seconds") == Approx(5e-8));
  CHECK(value_of("spin/host=hx2 setting=nightly/shortest_seconds") == Approx(1e-5));
}

TEST_CASE("memory of all cores and copies of GPUs are bandwidths of a host") {
  std::vector<Record> launches{launch_on("hx1", 1, 1e-6), launch_on("hx2", 2, 1e-6)};
  launches[0].machine.push_back({.memory = {{.cores = 64, .bytes_per_second = 2e11}},
                                 .devices = {{.device = 3,
                                              .to_device_bytes_per_second = 2e10,
                                              .from_device_bytes_per_second = 3e10}}});
  const HostNight night = host_night(launches, "nightly");
  const auto figure = [&](const std::string& name) {
    for (const NightFigure& one : night.figures) {
      if (one.series.name == name) return one;
    }
    return NightFigure{};
  };
  const NightFigure memory =
      figure("memory-bandwidth/cores=64 host=hx1 setting=nightly/bytes_per_second");
  CHECK(memory.value.value == Approx(2e11));
  CHECK(memory.series.unit == "bytes_per_second");
  CHECK(memory.series.worse == WorseWhen::smaller);
  CHECK(memory.series.role == SeriesRole::subject);
  CHECK(figure("host-to-device/device=3 host=hx1 setting=nightly/bytes_per_second").value.value ==
        Approx(2e10));
  CHECK(figure("device-to-host/device=3 host=hx1 setting=nightly/bytes_per_second").value.value ==
        Approx(3e10));
}

TEST_CASE("launches of one host have figures of that host where they are wanted") {
  const std::vector<Record> launches{launch_on("hx1", 1, 1e-6)};
  CHECK(host_night(launches, "nightly").figures.empty());
  const HostNight night = figures_of_hosts(launches, "nightly");
  REQUIRE_FALSE(night.figures.empty());
  CHECK(night.figures.front().series.name.find("host=hx1") != std::string::npos);
}

TEST_CASE("memory is known by its modules, and GPUs by number and PCI device") {
  constexpr std::int64_t gibibyte = std::int64_t{1} << 30;
  const auto memory = [](std::int64_t bytes) {
    return host_facts(Host{.memory_bytes = bytes}).at("host.memory");
  };
  // 1.6 % and 1.7 % are kept by two kernels; one of 16 modules is missing.
  CHECK(memory(503 * gibibyte + 1) == "512 GiB");
  CHECK(memory(503 * gibibyte + gibibyte / 2) == "512 GiB");
  CHECK(memory(472 * gibibyte) == "480 GiB");
  CHECK(memory(std::int64_t{1510} * gibibyte) == "1536 GiB");
  CHECK(memory(25'200'000'000) == "24 GiB");
  const auto facts = host_facts(Host{.gpus = {"NVIDIA H200 [10de:2335]", "NVIDIA [10de:2335]"}});
  CHECK(facts.at("host.gpu") == "2 x NVIDIA 10de:2335");
  CHECK_FALSE(facts.contains("host.memory"));
  CHECK_FALSE(facts.contains("host.serial"));
  CHECK(host_facts(Host{.serial = "S1"}).at("host.serial") == "S1");
}

}  // namespace hockney::health
