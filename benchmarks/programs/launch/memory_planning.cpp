#include "benchmarks/programs/launch/memory_planning.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "benchmarks/harness/buffer_pool.hpp"
#include "benchmarks/harness/buffer_ring.hpp"
#include "benchmarks/harness/data_layout.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/exposed_memory.hpp"
#include "benchmarks/harness/guidelines.hpp"
#include "benchmarks/harness/message.hpp"
#include "benchmarks/harness/operators.hpp"
#include "benchmarks/harness/point_under_way.hpp"
#include "benchmarks/harness/threads.hpp"
#include "benchmarks/harness/traffic.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"

namespace hockney::benchmarks::programs {
namespace {

constexpr int usual_threads = 2;

bool has_user_operator(const Descriptor& descriptor, const Point& point) {
  return descriptor.reduces && operator_of(point).is_user;
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
  if (descriptor.own.contains(layout_parameter))
    return "data with gaps are laid out in memory of the host";
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

/// In whole MiB where it is more.
std::string size_text(double bytes) {
  constexpr double mebibyte = 1 << 20;
  const double rounded = bytes < mebibyte ? bytes : std::floor(bytes / mebibyte) * mebibyte;
  return format_bytes(Bytes{static_cast<std::int64_t>(rounded)});
}

/// Ranks of one number share their memory.
int machine_of(const JobPlacement& job, int rank) {
  return job.simulated_on_bytes > 0 ? 0 : job.sites[static_cast<std::size_t>(rank)].node;
}

std::size_t free_bytes(const JobPlacement& job, int rank) {
  if (job.memories.empty()) return job.simulated_on_bytes;
  return job.memories[static_cast<std::size_t>(rank)].free_bytes;
}

/// The option that makes a point large.
std::string cause_of(const Descriptor& descriptor, const Point& point) {
  if (threads_of(point) > usual_threads) return "--threads";
  const bool has_long_window =
      descriptor.windowed && window_of(point) > default_window(point.bytes);
  return has_long_window ? "--window" : "--sizes";
}

/// The point for which a rank takes most.
struct LargestPoint {
  double bytes = 0;
  const Descriptor* descriptor = nullptr;
  const Point* point = nullptr;
};

/// Of every rank.
std::vector<LargestPoint> largest_points(const LaunchPlan& plan, std::size_t ranks) {
  std::vector<LargestPoint> largest(ranks);
  for (const Slot& slot : plan.slots) {
    for (const std::size_t index : slot.points) {
      const PlannedMeasurement& planned = plan.points[index];
      const Descriptor& descriptor = slot.operation->descriptor;
      if (size_obstacle(planned.point)) continue;  // a kernel's, which draws no buffers
      const double bytes = buffer_memory(descriptor, planned.point, planned.cache);
      for (const int rank : plan.rounds[planned.round][planned.group].ranks) {
        LargestPoint& own = largest[static_cast<std::size_t>(rank)];
        if (bytes > own.bytes) own = {bytes, &descriptor, &planned.point};
      }
    }
  }
  return largest;
}

}  // namespace

std::optional<std::string> excess_over(const JobPlacement& job, int rank, double bytes,
                                       const std::optional<Bytes>& space) {
  if (space) {
    if (bytes <= static_cast<double>(space->value)) return std::nullopt;
    return "--buffer-space, which is " + format_bytes(*space);
  }
  const std::size_t free = free_bytes(job, rank);
  if (free == 0 || bytes <= static_cast<double>(free) / 2) return std::nullopt;
  return "half of the free memory of " + job.sites[static_cast<std::size_t>(rank)].host +
         ", which is " + size_text(static_cast<double>(free));
}

double buffer_memory(const Descriptor& descriptor, const Point& point, const CachePlan& cache) {
  constexpr double kept_for_message = 1024;  // requests of Open MPI and MPICH: 500 to 800 B
  constexpr double places_of_block = 2;      // cold and fresh: at least
  constexpr double cache_line = 64;
  const double messages = messages_under_way(descriptor, point);
  const double buffers = buffer_count(descriptor, point);
  const double bytes = buffer_bytes(descriptor, point);
  double kept = descriptor.windowed ? messages * kept_for_message : 0;
  if (descriptor.one_sided) kept += std::max(bytes, messages * cache_line);  // what is exposed
  if (cache.state == CacheState::hot) {
    return kept + static_cast<double>(pool_places) * (bytes + buffers * page_bytes);
  }
  const auto unit =
      static_cast<double>(cache.state == CacheState::cold ? 2 * cache.line_bytes : page_bytes);
  return kept +
         std::max(static_cast<double>(cache.bytes), places_of_block * (bytes + buffers * unit));
}

std::optional<std::string> memory_obstacle(const Descriptor& descriptor, const Point& point,
                                           CacheState state, const JobPlacement& job,
                                           const GroupPlan& group, const LaunchOptions& options) {
  const bool is_asked_for = (descriptor.windowed && options.choices.has(window_parameter)) ||
                            (descriptor.threaded && options.choices.has(threads_parameter));
  if (is_asked_for) return std::nullopt;
  const double bytes = buffer_memory(descriptor, point, {.state = state});
  std::map<int, double> wanted;  // of each machine
  for (const int rank : group.ranks) {
    const auto excess =
        excess_over(job, rank, wanted[machine_of(job, rank)] += bytes, options.buffer_space);
    if (excess) return "its buffers would take more than " + *excess;
  }
  return std::nullopt;
}

void check_memory(const LaunchPlan& plan, const JobPlacement& job,
                  const std::optional<Bytes>& space) {
  const auto largest = largest_points(plan, job.sites.size());
  struct Machine {
    double bytes = 0;
    int rank = 0;  ///< one of its own
    LargestPoint most{};
  };
  std::map<int, Machine> machines;
  for (std::size_t i = 0; i < largest.size(); ++i) {
    const int rank = static_cast<int>(i);
    Machine& machine = machines[machine_of(job, rank)];
    machine.bytes += largest[i].bytes;
    machine.rank = rank;
    if (largest[i].bytes > machine.most.bytes) machine.most = largest[i];
  }
  double largest_machine = 0;
  for (const auto& [number, machine] : machines) {
    largest_machine = std::max(largest_machine, machine.bytes);
  }
  constexpr double spare = 1.02;  // of the size that is suggested: it is rounded
  for (const auto& [number, machine] : machines) {
    const auto excess = excess_over(job, machine.rank, machine.bytes, space);
    if (!excess) continue;
    throw InputError(
        {point_words(*machine.most.point) + " takes " + size_text(machine.most.bytes) +
             " of a rank",
         "all ranks of a node take " + size_text(machine.bytes) + ", more than " + *excess,
         "use smaller " + cause_of(*machine.most.descriptor, *machine.most.point) +
             ", or allow it with --buffer-space " + size_text(spare * largest_machine)});
  }
}

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
  const MemorySides& sides = point.parameters[memory_parameter];
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
