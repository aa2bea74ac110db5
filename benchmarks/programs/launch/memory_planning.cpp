#include "benchmarks/programs/launch/memory_planning.hpp"

#include <algorithm>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/exposed_memory.hpp"
#include "benchmarks/harness/guidelines.hpp"
#include "benchmarks/harness/operators.hpp"
#include "core/error.hpp"

namespace hockney::benchmarks::programs {
namespace {

bool has_user_operator(const Descriptor& descriptor, const Point& point) {
  return descriptor.reduces && find_operator(point.parameters.at("operator")).is_user;
}

/// What keeps buffers from a device, whatever the ranks have.
std::optional<std::string> device_obstacle(const Descriptor& descriptor, const Point& point,
                                           CacheState state) {
  if (state == CacheState::cold) {
    return "buffers on a device are hot: they are in no cache of the host that could be cold";
  }
  if (is_mock_up(descriptor.name)) return "the host copies between its buffers, within the time";
  if (descriptor.carrier == Carrier::shared_memory || descriptor.carrier == Carrier::peer_memory) {
    return "it copies between buffers of the host";
  }
  if (descriptor.carrier == Carrier::none) return "the host works on its data";
  if (descriptor.files) return "files are written from memory of the host, and read into it";
  if (descriptor.laid_out) return "data with gaps are laid out in memory of the host";
  if (has_user_operator(descriptor, point)) return "the operator is a function of the host";
  return std::nullopt;
}

/// What keeps buffers from any memory but that of the host.
std::optional<std::string> operation_obstacle(const Descriptor& descriptor, CacheState state,
                                              const MemorySides& sides) {
  if (descriptor.one_sided) return "windows are in memory of the host (--window-kind says which)";
  if (state == CacheState::fresh) {
    return "fresh pages are there only when they are touched, within the time, so that nothing "
           "could be read back before";
  }
  if (sides.first != sides.second && descriptor.shape == GroupShape::everybody) {
    return "all ranks are alike in it: it has no two sides";
  }
  return std::nullopt;
}

}  // namespace

void check_memories(const std::vector<MemorySides>& memories) {
  for (const MemorySides& sides : memories) {
    if (!is_simulated() || sides == MemorySides{}) continue;
    throw InputError({"--memory " + memory_name(sides) + " under a simulator",
                      "simulated messages take the same time from whatever memory",
                      "use --memory host, or leave it out"});
  }
}

std::optional<std::string> sharing_obstacle(const Descriptor& descriptor, const Point& point,
                                            const JobPlacement& job, const GroupPlan& group,
                                            const FloorObstacles& floors) {
  if (const auto& obstacle = floors.of(descriptor.carrier)) return obstacle;
  const bool shares = descriptor.one_sided && window_kind_of(point) == WindowKind::shared;
  const bool needs_no_sharing =
      descriptor.carrier == Carrier::mpi || descriptor.carrier == Carrier::none;
  if (needs_no_sharing && !shares) return std::nullopt;
  const auto node = [&](int rank) { return job.sites[static_cast<std::size_t>(rank)].node; };
  const auto is_apart = [&](int rank) { return node(rank) != node(group.ranks.front()); };
  if (std::ranges::none_of(group.ranks, is_apart)) return std::nullopt;
  return "the ranks are on different nodes, and share no memory";
}

std::optional<std::string> kind_obstacle(const Descriptor& descriptor, const Point& point,
                                         CacheState state, const JobPlacement& job,
                                         const GroupPlan& group, const MemoryFacts& facts) {
  const MemorySides sides = memory_sides(point);
  if (sides == MemorySides{}) return std::nullopt;
  if (auto reason = operation_obstacle(descriptor, state, sides)) return reason;
  if (is_on_device(sides.first) || is_on_device(sides.second)) {
    if (auto reason = device_obstacle(descriptor, point, state)) return reason;
  }
  for (std::size_t rank = 0; rank < group.ranks.size(); ++rank) {
    const Memory memory = memory_at(point, static_cast<int>(rank));
    const Site& site = job.sites[static_cast<std::size_t>(group.ranks[rank])];
    if (auto reason = facts.obstacle(memory, site)) return reason;
    const auto unsendable = facts.unsendable.find(memory_name(memory));
    const bool is_sent = descriptor.carrier == Carrier::mpi;
    if (is_sent && unsendable != facts.unsendable.end()) return unsendable->second;
  }
  return std::nullopt;
}

}  // namespace hockney::benchmarks::programs
