#include "components/application/where/cpu_limits.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "core/json_fields.hpp"
#include "core/json_node.hpp"
#include "core/json_values.hpp"
#include "core/text.hpp"

namespace hockney::where {

constexpr auto fields_of(std::type_identity<CpuLimit>) {
  return object_of(key("file", &CpuLimit::file), key("group", &CpuLimit::group),
                   key("cpus", &CpuLimit::cpus));
}

void read_into(const JsonNode& node, CpuLimit& limit) { read_fields(node, limit); }

void to_json(nlohmann::json& json, const CpuLimit& limit) { write_fields(json, limit); }

namespace {

/// The mounted hierarchy of control groups that limits CPU time.
struct Hierarchy {
  std::string root;   ///< group at the mount point
  std::string mount;  ///< its folder
  bool is_first_version = false;
};

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool has_cpu(const std::string& controllers) {
  const std::vector<std::string> all = split(controllers, ',');
  return std::ranges::find(all, "cpu") != all.end();
}

/// A line of /proc/self/mountinfo (proc(5)): root and mount point are the fields 4 and 5, the type
/// follows "-".
std::optional<Hierarchy> hierarchy_in(const std::string& line) {
  const std::vector<std::string> fields = split(line, ' ');
  const auto dash = std::ranges::find(fields, "-");
  if (dash - fields.begin() < 5 || fields.end() - dash < 4) return std::nullopt;
  const bool is_first = dash[1] == "cgroup" && has_cpu(dash[3]);
  if (!is_first && dash[1] != "cgroup2") return std::nullopt;
  return Hierarchy{.root = fields[3], .mount = fields[4], .is_first_version = is_first};
}

/// The group of this process in a hierarchy, by a line of /proc/self/cgroup: "4:cpu,cpuacct:/a".
std::optional<std::string> group_in(const std::string& line, const Hierarchy& hierarchy) {
  const std::size_t first = line.find(':');
  const std::size_t second = line.find(':', first + 1);
  if (first == std::string::npos || second == std::string::npos) return std::nullopt;
  const std::string controllers = line.substr(first + 1, second - first - 1);
  const bool is_it = hierarchy.is_first_version ? has_cpu(controllers) : controllers.empty();
  return is_it ? std::optional(line.substr(second + 1)) : std::nullopt;
}

/// The first number of a file is the quota; "max" and -1 are no limit.
std::optional<double> cpus_of_group(const std::string& folder, bool is_first_version) {
  const auto numbers = [&](const char* name) {
    std::ifstream in(folder + "/" + name);
    std::string line;
    std::getline(in, line);
    return split(line, ' ');
  };
  std::vector<std::string> words =
      is_first_version ? numbers("cpu.cfs_quota_us") : numbers("cpu.max");
  if (is_first_version) words.push_back(numbers("cpu.cfs_period_us").front());
  if (words.size() < 2) return std::nullopt;
  const auto quota = as_number<double>(words[0]);
  const auto period = as_number<double>(words[1]);
  const bool is_limit = quota && period && *quota > 0 && *period > 0;
  return is_limit ? std::optional(*quota / *period) : std::nullopt;
}

void add_limits(const std::string& root, const Hierarchy& hierarchy, const std::string& group,
                std::vector<CpuLimit>& limits) {
  namespace fs = std::filesystem;
  const bool is_below = hierarchy.root != "/" && group.starts_with(hierarchy.root);
  const fs::path below = is_below ? group.substr(hierarchy.root.size()) : group;
  fs::path path = (hierarchy.mount / below.relative_path()).lexically_normal();
  std::error_code none;
  if (!fs::is_directory(root + path.string(), none)) path = hierarchy.mount;
  for (;; path = path.parent_path()) {
    const std::string folder = root + path.string();
    struct stat facts {};
    const auto cpus = cpus_of_group(folder, hierarchy.is_first_version);
    if (cpus && ::stat(folder.c_str(), &facts) == 0) {
      const char* const name = hierarchy.is_first_version ? "cpu.cfs_quota_us" : "cpu.max";
      limits.push_back({.file = (path / name).string(), .group = facts.st_ino, .cpus = *cpus});
    }
    if (path == hierarchy.mount || !path.has_relative_path()) return;
  }
}

}  // namespace

std::vector<CpuLimit> read_cpu_limits(const std::string& root) {
  std::vector<CpuLimit> limits;
  const std::vector<std::string> groups = lines_of(root + "/proc/self/cgroup");
  for (const std::string& line : lines_of(root + "/proc/self/mountinfo")) {
    const auto hierarchy = hierarchy_in(line);
    if (!hierarchy) continue;
    for (const std::string& entry : groups) {
      if (const auto group = group_in(entry, *hierarchy)) {
        add_limits(root, *hierarchy, *group, limits);
      }
    }
  }
  return limits;
}

}  // namespace hockney::where
