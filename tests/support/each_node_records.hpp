#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/node_records.hpp"
#include "tests/support/page_records.hpp"

namespace hockney {

/// Nodes that measure themselves, whose times are known.
struct EachNodeTruth {
  int nodes = 4;
  int launches = 2;
  double factor = 1;  ///< of the times of the last node
};

/// Launches of --each-node as load_records() returns them: hosts h0, h1 ... measure ping_pongs()
/// (tests/support/page_records.hpp) for 2 s each.
inline std::vector<Record> launches_of_nodes(const EachNodeTruth& truth) {
  std::vector<Record> records;
  for (int node = 0; node < truth.nodes; ++node) {
    const bool is_last = node + 1 == truth.nodes;
    for (Record& record : ping_pongs(truth.launches, is_last ? truth.factor : 1)) {
      record.provenance.hosts = {{.name = "h" + std::to_string(node)}};
      record.provenance.command_line = {"hockney-pingpong", "--each-node"};
      record.elapsed_seconds = 2;
      name_host(record);
      records.push_back(std::move(record));
    }
  }
  return records;
}

}  // namespace hockney
