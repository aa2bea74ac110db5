#include "benchmarks/harness/device_places.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {
namespace {

std::optional<DeviceMaker> wanted_maker(const std::vector<MemorySides>& wanted) {
  for (const MemorySides& sides : wanted) {
    for (const Memory& memory : {sides.first, sides.second}) {
      if (is_on_device(memory)) return maker_of(memory);
    }
  }
  return std::nullopt;
}

/// The PCI address of the calling rank's device; empty if it has none.
std::string own_device(DeviceMaker maker, int local_rank) {
  try {
    return choose_device(DeviceRuntime(maker), local_rank).bus_id;
  } catch (const RunError&) {
    return "";  // the memory will be refused, with the reason
  }
}

/// Lines "ONE OTHER HOP" for all pairs of devices of a node.
std::string describe_hops(const std::set<std::string>& devices) {
  if (devices.empty()) return "";
  std::string lines;
  const placement::DeviceLinks links;
  for (auto one = devices.begin(); one != devices.end(); ++one) {
    for (auto other = one; other != devices.end(); ++other) {
      const auto hop = links.between(*one, *other);
      if (hop) lines += fmt::format("{} {} {}\n", *one, *other, word(*hop));
    }
  }
  return lines;
}

}  // namespace

DevicePlaces find_devices(MPI_Comm comm, const std::vector<MemorySides>& wanted,
                          const std::vector<Site>& sites) {
  const auto maker = wanted_maker(wanted);
  if (!maker) return {};
  const Site& own = sites[static_cast<std::size_t>(rank_in(comm))];
  DevicePlaces places{.devices = gather_texts(comm, own_device(*maker, own.local_rank))};
  std::set<std::string> of_node;
  for (const Site& site : sites) {
    const std::string& device = places.devices[static_cast<std::size_t>(site.rank)];
    if (site.node == own.node && !device.empty()) of_node.insert(device);
  }
  const auto texts = gather_texts(comm, own.local_rank == 0 ? describe_hops(of_node) : "");
  for (const Site& site : sites) {
    std::istringstream lines(texts[static_cast<std::size_t>(site.rank)]);
    std::string one;
    std::string other;
    for (std::string hop; lines >> one >> other >> hop;) {
      const auto found = find_word<placement::DeviceHop>(hop);
      if (found) places.hops.emplace(std::tuple(site.node, one, other), *found);
    }
  }
  return places;
}

std::optional<placement::DeviceHop> device_hop(const DevicePlaces& places,
                                               const std::vector<Site>& sites,
                                               const placement::RankPair& pair) {
  if (places.devices.empty()) return std::nullopt;
  const auto first = static_cast<std::size_t>(pair.first);
  const auto second = static_cast<std::size_t>(pair.second);
  if (sites[first].node != sites[second].node) return std::nullopt;
  const auto [low, high] = std::minmax(places.devices[first], places.devices[second]);
  const auto found = places.hops.find({sites[first].node, low, high});
  return found == places.hops.end() ? std::nullopt : std::optional(found->second);
}

std::vector<placement::RankPair> pairs_of_devices(const DevicePlaces& places,
                                                  const JobPlacement& job,
                                                  const std::vector<placement::RankHop>& known) {
  std::vector<placement::RankPair> pairs;
  if (places.hops.empty()) return pairs;
  using Kind = std::pair<std::optional<placement::Hop>, placement::DeviceHop>;
  std::set<Kind> present;
  for (const placement::RankHop& pair : known) {
    const auto devices = device_hop(places, job.sites, pair.ranks);
    if (devices) present.insert({pair.hop, *devices});
  }
  const auto ranks = static_cast<int>(job.sites.size());
  for (int low = 0; low < ranks; ++low) {
    for (int high = low + 1; high < ranks; ++high) {
      const auto devices = device_hop(places, job.sites, {low, high});
      if (devices && present.insert({hop_of(job, {low, high}), *devices}).second) {
        pairs.push_back({low, high});
      }
    }
  }
  return pairs;
}

}  // namespace hockney::benchmarks
