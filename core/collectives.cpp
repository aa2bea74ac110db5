#include "core/collectives.hpp"

#include <fmt/format.h>
#include <cctype>

namespace hockney {
namespace {

/// The variables of a library for algorithms.
struct Spelling {
  Library library;
  std::string_view prefix;
  std::string_view ending;  ///< of the variable that chooses the algorithm
  std::string (*name)(std::string_view operation);
};

constexpr std::array<Spelling, 3> spellings{
    {{Library::open_mpi, "OMPI_MCA_coll_tuned_", "_algorithm", lower_name},
     {Library::intel, "I_MPI_ADJUST_", "", upper_name},
     {Library::mpich, "MPIR_CVAR_", "_INTRA_ALGORITHM", upper_name}}};

/// What follows the name of the operation in a parameter of its algorithms.
struct Companion {
  std::string_view ending;
  CollectiveRole role;
  std::string_view of;
};

constexpr std::array<Companion, 6> tuned_companions{
    {{"_algorithm_segmentsize", CollectiveRole::segment, ""},
     {"_algorithm_tree_fanout", CollectiveRole::fanout, "tree"},
     {"_algorithm_chain_fanout", CollectiveRole::fanout, "chain"},
     {"_algorithm_knomial_radix", CollectiveRole::fanout, "knomial"},
     {"_algorithm_max_requests", CollectiveRole::requests, ""},
     {"_algorithm_radix", CollectiveRole::fanout, ""}}};

constexpr std::array<std::string_view, 4> mpich_companions{"_KVAL", "_TREE_TYPE", "_COMPOSITION",
                                                           "_SEGSIZE"};

CollectiveVariable meaning_of(const Spelling& spelling, const Collective& collective,
                              std::string_view ending) {
  CollectiveVariable found{spelling.library, collective.name, CollectiveRole::unknown, {}};
  if (ending == spelling.ending) {
    found.role = CollectiveRole::algorithm;
  } else if (spelling.library == Library::open_mpi) {
    const auto* const known = std::ranges::find(tuned_companions, ending, &Companion::ending);
    if (known == tuned_companions.end()) return found;
    found.role = known->role;
    found.companion_of = known->of;
  } else if (spelling.library == Library::mpich) {
    const bool tunes = std::ranges::any_of(
        mpich_companions, [&](std::string_view known) { return ending.ends_with(known); });
    if (tunes) found.role = CollectiveRole::other;
  }
  return found;
}

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

std::span<const std::string_view> known_names(const AlgorithmNames& names) {
  return {names.begin(), std::ranges::find(names, std::string_view())};
}

const Collective* find_collective(std::string_view operation) {
  const auto* const found =
      std::ranges::find(all_collectives, plain_name(operation), &Collective::name);
  return found == all_collectives.end() ? nullptr : found;
}

const Collective* find_collective_call(std::string_view function) {
  constexpr std::string_view persistent = "_init";
  if (function.ends_with(persistent)) function.remove_suffix(persistent.size());
  const Collective* const found = find_collective(function);
  const bool may_be_nonblocking = found == nullptr && function.starts_with('I');
  return may_be_nonblocking ? find_collective(function.substr(1)) : found;
}

const Collective* scheduled_form(const Collective& collective) {
  if (!is_of_all_ranks(collective)) return nullptr;
  return collective.regular.empty() ? &collective : find_collective(collective.regular);
}

std::string algorithm_variable(Library library, std::string_view operation) {
  const Spelling& spelling = *std::ranges::find(spellings, library, &Spelling::library);
  return fmt::format("{}{}{}", spelling.prefix, spelling.name(operation), spelling.ending);
}

std::optional<CollectiveVariable> collective_variable(std::string_view variable) {
  const auto* const spelling = std::ranges::find_if(
      spellings, [&](const Spelling& each) { return variable.starts_with(each.prefix); });
  if (spelling == spellings.end()) return std::nullopt;
  variable.remove_prefix(spelling->prefix.size());
  const Collective* longest = nullptr;  // of reduce and reduce-scatter
  for (const Collective& collective : all_collectives) {
    const bool is_longer = longest == nullptr || collective.name.size() > longest->name.size();
    const std::string name = spelling->name(collective.name);
    const bool is_named = variable == name || variable.starts_with(name + "_");
    if (is_named && is_longer && is_of_all_ranks(collective)) longest = &collective;
  }
  if (longest == nullptr) return std::nullopt;
  return meaning_of(*spelling, *longest, variable.substr(longest->name.size()));
}

bool steers_algorithm(std::string_view variable) {
  const auto meaning = collective_variable(variable);
  return meaning && meaning->role != CollectiveRole::unknown;
}

std::string_view intel_preset_name(std::string_view variable, std::int64_t preset) {
  const auto meaning = collective_variable(variable);
  if (!meaning || meaning->library != Library::intel) return {};
  if (meaning->role != CollectiveRole::algorithm) return {};
  const auto names = known_names(find_collective(meaning->operation)->intel);
  const bool is_known = preset >= 1 && preset <= static_cast<std::int64_t>(names.size());
  return is_known ? names[static_cast<std::size_t>(preset) - 1] : std::string_view();
}

std::optional<SimulatedChoice> simulated_choice(std::string_view argument) {
  constexpr std::string_view option = "--cfg=smpi/";
  if (!argument.starts_with(option)) return std::nullopt;
  argument.remove_prefix(option.size());
  const std::size_t colon = argument.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const Collective* const collective = find_collective(argument.substr(0, colon));
  if (collective == nullptr || !is_of_all_ranks(*collective)) return std::nullopt;
  return SimulatedChoice{std::string(collective->name), std::string(argument.substr(colon + 1))};
}

}  // namespace hockney
