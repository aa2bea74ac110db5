#pragma once

#include <string>
#include <utility>
#include <vector>

#include "benchmarks/harness/placement.hpp"
#include "benchmarks/programs/launch/options.hpp"

namespace hockney::benchmarks::programs {

/// A CPU of a node whose cores have one L3.
inline placement::Pu pu_of_core(int cpu, int core) {
  return {.os_cpu = cpu, .core = core, .l2 = {}, .l3 = 0, .numa = {0}};
}

/// Ranks on these hosts, each on a core of its own.
inline JobPlacement ranks_on(const std::vector<std::string>& hosts) {
  JobPlacement job{.sites = number_sites(hosts)};
  for (Site& site : job.sites) site.pu = pu_of_core(site.local_rank, site.local_rank);
  return job;
}

/// Four ranks: 0 and 1 share a core, 2 is on the same L3, 3 on another node.
inline JobPlacement four_ranks() {
  JobPlacement job = ranks_on({"a", "a", "a", "b"});
  job.sites[1].pu->core = 0;
  job.representatives = {{{0, 1}, placement::Hop::smt},
                         {{0, 2}, placement::Hop::l3},
                         {{0, 3}, placement::Hop::cross_node}};
  return job;
}

/// Ranks on one L3; the first two stand for all pairs.
inline JobPlacement ranks_on_one_l3(std::size_t count) {
  JobPlacement job = ranks_on(std::vector<std::string>(count, "a"));
  job.representatives = {{{0, 1}, placement::Hop::l3}};
  return job;
}

/// Ranks that are not bound.
inline JobPlacement ranks_without_places(std::size_t count) {
  return {.sites = number_sites(std::vector<std::string>(count, "a"))};
}

inline LaunchOptions options_for(std::vector<std::string> operations) {
  return {.operations = std::move(operations), .sizes = {{0}, {8}}};
}

}  // namespace hockney::benchmarks::programs
