#include "tune/open_mpi_names.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/text.hpp"
#include "tune/operation_names.hpp"

namespace hockney::tune {
namespace {

struct Collective {
  std::string_view operation;
  int number = 0;
  std::vector<std::string> algorithms;
};

const std::vector<Collective>& collectives() {
  static const std::vector<Collective> known{
      {"allgather",
       0,
       {"linear", "bruck", "recursive_doubling", "ring", "neighbor", "two_proc", "sparbit",
        "direct-messaging"}},
      {"allgatherv", 1, {"default", "bruck", "ring", "neighbor", "two_proc", "sparbit"}},
      {"allreduce",
       2,
       {"basic_linear", "nonoverlapping", "recursive_doubling", "ring", "segmented_ring",
        "rabenseifner", "allgather_reduce"}},
      {"alltoall", 3, {"linear", "pairwise", "modified_bruck", "linear_sync", "two_proc"}},
      {"alltoallv", 4, {"basic_linear", "pairwise"}},
      {"barrier", 6, {"linear", "double_ring", "recursive_doubling", "bruck", "two_proc", "tree"}},
      {"bcast",
       7,
       {"basic_linear", "chain", "pipeline", "split_binary_tree", "binary_tree", "binomial",
        "knomial", "scatter_allgather", "scatter_allgather_ring"}},
      {"exscan", 8, {"linear", "recursive_doubling"}},
      {"gather", 9, {"basic_linear", "binomial", "linear_sync"}},
      {"reduce",
       11,
       {"linear", "chain", "pipeline", "binary", "binomial", "in-order_binary", "rabenseifner",
        "knomial"}},
      {"reduce-scatter", 12, {"non-overlapping", "recursive_halving", "ring", "butterfly"}},
      {"reduce-scatter-block",
       13,
       {"basic_linear", "recursive_doubling", "recursive_halving", "butterfly"}},
      {"scan", 14, {"linear", "recursive_doubling"}},
      {"scatter", 15, {"basic_linear", "binomial", "linear_nb"}}};
  return known;
}

const Collective* find_collective(const std::string& operation) {
  const auto found =
      std::ranges::find(collectives(), plain_name(operation), &Collective::operation);
  return found == collectives().end() ? nullptr : &*found;
}

/// The number of an algorithm that is called by it.
std::optional<int> number_called(const std::string& algorithm) {
  const auto number = as_number<int>(algorithm);
  return number && *number > 0 ? number : std::nullopt;
}

}  // namespace

std::optional<int> open_mpi_collective(const std::string& operation) {
  const Collective* found = find_collective(operation);
  return found == nullptr ? std::nullopt : std::optional(found->number);
}

std::optional<std::string> open_mpi_operation(int collective) {
  const auto found = std::ranges::find(collectives(), collective, &Collective::number);
  if (found == collectives().end()) return std::nullopt;
  return std::string(found->operation);
}

const std::vector<std::string>& open_mpi_algorithms(const std::string& operation) {
  static const std::vector<std::string> none;
  const Collective* found = find_collective(operation);
  return found == nullptr ? none : found->algorithms;
}

std::optional<int> open_mpi_number(const std::string& operation, const Choice& choice) {
  if (choice.number) return choice.number;
  if (choice.is_default()) return 0;
  const auto& names = open_mpi_algorithms(operation);
  const auto found = std::ranges::find(names, choice.algorithm);
  if (found == names.end()) return number_called(choice.algorithm);
  return static_cast<int>(found - names.begin()) + 1;
}

std::string open_mpi_name(const std::string& operation, int number) {
  const auto& names = open_mpi_algorithms(operation);
  const auto index = static_cast<std::size_t>(number) - 1;
  return index < names.size() ? names[index] : std::to_string(number);
}

}  // namespace hockney::tune
