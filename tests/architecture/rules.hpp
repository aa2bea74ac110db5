#pragma once

#include <string>
#include <vector>

namespace hockney::architecture {

/// A folder and the folders besides itself that its files may include.
struct FolderRule {
  std::string folder;
  std::vector<std::string> may_include;
};

/// A foreign header (or all headers below "name/") and the only places that may include it.
struct ForeignRule {
  std::string header;
  std::vector<std::string> only_in;  ///< a folder with all below it when it ends in '/', or a file
};

struct Rules {
  std::vector<FolderRule> folders;
  std::vector<ForeignRule> foreign;
  std::size_t longest_file = 0;  ///< [lines]
  std::size_t median_file = 0;   ///< [lines], at most, over all files
};

/// The layers of hockney; the tree is the data flow, and folders depend downward only.
inline Rules house_rules() {
  return {
      .folders = {{"core", {}},
                  {"algorithms", {"core"}},
                  {"settings", {"core"}},
                  {"placement", {"core", "placement/detail"}},
                  {"placement/detail", {"core"}},
                  {"benchmarks/engine", {"core"}},
                  {"benchmarks/harness", {"core", "settings", "placement", "benchmarks/engine"}},
                  {"benchmarks/operations", {"core", "benchmarks/engine", "benchmarks/harness"}},
                  {"benchmarks/mockups", {"core", "benchmarks/engine", "benchmarks/harness"}},
                  {"benchmarks/launch",
                   {"core", "settings", "placement", "cli", "report", "benchmarks/engine",
                    "benchmarks/harness"}},
                  {"benchmarks/protocol",
                   {"core", "cli", "report", "benchmarks/engine", "benchmarks/harness",
                    "benchmarks/launch"}},
                  {"benchmarks/algorithms",
                   {"core", "settings", "cli", "benchmarks/engine", "benchmarks/harness",
                    "benchmarks/launch"}},
                  {"benchmarks/procedures",
                   {"core", "benchmarks/launch", "benchmarks/protocol", "benchmarks/algorithms"}},
                  {"fingerprints", {"core", "settings", "algorithms"}},
                  {"campaign", {"core", "settings", "algorithms", "fingerprints"}},
                  {"models", {"core", "algorithms"}},
                  {"models/collectives", {"core", "algorithms", "models"}},
                  {"verdicts", {"core"}},
                  {"verdicts/fleet", {"core"}},
                  {"verdicts/health", {"core", "verdicts", "verdicts/fleet"}},
                  {"history", {"core", "verdicts/fleet", "verdicts/health"}},
                  {"history/nights",
                   {"core", "models", "verdicts/fleet", "verdicts/health", "history"}},
                  {"selection", {"core", "verdicts"}},
                  {"report",
                   {"core", "settings", "models", "models/collectives", "verdicts", "placement"}},
                  {"report/selection", {"core", "selection", "report"}},
                  {"report/health",
                   {"core", "verdicts/fleet", "verdicts/health", "history", "report"}},
                  {"cli", {"core"}},
                  {"apps",
                   {"core", "settings", "algorithms", "fingerprints", "placement", "campaign",
                    "models", "models/collectives", "verdicts", "verdicts/fleet", "report", "cli"}},
                  {"apps/tune",
                   {"core", "campaign", "verdicts", "selection", "report", "report/selection",
                    "cli", "apps"}},
                  {"apps/health",
                   {"core", "verdicts/fleet", "verdicts/health", "history", "history/nights",
                    "report", "report/health", "cli", "apps"}}},
      .foreign = {{"mpi.h",
                   {"benchmarks/harness/", "benchmarks/operations/", "benchmarks/mockups/",
                    "benchmarks/launch/", "benchmarks/protocol/", "benchmarks/algorithms/",
                    "benchmarks/procedures/"}},
                  {"hwloc.h",
                   {"placement/read_topology.cpp", "placement/binding.cpp", "placement/detail/"}},
                  {"hwloc/",
                   {"placement/read_topology.cpp", "placement/binding.cpp", "placement/detail/"}},
                  {"simdjson.h", {"core/json_read.cpp"}},
                  {"SQLiteCpp/", {"history/"}},
                  {"sqlite3.h", {"history/"}},
                  {"CLI/", {"cli/", "apps/", "benchmarks/launch/", "benchmarks/protocol/"}}},
      .longest_file = 300,
      .median_file = 100};
}

}  // namespace hockney::architecture
