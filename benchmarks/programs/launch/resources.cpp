#include "benchmarks/programs/launch/resources.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/buffer_ring.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/data_layout.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/epochs.hpp"
#include "benchmarks/harness/traffic.hpp"
#include "benchmarks/programs/launch/communicators.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "placement/machine.hpp"

namespace hockney::benchmarks::programs {
namespace {

constexpr int usual_threads = 2;

bool has_user_operator(const Descriptor& descriptor, const Point& point) {
  return descriptor.reduces && operator_of(point).is_user;
}

/// Why buffers cannot be on a device, for all ranks.
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

/// Why buffers cannot be in memory other than the host's.
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

/// A size, in whole MiB if it is at least one.
std::string size_text(double bytes) {
  constexpr double mebibyte = 1 << 20;
  const double rounded = bytes < mebibyte ? bytes : std::floor(bytes / mebibyte) * mebibyte;
  return format_bytes(Bytes{static_cast<std::int64_t>(rounded)});
}

/// Number of a rank's machine; ranks with equal numbers share memory.
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

/// The point for which a rank needs most memory.
struct LargestPoint {
  double bytes = 0;
  const Descriptor* descriptor = nullptr;
  const Point* point = nullptr;
};

/// The largest point of every rank.
std::vector<LargestPoint> largest_points(const LaunchPlan& plan, std::size_t ranks) {
  std::vector<LargestPoint> largest(ranks);
  for (const Slot& slot : plan.slots) {
    for (const std::size_t index : slot.points) {
      const PlannedMeasurement& planned = plan.points[index];
      const Descriptor& descriptor = slot.operation->descriptor;
      if (size_obstacle(planned.point)) continue;  // points of kernels draw no buffers
      const double bytes = buffer_memory(descriptor, planned.point, planned.cache);
      for (const int rank : plan.rounds[planned.round][planned.group].ranks) {
        LargestPoint& own = largest[static_cast<std::size_t>(rank)];
        if (bytes > own.bytes) own = {bytes, &descriptor, &planned.point};
      }
    }
  }
  return largest;
}

/// The limit that `bytes` on the node of a rank exceed: `space`, or half of the free memory there.
/// nullopt if they do not, or if the free memory is unknown. Simulated ranks are all on one
/// machine.
std::optional<std::string> excess_over(const JobPlacement& job, int rank, double bytes,
                                       const std::optional<Bytes>& space) {
  if (space) {
    if (bytes <= static_cast<double>(space->value)) return std::nullopt;
    return "--buffer-space, which is " + format_bytes(*space);
  }
  const std::size_t free = free_bytes(job, rank);
  if (free == 0 || bytes <= static_cast<double>(free) / 2) return std::nullopt;
  return fmt::format("half of the free memory of {}, which is {}",
                     job.sites[static_cast<std::size_t>(rank)].host,
                     size_text(static_cast<double>(free)));
}

constexpr std::size_t fresh_bytes = std::size_t{256} << 20;  // of one rank in one block
constexpr std::size_t caches_held = 2;                       // ratio of a ring to the cache
constexpr std::size_t cold_overhead = 3;  // largest, by gaps between buffers (buffer_ring.hpp)

std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

RankMemory memory_of(const JobPlacement& job, int rank) {
  return job.memories.empty() ? RankMemory{} : job.memories[at(rank)];
}

/// Whether two ranks certainly share a last-level cache.
bool share_cache(const JobPlacement& job, int a, int b) {
  const auto cache = memory_of(job, a).cache;
  return cache && cache == memory_of(job, b).cache &&
         job.sites[at(a)].node == job.sites[at(b)].node;
}

std::size_t cold_bytes(const JobPlacement& job, int rank, std::span<const GroupPlan> at_work) {
  std::size_t others = 0;
  for (const GroupPlan& group : at_work) {
    others += static_cast<std::size_t>(std::ranges::count_if(
        group.ranks, [&](int other) { return other != rank && share_cache(job, rank, other); }));
  }
  const std::size_t sharers = others + 1;
  const RankMemory memory = memory_of(job, rank);
  const std::size_t share = (caches_held * memory.cache_bytes + sharers - 1) / sharers;
  return std::max(share, caches_held * memory.inner_bytes);
}

/// Memory that each rank comes to need [B]: rings are kept from one block to the next.
std::map<int, std::size_t> memory_to_hold(CacheState state, const JobPlacement& job,
                                          std::span<const GroupRound> rounds) {
  std::map<int, std::size_t> held;
  for (const GroupRound& round : rounds) {
    for (const GroupPlan& group : round) {
      const std::size_t bytes = plan_cache(state, job, group, round).bytes *
                                (state == CacheState::cold ? cold_overhead : 1);
      for (const int rank : group.ranks) held[rank] = std::max(held[rank], bytes);
    }
  }
  return held;
}

/// CPUs of one node that are available to working ranks, each once, in order.
class FreeCpus {
 public:
  FreeCpus(const JobPlacement& job, int node, const std::vector<int>& at_work) {
    for (const int rank : at_work) {
      if (is_on(job, rank, node)) taken_.insert(cpu_of(job, rank));
    }
    for (const Site& site : job.sites) {
      if (site.node == node) add(cpu_of(job, site.rank));
    }
    for (const int cpu : job.node_cpus[static_cast<std::size_t>(node)]) add(cpu);
  }

