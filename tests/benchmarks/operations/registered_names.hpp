#pragma once

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"

namespace hockney::benchmarks {

/// The operations that the files of a folder register, by the names of their objects there:
/// "ssend-pingpong" of `const Registration<SsendPingPong> ssend_pingpong;`.
inline std::set<std::string> registered_names(const std::string& folder,
                                              const std::vector<std::string>& templates) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = read_file(entry.path().string());
    for (const std::string& name : templates) {
      const std::regex object("const " + name + "<[^;]*>\\s+([a-z_]+);");
      for (std::sregex_iterator found(text.begin(), text.end(), object), end; found != end;
           ++found) {
        std::string operation = (*found)[1];
        std::ranges::replace(operation, '_', '-');
        names.insert(operation);
      }
    }
  }
  return names;
}

}  // namespace hockney::benchmarks
