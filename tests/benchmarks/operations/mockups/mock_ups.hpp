#pragma once

#include <set>
#include <string>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "tests/benchmarks/operations/registered_names.hpp"

namespace hockney::benchmarks {

inline std::set<std::string> mock_up_names() {
  return registered_names(HOCKNEY_SOURCE_DIR "/benchmarks/operations/mockups",
                          {"MockUp", "Original"});
}

/// The mock-ups, and the operations that are there for their sake only.
inline std::vector<const CatalogueEntry*> mock_ups() {
  std::vector<const CatalogueEntry*> entries;
  for (const std::string& name : mock_up_names()) entries.push_back(&find_operation(name));
  return entries;
}

}  // namespace hockney::benchmarks
