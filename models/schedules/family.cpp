#include "models/schedules/family.hpp"

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "core/text.hpp"
#include "models/schedules/common_steps.hpp"
#include "models/schedules/schedule.hpp"

namespace hockney::schedules {
namespace {

std::optional<std::string> too_few(const Workload& workload, int needed) {
  const std::int64_t elements = whole(workload).count;
  if (elements >= needed) return std::nullopt;
  return std::to_string(elements) + " elements cannot be divided among " + std::to_string(needed) +
         " ranks";
}

}  // namespace

std::optional<std::string> fewer_elements_than_ranks(const Workload& workload) {
  return too_few(workload, workload.ranks);
}

std::optional<std::string> fewer_elements_than_power(const Workload& workload) {
  return too_few(workload, power_below(workload.ranks));
}

std::optional<std::string> ranks_no_power_of_two(const Workload& workload) {
  if (is_power_of_two(workload.ranks)) return std::nullopt;
  return std::to_string(workload.ranks) + " is no power of two";
}

std::optional<std::string> odd_ranks(const Workload& workload) {
  if (workload.ranks % 2 == 0) return std::nullopt;
  return std::to_string(workload.ranks) + " ranks cannot be paired";
}

std::optional<std::string> not_two_ranks(const Workload& workload) {
  if (workload.ranks == 2) return std::nullopt;
  return std::to_string(workload.ranks) + " ranks are not two";
}

namespace {

const std::map<std::string, Family>& families() {
  static const std::map<std::string, Family> all{
      {"allgather", allgather_family()},
      {"allreduce", allreduce_family()},
      {"alltoall", alltoall_family()},
      {"barrier", barrier_family()},
      {"bcast", bcast_family()},
      {"exscan", exscan_family()},
      {"gather", gather_family()},
      {"reduce", reduce_family()},
      {"reduce_scatter", reduce_scatter_family()},
      {"reduce_scatter_block", reduce_scatter_block_family()},
      {"scan", scan_family()},
      {"scatter", scatter_family()}};
  return all;
}

/// nullptr for an unknown one.
const Algorithm* find(const std::string& operation, const std::string& name) {
  const auto family = families().find(operation);
  if (family == families().end()) return nullptr;
  const auto is_it = [&](const Algorithm& algorithm) {
    return algorithm.name == name || std::ranges::count(algorithm.other_names, name) > 0;
  };
  const auto found = std::ranges::find_if(family->second, is_it);
  return found == family->second.end() ? nullptr : &*found;
}

const Algorithm& demand(const std::string& operation, const std::string& name) {
  if (!families().contains(operation)) {
    throw InputError({"no algorithms are known for operation '" + operation + "'",
                      "only collectives have schedules",
                      suggest(operation, scheduled_operations())});
  }
  if (const Algorithm* found = find(operation, name)) return *found;
  throw InputError({"unknown algorithm '" + name + "' of " + operation,
                    "hockney has no schedule of that name",
                    suggest(name, algorithms_of(operation))});
}

void check(const Workload& workload) {
  if (workload.ranks < 1) {
    throw InputError({"no schedule for " + std::to_string(workload.ranks) + " ranks",
                      "a collective has at least one", "give a number of ranks above 0"});
  }
  if (workload.root < 0 || workload.root >= workload.ranks) {
    throw InputError({"root " + std::to_string(workload.root) + " is no rank",
                      "ranks are 0 to " + std::to_string(workload.ranks - 1),
                      "choose one of them"});
  }
  if (workload.bytes.value < 0 || workload.element_bytes < 1) {
    throw InputError({"no schedule for elements of " + std::to_string(workload.element_bytes) +
                          " bytes in a size of " + std::to_string(workload.bytes.value),
                      "sizes are not negative, elements not empty", "give other sizes"});
  }
}

bool has_root(const std::string& operation) {
  return operation == "bcast" || operation == "reduce" || operation == "gather" ||
         operation == "scatter";
}

}  // namespace

std::vector<std::string> scheduled_operations() {
  std::vector<std::string> names;
  for (const auto& [operation, family] : families()) names.push_back(operation);
  return names;
}

std::vector<std::string> algorithms_of(const std::string& operation) {
  const auto family = families().find(operation);
  if (family == families().end()) return {};
  return strings_of(family->second, &Algorithm::name);
}

std::string canonical_algorithm(const std::string& operation, const std::string& algorithm) {
  const Algorithm* found = find(operation, algorithm);
  return found == nullptr ? algorithm : found->name;
}

std::optional<std::string> unfit(const std::string& operation, const std::string& algorithm,
                                 const Workload& workload) {
  const Algorithm* found = find(operation, algorithm);
  if (found == nullptr || found->unfit == nullptr) return std::nullopt;
  return found->unfit(workload);
}

Schedule schedule_of(const std::string& operation, const std::string& algorithm,
                     const Workload& workload) {
  const Algorithm& found = demand(operation, algorithm);
  check(workload);
  if (const auto why = unfit(operation, algorithm, workload)) {
    throw InputError({found.name + " of " + operation + " is unfit for this work", *why,
                      "choose another algorithm; libraries run one in its place"});
  }
  Workload work = workload;
  if (!has_root(operation)) work.root = 0;
  return found.draw(work);
}

}  // namespace hockney::schedules
