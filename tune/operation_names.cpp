#include "tune/operation_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace hockney::tune {
namespace {

// Longer names before those they begin with.
constexpr std::array<std::string_view, 17> operations{"reduce-scatter-block",
                                                      "reduce-scatter",
                                                      "reduce",
                                                      "allreduce",
                                                      "allgatherv",
                                                      "allgather",
                                                      "alltoallv",
                                                      "alltoallw",
                                                      "alltoall",
                                                      "barrier",
                                                      "bcast",
                                                      "exscan",
                                                      "gatherv",
                                                      "gather",
                                                      "scan",
                                                      "scatterv",
                                                      "scatter"};

/// What variables about algorithms begin with.
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

}  // namespace

std::string plain_name(std::string_view operation) { return mapped(operation, '-', std::tolower); }

std::string lower_name(std::string_view operation) { return mapped(operation, '_', std::tolower); }

std::string upper_name(std::string_view operation) { return mapped(operation, '_', std::toupper); }

bool has_algorithms(std::string_view operation) {
  return std::ranges::find(operations, plain_name(operation)) != operations.end();
}

std::optional<VariableMeaning> meaning_of(std::string_view variable) {
  const auto* const prefix = std::ranges::find_if(
      prefixes, [&](std::string_view known) { return variable.starts_with(known); });
  if (prefix == prefixes.end()) return std::nullopt;
  const std::string rest = lower_name(variable.substr(prefix->size()));
  for (const std::string_view operation : operations) {
    const std::string name = lower_name(operation);
    if (rest == name) return VariableMeaning{std::string(operation), "algorithm"};
    if (rest.starts_with(name + "_")) {
      return VariableMeaning{std::string(operation), rest.substr(name.size() + 1)};
    }
  }
  return std::nullopt;
}

}  // namespace hockney::tune
