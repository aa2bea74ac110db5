#include "benchmarks/harness/rank_memory.hpp"

#include <sys/resource.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "benchmarks/harness/gather.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {
namespace {

constexpr std::int64_t kibibyte = 1024;

/// The value of the line "Key:   123 kB" [B].
std::optional<std::int64_t> find_size(const std::string& text, const std::string& key) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key + ":")) continue;
    std::istringstream value(line.substr(key.size() + 1));
    if (std::int64_t kibibytes = 0; value >> kibibytes) return kibibytes * kibibyte;
  }
  return std::nullopt;
}

std::string read_text(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// A number in a file of its own; nullopt without the file, and for words such as "max".
std::optional<std::size_t> number_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::size_t number = 0;
  return in >> number ? std::optional(number) : std::nullopt;
}

/// The files of one version of control groups, and the line of memory.stat with what can be
/// dropped.
struct GroupFiles {
  const char* most;
  const char* taken;
  const char* droppable;
};
constexpr GroupFiles version_2{"memory.max", "memory.current", "inactive_file"};
constexpr GroupFiles version_1{"memory.limit_in_bytes", "memory.usage_in_bytes",
                               "total_inactive_file"};

/// What one group leaves [B].
std::optional<std::size_t> left_in(const std::filesystem::path& folder, const GroupFiles& files) {
  const auto most = number_in(folder / files.most);
  const auto taken = number_in(folder / files.taken);
  if (!most || !taken) return std::nullopt;
  std::ifstream statistics(folder / "memory.stat");
  std::size_t droppable = 0;
  std::size_t number = 0;
  for (std::string key; statistics >> key >> number;) {
    if (key == files.droppable) droppable = number;
  }
  return *most - std::min(*most, *taken - std::min(*taken, droppable));
}

/// The least that a group, or any that it is in, leaves [B]. Inside of a container its path may not
/// be there: then those above it count, down to the root.
std::optional<std::size_t> left_up_from(std::filesystem::path group, const std::string& root,
                                        const GroupFiles& files) {
  std::optional<std::size_t> least;
  for (;; group = group.parent_path()) {
    const auto left = left_in(root / group.relative_path(), files);
    if (left) least = std::min(*left, least.value_or(*left));
    if (group == group.parent_path()) return least;
  }
}

constexpr int changing = -1;

std::string packed_memory(const RankMemory& memory) {
  std::ostringstream out;
  out << memory.cache.value_or(changing) << ' ' << memory.cache_bytes << ' ' << memory.line_bytes
      << ' ' << memory.inner_bytes << ' ' << memory.free_bytes;
  return out.str();
}

RankMemory unpack_memory(const std::string& text) {
  std::istringstream in(text);
  RankMemory memory;
  int cache = changing;
  in >> cache >> memory.cache_bytes >> memory.line_bytes >> memory.inner_bytes >> memory.free_bytes;
  if (cache != changing) memory.cache = cache;
  return memory;
}

}  // namespace

std::optional<MemoryUse> parse_memory_use(const std::string& rollup, const std::string& status) {
  const auto rss = find_size(rollup, "Rss");
  const auto pss = find_size(rollup, "Pss");
  const auto shared = find_size(status, "RssShmem");
  if (!rss || !pss || !shared) return std::nullopt;
  return MemoryUse{.rss_bytes = *rss, .pss_bytes = *pss, .shared_bytes = *shared};
}

std::optional<MemoryUse> read_memory_use() {
  return parse_memory_use(read_text("/proc/self/smaps_rollup"), read_text("/proc/self/status"));
}

std::int64_t page_faults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;  // NOLINT(cppcoreguidelines-pro-type-union-access): glibc has it in one
}

RankMemory describe_caches(const placement::Topology& topology, const std::vector<int>& os_cpus) {
  RankMemory memory;
  int near = 0;
  const auto is_own = [&](int cpu) { return std::ranges::find(os_cpus, cpu) != os_cpus.end(); };
  for (std::size_t i = 0; i < topology.last_caches.size(); ++i) {
    const placement::LastCache& cache = topology.last_caches[i];
    if (std::ranges::none_of(cache.os_cpus, is_own)) continue;
    memory.cache = ++near == 1 ? std::optional(static_cast<int>(i)) : std::nullopt;
    memory.cache_bytes = std::max(memory.cache_bytes, cache.bytes);
    memory.line_bytes = std::max(memory.line_bytes, cache.line_bytes);
    memory.inner_bytes = std::max(memory.inner_bytes, cache.inner_bytes);
  }
  return memory;
}

std::size_t available_memory(const std::string& meminfo) {
  const std::string key = "MemAvailable:";
  const std::size_t at = meminfo.find(key);
  if (at == std::string::npos) return 0;
  std::istringstream in(meminfo.substr(at + key.size()));
  std::size_t kibibytes = 0;
  in >> kibibytes;
  return kibibytes * 1024;
}

std::optional<std::size_t> left_in_groups(const std::string& groups, const std::string& root) {
  std::optional<std::size_t> least;
  std::istringstream lines(groups);
  for (std::string line; std::getline(lines, line);) {  // "0::/user.slice", "4:cpu,memory:/docker"
    const std::vector<std::string> parts = split(line, ':');
    if (parts.size() < 3) continue;
    const std::vector<std::string> controllers = split(parts[1], ',');
    const bool is_2 = parts[0] == "0";
    if (!is_2 && std::ranges::find(controllers, "memory") == controllers.end()) continue;
    const auto left = is_2 ? left_up_from(parts[2], root, version_2)
                           : left_up_from(parts[2], root + "/memory", version_1);
    if (left) least = std::min(*left, least.value_or(*left));
  }
  return least;
}

std::size_t free_memory() {
  const std::size_t free = available_memory(read_text("/proc/meminfo"));
  const auto left = left_in_groups(read_text("/proc/self/cgroup"), "/sys/fs/cgroup");
  return std::min(free, left.value_or(free));
}

std::vector<RankMemory> gather_memories(MPI_Comm comm, const placement::Topology& topology,
                                        const std::vector<int>& os_cpus) {
  RankMemory own = describe_caches(topology, os_cpus);
  own.free_bytes = free_memory();
  std::vector<RankMemory> memories;
  for (const std::string& text : gather_texts(comm, packed_memory(own))) {
    memories.push_back(unpack_memory(text));
  }
  return memories;
}

}  // namespace hockney::benchmarks