  [[nodiscard]] const std::vector<int>& all() const { return free_; }

  static bool is_on(const JobPlacement& job, int rank, int node) {
    return job.sites[static_cast<std::size_t>(rank)].node == node;
  }
  static int cpu_of(const JobPlacement& job, int rank) {
    return job.places[static_cast<std::size_t>(rank)].actual_cpus.front();
  }

 private:
  void add(int cpu) {
    if (taken_.insert(cpu).second) free_.push_back(cpu);
  }

  std::set<int> taken_;
  std::vector<int> free_;
};

bool is_bound(const JobPlacement& job, const std::vector<int>& ranks) {
  return !job.node_cpus.empty() && std::ranges::all_of(ranks, [&](int rank) {
    return job.places[static_cast<std::size_t>(rank)].actual_cpus.size() == 1;
  });
}

/// Whether any two threads share a CPU of a node.
bool share_cpus(const JobPlacement& job, const std::vector<int>& ranks,
                const std::vector<std::vector<int>>& cpus) {
  std::set<std::pair<int, int>> seen;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const int node = job.sites[static_cast<std::size_t>(ranks[i])].node;
    for (const int cpu : cpus[i]) {
      if (!seen.insert({node, cpu}).second) return true;
    }
  }
  return false;
}

/// Unbound threads share CPUs if their node has fewer CPUs than threads.
ThreadPlaces unbound(const JobPlacement& job, const std::vector<int>& ranks, int threads) {
  for (std::size_t node = 0; node < job.node_cpus.size(); ++node) {
    const auto here = std::ranges::count_if(
        ranks, [&](int rank) { return FreeCpus::is_on(job, rank, static_cast<int>(node)); });
    if (static_cast<std::size_t>(here * threads) > job.node_cpus[node].size()) return {{}, true};
  }
  return {};
}

/// "rank 0 on CPUs 0-1, rank 1 on CPU 2".
std::string words_for(const std::vector<int>& ranks, const std::vector<std::vector<int>>& cpus) {
  constexpr std::size_t most = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, ranks.size()); ++i) {
    const std::string where = placement::format_cpus(cpus[i]);
    const bool is_one = where.find_first_of(",-") == std::string::npos;
    text += fmt::format("{}rank {} on CPU{} {}", i == 0 ? "" : ", ", ranks[i], is_one ? "" : "s",
                        where);
  }
  return text + (ranks.size() > most ? " and so on" : "");
}

}  // namespace

