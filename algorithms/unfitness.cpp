#include "algorithms/unfitness.hpp"

#include "algorithms/division.hpp"

namespace hockney {
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

}  // namespace hockney
