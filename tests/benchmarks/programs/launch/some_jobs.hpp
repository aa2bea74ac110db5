#pragma once

#include <string>
#include <utility>
#include <vector>

#include "benchmarks/harness/placement.hpp"
#include "benchmarks/programs/launch/options.hpp"

namespace hockney::benchmarks::programs {

/// Four ranks: 0 and 1 share a core, 2 is on the same L3, 3 on another node.
inline JobPlacement four_ranks() {
  JobPlacement job{.sites = number_sites({"a", "a", "a", "b"})};
  job.hops = {{{0, 1}, placement::Hop::smt},        {{0, 2}, placement::Hop::l3},
              {{0, 3}, placement::Hop::cross_node}, {{1, 2}, placement::Hop::l3},
              {{1, 3}, placement::Hop::cross_node}, {{2, 3}, placement::Hop::cross_node}};
  job.representatives = {job.hops[0], job.hops[1], job.hops[2]};
  return job;
}

inline JobPlacement ranks_without_places(std::size_t count) {
  return {.sites = number_sites(std::vector<std::string>(count, "a"))};
}

inline LaunchOptions options_for(std::vector<std::string> operations) {
  return {.operations = std::move(operations), .sizes = {{0}, {8}}};
}

}  // namespace hockney::benchmarks::programs
