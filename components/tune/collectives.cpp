#include "components/tune/collectives.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <system_error>

#include "core/text.hpp"

namespace hockney::tune {
namespace {

/// Prefixes of variables for algorithms.
constexpr std::array<std::string_view, 3> prefixes{"OMPI_MCA_coll_tuned_", "I_MPI_ADJUST_",
                                                   "MPIR_CVAR_"};

std::string mapped(std::string_view name, char separator, int (*to_case)(int)) {
  std::string text(name);
  for (char& c : text) {
    const bool is_separator = c == '-' || c == '_';
    c = is_separator ? separator : static_cast<char>(to_case(static_cast<unsigned char>(c)));
  }
  return text;
}

/// Whether hockney knows variables of any library for its algorithms.
bool is_selectable(const Collective& collective) {
  return !collective.name.empty() && !collective.name.starts_with("neighbor");
}

}  // namespace

std::string plain_name(std::string_view operation) { return mapped(operation, '-', std::tolower); }

std::string lower_name(std::string_view operation) { return mapped(operation, '_', std::tolower); }

std::string upper_name(std::string_view operation) { return mapped(operation, '_', std::toupper); }

std::int64_t key_of(SizeKey key, int ranks, std::int64_t bytes) {
  if (key == SizeKey::none) return 0;
  return key == SizeKey::times_ranks ? bytes * ranks : bytes;
}

// Numbers: coll/base's enumeration. Algorithms: `ompi_info --param coll tuned --level 9` and
// coll_tuned_*_decision.c; from 4.1 to 5.0 and 6.0 they were only added.
// Size keys of Open MPI: coll_tuned_decision_dynamic.c of 4.1 and 5.0; scans have the size of one
// element times the ranks.
// Of Intel MPI: "Message Collective Functions" in older references, which do not cover all.
// Of MPICH: avg_msg_size or total_msg_size; those of gather and scatter count elements as bytes.
// NOLINTNEXTLINE(readability-function-size): a table
const std::vector<Collective>& collectives() {
  using enum SizeKey;
  static const std::vector<Collective> all{
      {"allgather",
       {times_ranks, bytes, times_ranks},
       {"linear", "bruck", "recursive_doubling", "ring", "neighbor", "two_proc", "sparbit",
        "direct-messaging"},
       {6, 7}},
      {"allgatherv",
       {bytes, times_ranks, times_ranks},
       {"default", "bruck", "ring", "neighbor", "two_proc", "sparbit"},
       {5}},
      {"allreduce",
       {bytes, bytes, bytes},
       {"basic_linear", "nonoverlapping", "recursive_doubling", "ring", "segmented_ring",
        "rabenseifner", "allgather_reduce"},
       {6, 6}},
      {"alltoall",
       {times_ranks, bytes, bytes},
       {"linear", "pairwise", "modified_bruck", "linear_sync", "two_proc"}},
      {"alltoallv", {none, times_ranks, none}, {"basic_linear", "pairwise"}},
      {"alltoallw", {none, times_ranks, none}},
      {"barrier", {}, {"linear", "double_ring", "recursive_doubling", "bruck", "two_proc", "tree"}},
      {"bcast",
       {bytes, bytes, bytes},
       {"basic_linear", "chain", "pipeline", "split_binary_tree", "binary_tree", "binomial",
        "knomial", "scatter_allgather", "scatter_allgather_ring"}},
      {"exscan", {}, {"linear", "recursive_doubling"}},
      {"gather", {times_ranks, bytes, none}, {"basic_linear", "binomial", "linear_sync"}},
      {"gatherv"},
      {"reduce",
       {bytes, bytes, bytes},
       {"linear", "chain", "pipeline", "binary", "binomial", "in-order_binary", "rabenseifner",
        "knomial"},
       {7, 7}},
      {"reduce-scatter",
       {bytes, bytes, bytes},
       {"non-overlapping", "recursive_halving", "ring", "butterfly"}},
      {"reduce-scatter-block",
       {times_ranks, none, times_ranks},
       {"basic_linear", "recursive_doubling", "recursive_halving", "butterfly"}},
      {"scan", {}, {"linear", "recursive_doubling"}},
      {"scatter", {times_ranks, bytes, none}, {"basic_linear", "binomial", "linear_nb"}},
      {"scatterv"},
      {"neighbor-allgather"},
      {"neighbor-allgatherv"},
      {"neighbor-alltoall"},
      {"neighbor-alltoallv"},
      {"neighbor-alltoallw"}};
  return all;
}

const Collective& find_collective(std::string_view operation) {
  static const Collective unknown{};
  const auto found = std::ranges::find(collectives(), plain_name(operation), &Collective::name);
  return found == collectives().end() ? unknown : *found;
}

bool has_algorithms(std::string_view operation) {
  return is_selectable(find_collective(operation));
}

std::optional<VariableMeaning> meaning_of(std::string_view variable) {
  const auto* const prefix = std::ranges::find_if(
      prefixes, [&](std::string_view known) { return variable.starts_with(known); });
  if (prefix == prefixes.end()) return std::nullopt;
  const std::string rest = lower_name(variable.substr(prefix->size()));
  std::string_view longest;
  for (const Collective& collective : collectives()) {
    const bool is_named =
        rest == lower_name(collective.name) || rest.starts_with(lower_name(collective.name) + "_");
    const bool is_longer = collective.name.size() > longest.size();
    if (is_named && is_longer && is_selectable(collective)) longest = collective.name;
  }
  if (longest.empty()) return std::nullopt;
  const bool is_whole = rest.size() == longest.size();
  return VariableMeaning{std::string(longest),
                         is_whole ? "algorithm" : rest.substr(longest.size() + 1)};
}

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
  return fmt::format("Open MPI {}.{}", release.major, release.minor);
}

std::optional<int> open_mpi_collective(const std::string& operation) {
  const Collective& found = find_collective(operation);
  if (found.algorithms.empty()) return std::nullopt;
  return static_cast<int>(&found - collectives().data());
}

const std::vector<std::string>& open_mpi_algorithms(const std::string& operation) {
  return find_collective(operation).algorithms;
}

int last_open_mpi_algorithm(const std::string& operation, const OpenMpiRelease& release) {
  const Collective& found = find_collective(operation);
  constexpr int generation_4 = 4;
  constexpr int generation_5 = 5;
  if (release.major <= generation_4 && found.last.in_4 > 0) return found.last.in_4;
  if (release.major == generation_5 && found.last.in_5 > 0) return found.last.in_5;
  return static_cast<int>(found.algorithms.size());
}

std::optional<int> open_mpi_number(const std::string& operation, const Choice& choice) {
  if (choice.number) return choice.number;
  if (choice.is_default()) return 0;
  const auto& names = open_mpi_algorithms(operation);
  const auto found = std::ranges::find(names, choice.algorithm);
  if (found != names.end()) return static_cast<int>(found - names.begin()) + 1;
  const auto number = as_number<int>(choice.algorithm);
  return number && *number > 0 ? number : std::nullopt;
}

std::string open_mpi_name(const std::string& operation, int number) {
  const auto& names = open_mpi_algorithms(operation);
  const auto index = static_cast<std::size_t>(number) - 1;
  return index < names.size() ? names[index] : std::to_string(number);
}

}  // namespace hockney::tune
