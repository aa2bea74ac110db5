#pragma once

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "benchmarks/harness/guidelines.hpp"

namespace hockney {

/// bcast_by_pmpi.cpp holds "bcast-by-pmpi".
inline std::set<std::string> mock_up_files() {
  std::set<std::string> files;
  const std::string folder = HOCKNEY_SOURCE_DIR "/benchmarks/mockups";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp") continue;
    std::string name = entry.path().stem().string();
    std::ranges::replace(name, '_', '-');
    files.insert(name);
  }
  return files;
}

/// The mock-ups, and the operations that are there for their sake only.
inline std::vector<const CatalogueEntry*> mock_ups() {
  std::vector<const CatalogueEntry*> entries;
  for (const std::string& name : mock_up_files()) entries.push_back(&find_operation(name));
  return entries;
}

}  // namespace hockney
