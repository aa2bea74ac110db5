#include "benchmarks/programs/launch/thread_placement.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "benchmarks/harness/threads.hpp"
#include "benchmarks/programs/launch/communicators.hpp"
#include "placement/binding.hpp"

namespace hockney::benchmarks::programs {
namespace {

/// CPUs of one node that ranks at work can be given, each once, in the order in which they are.
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

/// Whether any two of the threads have one CPU of one node.
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

/// Threads that run anywhere share CPUs where their node has fewer.
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
    text += (i == 0 ? "" : ", ") + ("rank " + std::to_string(ranks[i])) +
            (is_one ? " on CPU " : " on CPUs ") + where;
  }
  return text + (ranks.size() > most ? " and so on" : "");
}

}  // namespace

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
    return std::to_string(ranks) + " ranks are no " + (is_even ? "two or more" : "pairs of") +
           " ranks of " + std::to_string(threads) + " threads";
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
    std::map<int, int> ranks;  // of each node
    for (const int rank : plan.rounds[planned.round][planned.group].ranks) {
      ++ranks[job.sites[static_cast<std::size_t>(rank)].node];
    }
    for (const auto& [node, count] : ranks) {
      const auto cpus = static_cast<std::size_t>(node) < job.node_cpus.size()
                            ? static_cast<int>(job.node_cpus[static_cast<std::size_t>(node)].size())
                            : 0;
      const int most = std::max(1, most_on_cpu * cpus / count);
      if (cpus == 0 || threads <= most) continue;
      throw InputError({"--threads " + std::to_string(threads) + " of " + std::to_string(count) +
                            " ranks on a node of " + std::to_string(cpus) + " CPUs",
                        "each would wait for its CPU most of the time",
                        "use at most " + std::to_string(most)});
    }
  }
}

void note_threads(const LaunchPlan& plan, JobPlacement& job) {
  std::set<int> told;
  for (const PlannedMeasurement& planned : plan.points) {
    const int threads = threads_of(planned.point);
    if (planned.status == PointStatus::skipped || threads == 1 || !told.insert(threads).second) {
      continue;
    }
    const std::string who = std::to_string(threads) + " threads of a rank: ";
    if (planned.thread_cpus.empty()) {
      job.remarks.push_back(who + "they are not bound, as ranks are not" +
                            (planned.threads_share_cpus ? ", and share CPUs" : ""));
      continue;
    }
    job.remarks.push_back(
        who + words_for(plan.rounds[planned.round][planned.group].ranks, planned.thread_cpus) +
        (planned.threads_share_cpus
             ? " (threads share CPUs: such times tell about the scheduler) start "
               "fewer threads, or with more CPUs"
             : ""));
  }
}

}  // namespace hockney::benchmarks::programs
