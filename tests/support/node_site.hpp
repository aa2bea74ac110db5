#pragma once

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <random>
#include <string>

#include "core/node_records.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "tests/components/health/nights/some_records.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney {

/// What one node measures in a night.
struct NodeTruth {
  double latency = 1;    ///< factor of the times of small messages
  double bandwidth = 1;  ///< factor of the times of large messages
  std::string kernel = "Linux 6.1";
  std::string cpu = "Some CPU";
  bool is_there = true;
  std::string failure{};  ///< why it is not there, in nights of --each-node
};

/// Nights of nodes that measure themselves, as folders of records: a launch of each node.
class NodeSite {
 public:
  using Truth = std::function<NodeTruth(int node, int night)>;

  [[nodiscard]] std::string records() const { return folder_.path() + "/nights"; }
  [[nodiscard]] std::string at(const std::string& name) const {
    return folder_.path() + "/" + name;
  }

  static std::string host(int node) {
    std::string number = std::to_string(node);
    return "n" + std::string(4 - std::min<std::size_t>(4, number.size()), '0') + number;
  }

  void add_night(std::int64_t first_day, int night, int nodes, const Truth& truth) {
    const std::string day = day_text(first_day + night);
    const std::string folder = records() + "/" + day + "/records";
    std::filesystem::create_directories(folder);
    for (int node = 0; node < nodes; ++node) {
      const NodeTruth one = truth(node, night);
      if (one.is_there) save_record(record_of(day, node, one), folder + "/" + host(node) + ".json");
    }
  }

  /// The same as one launch of --each-node: a record and the document of the other nodes.
  void add_each_node_night(std::int64_t first_day, int night, int nodes, const Truth& truth) {
    const std::string day = day_text(first_day + night);
    const std::string folder = records() + "/" + day + "/records";
    std::filesystem::create_directories(folder);
    const std::string file = folder + "/default-001.json";
    NodeTexts texts;
    for (int node = 0; node < nodes; ++node) {
      const NodeTruth one = truth(node, night);
      if (!one.is_there) {
        texts.missing.push_back({.host = host(node), .reason = one.failure});
        continue;
      }
      Record record = record_of(day, node, one);
      record.provenance.command_line = {"hockney-pingpong", "--each-node"};
      if (node == 0) {
        save_record(record, file);
        texts.kinds = {kind_text(record)};
      } else {
        texts.nodes.push_back(node_text(record));
      }
    }
    save_nodes(texts, file);
  }

 private:
  Record record_of(const std::string& day, int node, const NodeTruth& truth) {
    Record record = health::nightly_launch("default", 1);
    record.started_utc = day + "T03:00:00Z";
    record.provenance.hosts.front().name = host(node);
    record.provenance.hosts.front().kernel = truth.kernel;
    record.provenance.hosts.front().cpu_model = truth.cpu;
    for (int rank = 0; rank < 2; ++rank) record.ranks.push_back({.rank = rank, .host = host(node)});
    add_measured(record, health::hop_point("pingpong", 8), 1e-6 * noise() * truth.latency);
    add_measured(record, health::hop_point("pingpong", 65536), 1e-5 * noise() * truth.bandwidth);
    add_measured(record, health::hop_point("floor-memcpy", 65536), 1e-5 * noise());
    return record;
  }

  double noise() { return std::exp(0.01 * normal_(random_)); }

  TemporaryFolder folder_;
  std::mt19937_64 random_{61};
  std::normal_distribution<double> normal_;
};

}  // namespace hockney
