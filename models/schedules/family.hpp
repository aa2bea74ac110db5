#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/schedules/schedule.hpp"

namespace hockney::schedules {

/// One algorithm of one operation.
struct Algorithm {
  std::string name;
  std::vector<std::string> other_names;  ///< of other libraries, and of the literature
  Schedule (*draw)(const Workload&) = nullptr;
  /// Why libraries run another one in its place; nullptr: it fits always.
  std::optional<std::string> (*unfit)(const Workload&) = nullptr;
};

using Family = std::vector<Algorithm>;

// The algorithms of each operation, one file each.
Family barrier_family();
Family bcast_family();
Family reduce_family();
Family allreduce_family();
Family allgather_family();
Family alltoall_family();
Family gather_family();
Family scatter_family();
Family reduce_scatter_family();
Family reduce_scatter_block_family();
Family scan_family();
Family exscan_family();

// Reasons why an algorithm is replaced by another; nullopt where it is not.

/// The vector has fewer elements than ranks.
std::optional<std::string> fewer_elements_than_ranks(const Workload& workload);

/// It has fewer elements than the largest power of two ranks.
std::optional<std::string> fewer_elements_than_power(const Workload& workload);

std::optional<std::string> ranks_no_power_of_two(const Workload& workload);

std::optional<std::string> odd_ranks(const Workload& workload);

std::optional<std::string> not_two_ranks(const Workload& workload);

}  // namespace hockney::schedules
