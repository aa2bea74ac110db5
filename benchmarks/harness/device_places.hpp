#pragma once

#include <mpi.h>

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/placement.hpp"
#include "benchmarks/harness/point.hpp"
#include "placement/device_links.hpp"
#include "placement/rank_pairs.hpp"

namespace hockney::benchmarks {

/// The devices of the ranks of a job, and how those of a node are connected; the same on all ranks.
struct DevicePlaces {
  std::vector<std::string> devices;  ///< PCI address of each rank's device; empty if it has none
  /// By node and the addresses of two devices, in order.
  std::map<std::tuple<int, std::string, std::string>, placement::DeviceHop> hops;
};

/// Finds the devices that choose_device selects for memory of a device among `wanted`. No devices
/// if there is no such memory. Collective.
DevicePlaces find_devices(MPI_Comm comm, const std::vector<MemorySides>& wanted,
                          const std::vector<Site>& sites);

/// How the devices of two ranks are connected. nullopt if they are on different nodes, if a rank
/// has no device, or if hwloc does not know it.
std::optional<placement::DeviceHop> device_hop(const DevicePlaces& places,
                                               const std::vector<Site>& sites,
                                               const placement::RankPair& pair);

/// One pair for each combination of `hop` and device hop that `known` pairs do not have, in order
/// of ranks.
std::vector<placement::RankPair> pairs_of_devices(const DevicePlaces& places,
                                                  const JobPlacement& job,
                                                  const std::vector<placement::RankHop>& known);

/// How the devices of a pair are connected, if both its buffers are on devices.
inline std::string parameter_text(placement::DeviceHop hop) { return std::string(word(hop)); }
inline constexpr Parameter<placement::DeviceHop> device_hop_parameter{"devices"};

}  // namespace hockney::benchmarks
