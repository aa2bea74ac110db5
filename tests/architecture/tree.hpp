#pragma once

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "tests/architecture/checker.hpp"

namespace hockney::architecture {

/// Folders of the root that hold no product code; what begins with a dot or with "build" is passed
/// over as well.
inline bool is_outside(const std::string& folder) {
  static const std::set<std::string> outside{"tests", "docs", "results", "configs", "cmake"};
  return folder.starts_with('.') || folder.starts_with("build") || outside.contains(folder);
}

/// Every .cpp and .hpp below `root` that belongs to the product.
inline std::vector<SourceFile> product_files(const std::filesystem::path& root) {
  namespace fs = std::filesystem;
  std::vector<SourceFile> files;
  for (const auto& folder : fs::directory_iterator(root)) {
    if (!folder.is_directory() || is_outside(folder.path().filename().string())) continue;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string extension = entry.path().extension().string();
      if (!entry.is_regular_file() || (extension != ".cpp" && extension != ".hpp")) continue;
      std::ifstream in(entry.path(), std::ios::binary);
      files.push_back({fs::relative(entry.path(), root).generic_string(),
                       {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}});
    }
  }
  return files;
}

}  // namespace hockney::architecture