double buffer_memory(const Descriptor& descriptor, const Point& point, const CachePlan& cache) {
  constexpr double kept_for_message = 1024;  // requests of Open MPI and MPICH: 500 to 800 B
  constexpr double places_of_block = 2;      // cold and fresh: at least
  constexpr double cache_line = 64;
  const double messages = messages_under_way(descriptor, point);
  const double buffers = buffer_count(descriptor, point);
  const double bytes = buffer_bytes(descriptor, point);
  double kept = descriptor.windowed ? messages * kept_for_message : 0;
  if (descriptor.one_sided) kept += std::max(bytes, messages * cache_line);  // exposed memory
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
  const bool is_requested = (descriptor.windowed && options.choices.has(window_parameter)) ||
                            (descriptor.threaded && options.choices.has(threads_parameter));
  if (is_requested) return std::nullopt;
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
    int rank = 0;  ///< one of its ranks
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
  constexpr double spare = 1.02;  // of the suggested size, which is rounded
  for (const auto& [number, machine] : machines) {
    const auto excess = excess_over(job, machine.rank, machine.bytes, space);
    if (!excess) continue;
    throw InputError({fmt::format("{} takes {} of a rank", point_words(*machine.most.point),
                                  size_text(machine.most.bytes)),
                      fmt::format("all ranks of a node take {}, more than {}",
                                  size_text(machine.bytes), *excess),
                      fmt::format("use smaller {}, or allow it with --buffer-space {}",
                                  cause_of(*machine.most.descriptor, *machine.most.point),
                                  size_text(spare * largest_machine))});
  }
}

