// A fleet of nodes that measure themselves: how much its history grows in a night, how long a night
// is ingested and checked, and how much memory that takes. tests/benchmarks/README.md has results.
// Usage: fleet_scale [NODES [NIGHTS [NOISE [LAUNCHES]]]]; NOISE is normal or spiky. Without
// LAUNCHES the last night is a file for each node, with LAUNCHES so many launches of --each-node.

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "components/health/history/night_writer.hpp"
#include "core/node_records.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "tests/benchmarks/timed_driver.hpp"
#include "tests/components/health/nights/some_records.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace hockney;

namespace {

const std::int64_t first_day = parse_day("2025-06-01");

struct Fleet {
  int nodes = 10'000;
  int nights = 400;
  bool is_spiky = false;
  int launches = 0;  ///< of --each-node in the last night; 0: a file for each node
};

/// The points that each node measures: hop classes and sizes.
const std::vector<Point>& points() {
  static const std::vector<Point> all = [] {
    std::vector<Point> made;
    for (const char* hop : {"smt", "l3", "numa", "xpackage"}) {
      for (const std::int64_t bytes : {8, 4096, 1048576}) {
        Point point = health::hop_point("pingpong", bytes);
        point.hop = hop;
        made.push_back(point);
      }
    }
    return made;
  }();
  return all;
}

std::string host(int node) {
  const std::string number = std::to_string(node);
  return "node" + std::string(5 - number.size(), '0') + number;
}

/// Times of all nodes: a per cent of noise, usual levels that differ by a per cent, and what
/// happens to some: node 7 is 31 % slower at its first point from the sixth last night on, node 8
/// 5 %, and all nodes are 4 % slower at their second point from the tenth last night on.
class Truth {
 public:
  explicit Truth(const Fleet& fleet) : fleet_(fleet) {}

  double seconds(int node, std::size_t point, int night) {
    const double usual = 0.01 * std::sin(12.9898 * node + 78.233 * static_cast<double>(point));
    double log = usual + 0.01 * normal_(random_) + 0.01 * std::sin(1.7 * night);
    const bool has_spike = fleet_.is_spiky && uniform_(random_) < 0.05;
    if (has_spike) log += std::log(1.1 + 0.4 * uniform_(random_));
    const int left = fleet_.nights - night;
    if (node == 7 && point == 0 && left <= 6) log += std::log(1.31);
    if (node == 8 && point == 0 && left <= 6) log += std::log(1.05);
    if (point == 1 && left <= 10) log += std::log(1.04);
    return 1e-6 * static_cast<double>(point + 1) * std::exp(log);
  }

