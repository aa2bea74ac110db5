#include "benchmarks/harness/memory_use.hpp"

#include <fstream>
#include <sstream>

namespace hockney {
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

std::string read_text(const char* file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
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

}  // namespace hockney
