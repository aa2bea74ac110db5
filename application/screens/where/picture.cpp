#include "application/screens/where/picture.hpp"

#include <algorithm>
#include <utility>

#include "core/text.hpp"
#include "report/screens/screen.hpp"

namespace hockney::where {
namespace {

/// Who may be on one core: threads by rank.
using Guests = std::map<int, std::vector<int>>;

std::map<int, Guests> guests_by_core(const Occupancy& node) {
  std::map<int, Guests> guests;
  for (const placement::Pu& pu : node.node().pus) guests[pu.core];
  for (const Occupant& thread : node.threads()) {
    for (const int core : node.cores_of(thread.place->allowed_cpus)) {
      guests[core][thread.rank].push_back(thread.thread);
    }
  }
  return guests;
}

/// The only thread on a core; nullopt where there are none or more.
std::optional<std::pair<int, int>> single_guest(const Guests& guests) {
  if (guests.size() != 1 || guests.begin()->second.size() != 1) return std::nullopt;
  return std::pair(guests.begin()->first, guests.begin()->second.front());
}

/// Cores in a row that one entry speaks of.
struct CoreRun {
  std::vector<int> cores;
  Guests first;  ///< guests of the first core
  Guests last;
  bool is_series = false;  ///< a thread on each core, the next on the next

  /// Takes one more core where it goes on as the run does.
  bool take(int core, const Guests& guests) {
    const auto before = single_guest(last);
    const auto now = single_guest(guests);
    const bool is_next =
        before && now && before->first == now->first && before->second + 1 == now->second;
    const bool is_alike = guests == first && !is_series;
    if (!is_alike && !(is_next && (is_series || cores.size() == 1))) return false;
    is_series = !is_alike;
    cores.push_back(core);
    last = guests;
    return true;
  }
};

std::string guests_text(const CoreRun& run, const std::map<int, std::size_t>& threads_of) {
  if (run.first.empty()) return "idle";
  std::vector<std::string> parts;
  std::vector<int> whole;  // ranks all of whose threads are here
  for (const auto& [rank, threads] : run.first) {
    std::vector<int> all = threads;
    if (run.is_series) {
      for (int i = 1; i < static_cast<int>(run.cores.size()); ++i) all.push_back(threads[0] + i);
    }
    if (all.size() == threads_of.at(rank) && !run.is_series) {
      whole.push_back(rank);
    } else {
      parts.push_back("rank " + std::to_string(rank) +
                      (all.size() == 1 ? " thread " : " threads ") + placement::format_cpus(all));
    }
  }
  if (!whole.empty()) {
    const std::size_t threads = threads_of.at(whole.front());
    parts.insert(parts.begin(),
                 (whole.size() == 1 ? "rank " : "ranks ") + placement::format_cpus(whole) +
                     (threads > 1 ? " all " + std::to_string(threads) + " threads" : ""));
  }
  return join(parts);
}

/// A part of the node, by the smallest things its PUs share.
struct Place {
  int package = 0;
  std::vector<int> numa;
  std::optional<int> l3;
  std::optional<int> kind;

  auto operator<=>(const Place&) const = default;
};

/// "L3 0"; on processors with several kinds of cores "L3 0 P" of performance cores, "L3 0 E" of
/// others.
std::string cache_text(const Place& place) {
  const std::string cache = place.l3 ? "L3 " + std::to_string(*place.l3) : "no L3";
  if (!place.kind) return cache;
  return cache + (*place.kind == 0 ? " P" : " E");
}

/// The entries of a part in lines that leave the screen room for its name.
std::vector<std::string> runs_lines(const std::set<int>& cores, const std::map<int, Guests>& guests,
                                    const std::map<int, std::size_t>& threads_of) {
  std::vector<CoreRun> runs;
  for (const int core : cores) {
    const Guests& here = guests.at(core);
    if (runs.empty() || !runs.back().take(core, here)) runs.push_back({{core}, here, here});
  }
  constexpr std::size_t width = 60;
  std::vector<std::string> lines;
  for (const CoreRun& run : runs) {
    const std::string entry = (run.cores.size() == 1 ? "core " : "cores ") +
                              placement::format_cpus(run.cores) + ": " +
                              guests_text(run, threads_of);
    if (!lines.empty() && lines.back().size() + entry.size() + 2 <= width) {
      lines.back() += "; " + entry;
    } else {
      lines.push_back(entry);
    }
  }
  return lines;
}

}  // namespace

std::vector<std::string> picture_of(const Occupancy& node) {
  const std::map<int, Guests> guests = guests_by_core(node);
  std::map<int, std::size_t> threads_of;
  for (const RankPlace* rank : node.ranks()) threads_of[rank->rank] = rank->threads.size();
  std::map<Place, std::set<int>> places;
  for (const placement::Pu& pu : node.node().pus) {
    places[{pu.package, pu.numa, pu.l3, pu.kind}].insert(pu.core);
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& [place, cores] : places) {
    std::vector<std::string> name{rows.empty() ? inert(node.node().host) : "",
                                  "package " + std::to_string(place.package),
                                  "NUMA " + placement::format_cpus(place.numa), cache_text(place)};
    for (const std::string& line : runs_lines(cores, guests, threads_of)) {
      name.push_back(line);
      rows.push_back(name);
      name.assign(4, "");
    }
  }
  return report::columns_of(rows);
}

}  // namespace hockney::where