 private:
  Fleet fleet_;
  std::mt19937_64 random_{61};
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
};

Record record_of(Truth& truth, int node, int night) {
  Record record = health::nightly_launch("default", 1);
  record.started_utc = day_text(first_day + night) + "T03:00:00Z";
  record.provenance.hosts.front().name = host(node);
  record.provenance.hosts.front().cpu_model = "Some CPU";
  for (int rank = 0; rank < 2; ++rank) record.ranks.push_back({.rank = rank, .host = host(node)});
  for (std::size_t i = 0; i < points().size(); ++i) {
    add_measured(record, points()[i], truth.seconds(node, i, night));
  }
  return record;
}

SeriesName name_of(const Point& point) {
  return {.operation = point.operation,
          .keys = {{"ranks", "2"},
                   {"hop", *point.hop},
                   {"bytes", std::to_string(point.bytes.value)},
                   {"setting", "nightly"}},
          .figure = "seconds"};
}

void add_value(health::Night& night, const SeriesName& name, double seconds) {
  night.figures.push_back(
      {.series = {.name = name.text(), .unit = "seconds"},
       .value = {.day = night.day, .value = seconds, .launches = 1, .environment = "kernel"}});
}

/// A night as ingesting its records would store it.
health::Night night_of(Truth& truth, const Fleet& fleet, int number) {
  health::Night night;
  night.day = first_day + number;
  night.campaign = "nightly";
  night.records = {{.digest = "night-" + std::to_string(number), .file = "/none"}};
  night.environments = {{.digest = "kernel",
                         .facts = {{"host.kernel", "Linux 6.1"}, {"host.cpu_model", "Some CPU"}}}};
  std::vector<std::vector<double>> of_points(points().size());
  for (int node = 0; node < fleet.nodes; ++node) {
    for (std::size_t i = 0; i < points().size(); ++i) {
      const double seconds = truth.seconds(node, i, number);
      of_points[i].push_back(seconds);
      SeriesName name = name_of(points()[i]);
      name.keys["host"] = host(node);
      add_value(night, name, seconds);
    }
  }
  for (std::size_t i = 0; i < points().size(); ++i) {
    add_value(night, name_of(points()[i]), median_of_some(of_points[i]));
  }
  return night;
}

/// Does the work in a process of its own: a child's largest memory begins with its parent's, and
/// that of children is their largest.
template <class Work>
void apart(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
}

/// All nights but the last.
void fill(const std::string& file, const Fleet& fleet, Truth& truth) {
  const health::HistoryDatabase database(file, health::HistoryAccess::create);
  health::NightWriter writer(database);
  for (int number = 0; number + 1 < fleet.nights; ++number) {
    writer.store(night_of(truth, fleet, number));
  }
}

void write_records(const std::string& folder, const Fleet& fleet, Truth& truth) {
  std::filesystem::create_directories(folder);
  double bytes = 0;
  for (int node = 0; node < fleet.nodes; ++node) {
    const std::string file = folder + "/" + host(node) + ".json";
    save_record(record_of(truth, node, fleet.nights - 1), file);
    bytes += static_cast<double>(std::filesystem::file_size(file));
  }
  std::cout << fleet.nodes << " records of " << bytes / fleet.nodes << " B\n";
}

/// A node of a launch of --each-node, whose series have as many blocks as a file keeps of them.
Record node_of(Truth& truth, const Fleet& fleet, int node, int launch) {
  constexpr std::size_t blocks = 64;
  Record record = record_of(truth, node, fleet.nights - 1);
  record.campaign->launch = launch;
  record.provenance.command_line = {"hockney-pingpong", "--each-node"};
  for (std::size_t i = 0; i < record.series.size(); ++i) {
    Series& series = record.series[i];
    series.samples_seconds.clear();
    for (std::size_t block = 0; block < blocks; ++block) {
      series.samples_seconds.push_back(truth.seconds(node, i, fleet.nights - 1));
    }
    series.blocks.assign(blocks, 1);
    series.noise_probes_seconds.clear();
  }
  return record;
}

void write_launches(const std::string& folder, const Fleet& fleet, Truth& truth) {
  std::filesystem::create_directories(folder);
  double bytes = 0;
  for (int launch = 1; launch <= fleet.launches; ++launch) {
    const std::string file = folder + "/default-" + std::to_string(launch) + ".json";
    const Record first = node_of(truth, fleet, 0, launch);
    save_record(first, file);
    NodeTexts texts{.kinds = {kind_text(first)}};
    for (int node = 1; node < fleet.nodes; ++node) {
      texts.nodes.push_back(node_text(node_of(truth, fleet, node, launch)));
    }
    save_nodes(texts, file);
    bytes += static_cast<double>(std::filesystem::file_size(nodes_file(file)));
  }
  std::cout << fleet.launches << " launches of " << fleet.nodes << " nodes, "
            << bytes / fleet.launches / 1e6 << " MB each\n";
}

int run(int argc, char** argv) {
  std::cout << std::unitbuf;
  Fleet fleet;
  if (argc > 1) fleet.nodes = std::stoi(argv[1]);
  if (argc > 2) fleet.nights = std::stoi(argv[2]);
  fleet.is_spiky = argc > 3 && std::string(argv[3]) == "spiky";
  if (argc > 4) fleet.launches = std::stoi(argv[4]);
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/history.sqlite";
  const auto begin = std::chrono::steady_clock::now();
  apart([&] {
    Truth truth(fleet);
    fill(file, fleet, truth);
    const auto write = fleet.launches > 0 ? write_launches : write_records;
    write(folder.path() + "/records", fleet, truth);
  });
  const double bytes = static_cast<double>(std::filesystem::file_size(file));
  const double values = static_cast<double>(points().size()) * fleet.nodes * (fleet.nights - 1);
  std::cout << fleet.nodes << " nodes, " << points().size() << " figures, " << fleet.nights - 1
            << " nights in " << benchmarks::seconds_since(begin) << " s: " << bytes / 1e6 << " MB, "
            << bytes / values << " B a figure and night\n";
  apart([&] { benchmarks::drive({"ingest", folder.path() + "/records", "--history", file}); });
  apart([&] { benchmarks::drive({"check", "--history", file}); });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 3;
  }
}
