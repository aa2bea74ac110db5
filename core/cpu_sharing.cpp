#include "core/cpu_sharing.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "core/text.hpp"

namespace hockney {
namespace {

constexpr std::string_view consequence = ": times are those of ranks that share CPUs";

std::string count_of(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string place_of(const CpuSharing& sharing) {
  return count_of(sharing.ranks, "rank") + " on " + count_of(sharing.cpus, "CPU");
}

bool is_flagged(const std::vector<std::string>& flags) {
  return std::ranges::find(flags, oversubscribed_flag) != flags.end();
}

}  // namespace

std::optional<CpuSharing> cpu_sharing(std::span<const RankPlace> places) {
  struct HostUse {
    std::set<int> cpus;
    std::size_t ranks = 0;
  };
  std::map<std::string, HostUse> hosts;
  for (const RankPlace& place : places) {
    if (place.actual_cpus.empty()) continue;
    HostUse& use = hosts[place.host];
    use.cpus.insert(place.actual_cpus.begin(), place.actual_cpus.end());
    ++use.ranks;
  }
  CpuSharing sharing;
  for (const auto& [name, use] : hosts) {
    if (use.ranks <= use.cpus.size()) continue;
    sharing.ranks += use.ranks;
    sharing.cpus += use.cpus.size();
  }
  return sharing.ranks > 0 ? std::optional(sharing) : std::nullopt;
}

std::string oversubscription_text(const CpuSharing& sharing) {
  return place_of(sharing) + std::string(consequence);
}

std::string oversubscription_text(const std::map<CpuSharing, std::size_t>& sharing,
                                  std::size_t launches) {
  if (sharing.empty()) return {};
  std::vector<std::string> places;
  std::size_t shared = 0;
  for (const auto& [one, count] : sharing) {
    places.push_back(place_of(one));
    shared += count;
  }
  std::string text = join(places) + std::string(consequence);
  if (shared < launches) {
    text += " (" + std::to_string(shared) + " of " + std::to_string(launches) + " launches)";
  }
  return text;
}

namespace {

/// What some launches share.
struct Sharing {
  std::map<CpuSharing, std::size_t> launches;
  std::size_t complete = 0;
  bool has_threads = false;
  bool is_unplaced = false;  ///< flagged launches whose ranks have no CPUs

  void add(const Record& record) {
    if (record.status != LaunchStatus::complete) return;
    ++complete;
    has_threads = has_threads || std::ranges::any_of(record.series, [](const Series& series) {
                    return is_flagged(series.flags);
                  });
    if (!is_flagged(record.flags)) return;
    const auto found = cpu_sharing(record.ranks);
    is_unplaced = is_unplaced || !found;
    if (found) ++launches[*found];
  }
};

}  // namespace

std::string oversubscription_text(std::span<const Record> launches,
                                  std::span<const Record> other_side) {
  Sharing sharing;
  for (const Record& record : launches) sharing.add(record);
  for (const Record& record : other_side) sharing.add(record);
  if (!sharing.launches.empty()) return oversubscription_text(sharing.launches, sharing.complete);
  if (sharing.is_unplaced) return "ranks share CPUs" + std::string(consequence);
  return sharing.has_threads ? "threads share CPUs: times are those of threads that share CPUs"
                             : "";
}

}  // namespace hockney
