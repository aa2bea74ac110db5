#pragma once

#include <string>
#include <vector>

namespace hockney::architecture {

/// A folder and the folders besides itself that its files may include.
struct FolderRule {
  std::string folder;
  std::vector<std::string> may_include;
};

/// The namespace of a folder with all below it.
struct NamespaceRule {
  std::string folder;
  std::string name;
};

/// A foreign header (or all headers below "name/") and the only places that may include it.
struct ForeignRule {
  std::string header;
  std::vector<std::string> only_in;  ///< a folder with all below it when it ends in '/', or a file
};

struct Rules {
  std::vector<FolderRule> folders;
  std::vector<ForeignRule> foreign;
  std::vector<NamespaceRule> namespaces;  ///< others have hockney::<the folder at the top>
};

/// The layers of hockney; the tree is the data flow, and folders depend downward only.
inline Rules house_rules() {
  return {
      .folders =
          {{"core", {}},
           {"core/cli", {"core"}},
           {"imports", {"core"}},
           {"application/profile", {"core"}},
           {"application/library", {"core", "application/profile"}},
           {"application/analysis", {"core", "application/profile"}},
           {"application/symbols", {"core", "application/profile", "application/analysis"}},
           {"placement", {"core"}},
           {"placement/network", {"core"}},
           {"models", {"core"}},
           {"models/schedules", {"core"}},
           {"models/collectives", {"core", "models", "models/schedules"}},
           {"application/projection",
            {"core", "application/profile", "models", "models/schedules", "models/collectives",
             "application/analysis"}},
           {"verdicts", {"core"}},
           {"report", {"core"}},
           {"placement/tables", {"core", "placement", "report"}},
           {"models/tables", {"core", "models", "models/collectives", "report"}},
           {"verdicts/tables", {"core", "verdicts", "report"}},
           {"report/screens",
            {"core", "models", "models/collectives", "models/tables", "verdicts", "verdicts/tables",
             "placement/network", "report"}},
           {"report/page",
            {"core", "models", "models/collectives", "verdicts", "verdicts/tables", "report",
             "report/screens"}},
           {"application/screens",
            {"core", "application/profile", "application/analysis", "application/projection",
             "report", "report/screens"}},
           {"application/page",
            {"core", "application/profile", "application/analysis", "application/projection",
             "report", "report/screens", "report/page", "application/screens",
             "application/screens/where", "application/where"}},
           {"benchmarks/engine", {"core"}},
           {"benchmarks/watch", {}},
           {"benchmarks/harness",
            {"core", "placement", "placement/network", "benchmarks/engine", "benchmarks/watch"}},
           {"benchmarks/operations", {"core", "benchmarks/engine", "benchmarks/harness"}},
           {"benchmarks/operations/mockups", {"core", "benchmarks/engine", "benchmarks/harness"}},
           {"benchmarks/operations/threads", {"core", "benchmarks/engine", "benchmarks/harness"}},
           {"benchmarks/operations/noise", {"core", "benchmarks/engine", "benchmarks/harness"}},
           {"benchmarks/kernels", {"core", "benchmarks/engine", "benchmarks/harness"}},
           {"benchmarks/programs/launch",
            {"core", "core/cli", "placement", "report", "benchmarks/engine", "benchmarks/harness"}},
           {"benchmarks/programs/protocol",
            {"core", "core/cli", "report", "benchmarks/engine", "benchmarks/harness",
             "benchmarks/programs/launch"}},
           {"benchmarks/programs/algorithms",
            {"core", "core/cli", "benchmarks/engine", "benchmarks/harness",
             "benchmarks/programs/launch"}},
           {"benchmarks/programs/kernels",
            {"core", "core/cli", "report", "benchmarks/engine", "benchmarks/harness",
             "benchmarks/kernels", "benchmarks/programs/launch"}},
           {"benchmarks/programs/startup",
            {"core", "core/cli", "report", "benchmarks/engine", "benchmarks/harness",
             "benchmarks/programs/launch"}},
           {"benchmarks/programs",
            {"core", "core/cli", "report", "benchmarks/harness", "benchmarks/kernels",
             "benchmarks/programs/launch", "benchmarks/programs/protocol",
             "benchmarks/programs/algorithms", "benchmarks/programs/kernels",
             "benchmarks/programs/startup"}},
           {"campaign/fingerprints", {"core", "models/schedules"}},
           {"campaign", {"core", "models/schedules", "campaign/fingerprints"}},
           {"campaign/app",
            {"core", "core/cli", "placement", "placement/network", "report", "report/screens",
             "report/page", "campaign"}},
           {"verdicts/fleet", {"core"}},
           {"health/detection", {"core", "verdicts", "verdicts/fleet"}},
           {"health/history", {"core", "verdicts/fleet", "health/detection"}},
           {"health/nights",
            {"core", "models", "verdicts/fleet", "health/detection", "health/history"}},
           {"health/report",
            {"core", "report", "report/page", "verdicts/fleet", "health/detection",
             "health/history"}},
           {"health/app",
            {"core", "apps", "core/cli", "report", "report/screens", "report/page", "campaign",
             "campaign/app", "verdicts/fleet", "health/detection", "health/history",
             "health/nights", "health/report"}},
           {"tune", {"core", "verdicts"}},
           {"tune/tables", {"core", "report", "tune"}},
           {"tune/app",
            {"core", "apps", "core/cli", "verdicts", "report", "report/screens", "campaign",
             "campaign/app", "tune", "tune/tables"}},
           {"application/advice",
            {"core", "application/profile", "models", "models/schedules", "models/collectives",
             "application/analysis", "application/projection", "tune", "verdicts"}},
           {"application/screens/advice",
            {"core", "application/profile", "application/projection", "verdicts", "report",
             "report/screens", "application/advice"}},
           {"application/where", {"core", "placement", "campaign"}},
           {"application/where/probe", {"core", "placement", "application/where"}},
           {"application/screens/where",
            {"core", "placement", "campaign", "report", "report/screens", "application/where"}},
           {"apps",
            {"core", "core/cli", "placement", "placement/tables", "placement/network", "models",
             "models/schedules", "models/collectives", "models/tables", "verdicts",
             "verdicts/tables", "report", "report/screens", "report/page", "campaign",
             "campaign/app", "campaign/fingerprints", "verdicts/fleet", "imports"}},
           {"application/commands",
            {"core",
             "core/cli",
             "placement",
             "models",
             "models/schedules",
             "models/collectives",
             "application/analysis",
             "application/projection",
             "models/tables",
             "verdicts",
             "report",
             "report/screens",
             "report/page",
             "application/screens",
             "application/page",
             "campaign",
             "campaign/app",
             "application/profile",
             "application/symbols",
             "application/advice",
             "application/screens/advice",
             "application/where",
             "application/screens/where",
             "apps"}}},
      .foreign = {{"mpi.h",
                   {"benchmarks/harness/", "benchmarks/operations/", "benchmarks/kernels/",
                    "benchmarks/programs/", "application/library/"}},
                  {"hwloc.h", {"placement/machine.cpp", "placement/device_links.cpp"}},
                  {"hwloc/", {"placement/machine.cpp"}},
                  {"scotch.h", {"application/analysis/mapping.cpp"}},
                  {"elfutils/", {"application/symbols/module_symbols.cpp"}},
                  {"dwarf.h", {"application/symbols/module_symbols.cpp"}},
                  {"simdjson.h", {"core/json_read.cpp"}},
                  {"Eigen/", {"models/", "verdicts/"}},
                  {"SQLiteCpp/", {"health/history/"}},
                  {"sqlite3.h", {"health/history/"}},
                  {"CLI/", {"core/cli/"}}},
      .namespaces = {{"core", "hockney"},
                     {"support", "hockney"},  // of the tests
                     {"whole/simulated", "hockney::simulation"},
                     {"whole", "hockney::apps"},
                     {"verdicts/fleet", "hockney::fleet"},
                     {"models/tables", "hockney::report"},
                     {"verdicts/tables", "hockney::report"},
                     {"placement/tables", "hockney::report"},
                     {"benchmarks/kernels", "hockney::benchmarks::kernels"},
                     {"benchmarks/programs", "hockney::benchmarks::programs"},
                     {"models/schedules", "hockney::schedules"},
                     {"models/collectives", "hockney::collectives"},
                     {"application/profile", "hockney::profile"},
                     {"application/library", "hockney::profile"},
                     {"application/advice", "hockney::advice"},
                     {"application/where", "hockney::where"},
                     {"application/screens/advice", "hockney::advice"},
                     {"application/screens/where", "hockney::where"},
                     {"application/screens", "hockney::report"},
                     {"application/page", "hockney::report"},
                     {"application/commands", "hockney::apps"},
                     {"application/symbols", "hockney::symbols"},
                     {"application/analysis", "hockney::applications"},
                     {"application/projection", "hockney::projection"}}};
}

}  // namespace hockney::architecture