void check_memories(const std::vector<MemorySides>& memories) {
  for (const MemorySides& sides : memories) {
    if (!is_simulated() || sides == MemorySides{}) continue;
    throw InputError({fmt::format("--memory {} under a simulator", memory_name(sides)),
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

CachePlan plan_cache(CacheState state, const JobPlacement& job, const GroupPlan& group,
                     std::span<const GroupPlan> at_work) {
  CachePlan plan{.state = state};
  if (state == CacheState::fresh) plan.bytes = fresh_bytes;
  if (state != CacheState::cold) return plan;
  for (const int rank : group.ranks) {
    plan.bytes = std::max(plan.bytes, cold_bytes(job, rank, at_work));
    plan.line_bytes = std::max(plan.line_bytes, memory_of(job, rank).line_bytes);
  }
  return plan;
}

std::optional<std::string> cache_obstacle(CacheState state, const JobPlacement& job,
                                          std::span<const GroupRound> rounds,
                                          const std::optional<Bytes>& space) {
  if (state == CacheState::hot) return std::nullopt;
  std::map<int, std::size_t> wanted;  // of each node
  for (const auto& [rank, bytes] : memory_to_hold(state, job, rounds)) {
    const Site& site = job.sites[at(rank)];
    const RankMemory memory = memory_of(job, rank);
    if (state == CacheState::cold && memory.cache_bytes == 0) {
      return fmt::format("the size of the last-level cache of {} is not known", site.host);
    }
    wanted[site.node] += bytes;
    if (const auto excess = excess_over(job, rank, static_cast<double>(wanted[site.node]), space)) {
      return fmt::format("{} buffers would take more than {}", word(state), *excess);
    }
  }
  return std::nullopt;
}

ThreadPlaces place_threads(const JobPlacement& job, const std::vector<int>& ranks, int threads) {
  if (!is_bound(job, ranks)) return unbound(job, ranks, threads);
  std::vector<std::vector<int>> cpus(ranks.size());
  for (std::size_t node = 0; node < job.node_cpus.size(); ++node) {
    const auto is_here = [&](int rank) {
      return FreeCpus::is_on(job, rank, static_cast<int>(node));
    };
    const auto here = static_cast<std::size_t>(std::ranges::count_if(ranks, is_here));
    if (here == 0) continue;
    const FreeCpus others(job, static_cast<int>(node), ranks);
    const std::size_t share =
        std::min(static_cast<std::size_t>(threads) - 1, others.all().size() / here);
    auto next = others.all().begin();
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (!is_here(ranks[i])) continue;
      std::vector<int> own{FreeCpus::cpu_of(job, ranks[i])};
      own.insert(own.end(), next, next + static_cast<std::ptrdiff_t>(share));
      next += static_cast<std::ptrdiff_t>(share);
      for (int thread = 0; thread < threads; ++thread) {
        cpus[i].push_back(own[static_cast<std::size_t>(thread) % own.size()]);
      }
    }
  }
  const bool are_shared = share_cpus(job, ranks, cpus);
  return {std::move(cpus), are_shared};
}

ThreadPlaces place_threads_as_ranks(const JobPlacement& job, const std::vector<int>& ranks,
                                    int threads) {
  std::vector<std::vector<int>> cpus(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    for (int rank = ranks[i]; rank < ranks[i] + threads; ++rank) {
      if (!is_bound(job, {rank})) return unbound(job, ranks, threads);
      cpus[i].push_back(FreeCpus::cpu_of(job, rank));
    }
  }
  const bool are_shared = share_cpus(job, ranks, cpus);
  return {std::move(cpus), are_shared};
}

void add_threads(const JobPlacement& job, const std::vector<int>& ranks, bool as_ranks,
                 PlannedMeasurement& planned) {
  const auto place = as_ranks ? place_threads_as_ranks : place_threads;
  ThreadPlaces places = place(job, ranks, threads_of(planned.point));
  planned.thread_cpus = std::move(places.cpus);
  planned.threads_share_cpus = places.are_shared;
}

GroupRound spread_ranks(const JobPlacement& job, int threads) {
  GroupPlan group;
  for (int rank = 0; rank < static_cast<int>(job.sites.size()); rank += threads) {
    group.ranks.push_back(rank);
  }
  group.hop = common_hop(job, group.ranks);
  return {group};
}

std::optional<std::string> spread_obstacle(const JobPlacement& job, GroupShape shape, int threads) {
  const auto ranks = static_cast<int>(job.sites.size());
  const int at_work = ranks / threads;
  const bool is_even = shape != GroupShape::pairs || at_work % 2 == 0;
  if (ranks % threads != 0 || at_work < 2 || !is_even) {
    return fmt::format("{} ranks are no {} ranks of {} threads", ranks,
                       is_even ? "two or more" : "pairs of", threads);
  }
  for (int rank = 0; rank < ranks; ++rank) {
    const int node = job.sites[static_cast<std::size_t>(rank - rank % threads)].node;
    if (!FreeCpus::is_on(job, rank, node)) return "the threads of a rank would be on two nodes";
  }
  return std::nullopt;
}

void check_threads(const LaunchPlan& plan, const JobPlacement& job) {
  constexpr int most_on_cpu = 32;
  for (const PlannedMeasurement& planned : plan.points) {
    const int threads = threads_of(planned.point);
    if (planned.status == PointStatus::skipped || threads == 1) continue;
    std::map<int, int> ranks;  // on each node
    for (const int rank : plan.rounds[planned.round][planned.group].ranks) {
      ++ranks[job.sites[static_cast<std::size_t>(rank)].node];
    }
    for (const auto& [node, count] : ranks) {
      const auto cpus = static_cast<std::size_t>(node) < job.node_cpus.size()
                            ? static_cast<int>(job.node_cpus[static_cast<std::size_t>(node)].size())
                            : 0;
      const int most = std::max(1, most_on_cpu * cpus / count);
      if (cpus == 0 || threads <= most) continue;
      throw InputError(
          {fmt::format("--threads {} of {} ranks on a node of {} CPUs", threads, count, cpus),
           "each would wait for its CPU most of the time", fmt::format("use at most {}", most)});
    }
  }
}

void note_threads(const LaunchPlan& plan, JobPlacement& job) {
  std::set<int> reported;
  for (const PlannedMeasurement& planned : plan.points) {
    const int threads = threads_of(planned.point);
    if (planned.status == PointStatus::skipped || threads == 1 ||
        !reported.insert(threads).second) {
      continue;
    }
    if (planned.thread_cpus.empty()) {
      job.remarks.push_back(
          fmt::format("{} threads of a rank: they are not bound, as ranks are not{}", threads,
                      planned.threads_share_cpus ? ", and share CPUs" : ""));
      continue;
    }
    job.remarks.push_back(fmt::format(
        "{} threads of a rank: {}{}", threads,
        words_for(plan.rounds[planned.round][planned.group].ranks, planned.thread_cpus),
        planned.threads_share_cpus ? " (threads share CPUs: such times are the scheduler's) start "
                                     "fewer threads, or with more CPUs"
                                   : ""));
  }
}

}  // namespace hockney::benchmarks::programs
