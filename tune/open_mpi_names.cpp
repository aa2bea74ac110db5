#include "tune/open_mpi_names.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/text.hpp"
#include "tune/operation_names.hpp"

namespace hockney::tune {
namespace {

struct Collective {
  std::string_view operation;
  int number = 0;
  std::vector<std::string> algorithms;
  int last_in_4 = 0;  ///< of them that 4.1 has; 0: all
  int last_in_5 = 0;  ///< that 5.0 has; 0: all
};

const std::vector<Collective>& collectives() {
  static const std::vector<Collective> known{
      {"allgather",
       0,
       {"linear", "bruck", "recursive_doubling", "ring", "neighbor", "two_proc", "sparbit",
        "direct-messaging"},
       6,
       7},
      {"allgatherv", 1, {"default", "bruck", "ring", "neighbor", "two_proc", "sparbit"}, 5},
      {"allreduce",
       2,
       {"basic_linear", "nonoverlapping", "recursive_doubling", "ring", "segmented_ring",
        "rabenseifner", "allgather_reduce"},
       6,
       6},
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
        "knomial"},
       7,
       7},
      {"reduce-scatter", 12, {"non-overlapping", "recursive_halving", "ring", "butterfly"}},
      {"reduce-scatter-block",
       13,
       {"basic_linear", "recursive_doubling", "recursive_halving", "butterfly"}},
      {"scan", 14, {"linear", "recursive_doubling"}},
      {"scatter", 15, {"basic_linear", "binomial", "linear_nb"}}};
  return known;
}

/// Collectives of coll/base's enumeration that coll/tuned takes no algorithm for.
constexpr std::array<std::pair<int, std::string_view>, 8> without_algorithms{
    {{5, "alltoallw"},
     {10, "gatherv"},
     {16, "scatterv"},
     {17, "neighbor-allgather"},
     {18, "neighbor-allgatherv"},
     {19, "neighbor-alltoall"},
     {20, "neighbor-alltoallv"},
     {21, "neighbor-alltoallw"}}};

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

OpenMpiRelease open_mpi_release(std::string_view library) {
  constexpr std::string_view beginning = "Open MPI v";
  const std::size_t at = library.find(beginning);
  if (at == std::string_view::npos) return {};
  std::array<int, 3> numbers{};
  std::string_view rest = library.substr(at + beginning.size());
  for (int& number : numbers) {
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error != std::errc()) break;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (!rest.starts_with('.')) break;
    rest.remove_prefix(1);
  }
  if (numbers[0] == 0) return {};
  return {.major = numbers[0], .minor = numbers[1], .patch = numbers[2]};
}

std::string title(const OpenMpiRelease& release) {
  if (release == OpenMpiRelease{}) return "Open MPI";
  return "Open MPI " + std::to_string(release.major) + "." + std::to_string(release.minor);
}

std::optional<std::string> open_mpi_collective_name(int collective) {
  if (const auto operation = open_mpi_operation(collective)) return operation;
  const auto* const found =
      std::ranges::find(without_algorithms, collective, &std::pair<int, std::string_view>::first);
  if (found == without_algorithms.end()) return std::nullopt;
  return std::string(found->second);
}

int last_open_mpi_algorithm(const std::string& operation, const OpenMpiRelease& release) {
  const Collective* found = find_collective(operation);
  if (found == nullptr) return 0;
  const int all = static_cast<int>(found->algorithms.size());
  constexpr int generation_4 = 4;
  constexpr int generation_5 = 5;
  if (release.major <= generation_4 && found->last_in_4 > 0) return found->last_in_4;
  return release.major == generation_5 && found->last_in_5 > 0 ? found->last_in_5 : all;
}

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
