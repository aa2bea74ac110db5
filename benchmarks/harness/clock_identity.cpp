#include "benchmarks/harness/clock_identity.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace hockney {

std::string clock_identity() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  if (!std::getline(file, boot) || boot.empty()) return {};
  // Kernels before 5.6 have no time namespaces and no such link, on all processes alike.
  std::error_code missing;
  return boot + " " + std::filesystem::read_symlink("/proc/self/ns/time", missing).string();
}

std::vector<int> clock_groups(const std::vector<std::string>& identities) {
  std::vector<int> groups;
  for (std::size_t i = 0; i < identities.size(); ++i) {
    const auto first = std::ranges::find(identities, identities[i]) - identities.begin();
    groups.push_back(
        static_cast<int>(identities[i].empty() ? static_cast<std::ptrdiff_t>(i) : first));
  }
  return groups;
}

}  // namespace hockney
