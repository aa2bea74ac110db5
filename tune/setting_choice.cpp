#include "tune/setting_choice.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "tune/open_mpi_names.hpp"
#include "tune/operation_names.hpp"

namespace hockney::tune {
namespace {

using Variables = std::map<std::string, std::string>;

constexpr std::string_view open_mpi_prefix = "OMPI_MCA_";
constexpr std::string_view algorithm_axis = "algorithm";

Variables asked_by(const Record& launch) {
  Variables requested;
  for (const RequestedSetting& setting : launch.provenance.mpi.requested) {
    requested[setting.variable] = setting.requested;
  }
  return requested;
}

/// The library's own decision has a word in each library.
bool forces_nothing(std::string_view value) {
  constexpr std::array<std::string_view, 5> words{"", "0", "ignore", "auto", "default"};
  return std::ranges::find(words, value) != words.end();
}

/// What a variable of Open MPI is set to, as the library itself says.
std::string effective(const Record& launch, const std::string& name) {
  const auto& settings = launch.provenance.mpi.settings;
  const auto found = settings.find(name);
  return found == settings.end() ? std::string() : found->second;
}

std::int64_t size_of(const std::string& text) {
  try {
    return text.empty() ? 0 : parse_bytes(text).value;
  } catch (const InputError&) {
    return 0;
  }
}

void complete_open_mpi(const Record& launch, const std::string& operation, Choice& choice) {
  const std::string name = "coll_tuned_" + lower_name(operation) + "_algorithm";
  choice.number = as_number<int>(effective(launch, name));
  if (!choice.number) choice.number = open_mpi_number(operation, {.algorithm = choice.algorithm});
  if (as_number<int>(choice.algorithm) && choice.number) {
    choice.algorithm = open_mpi_name(operation, *choice.number);
  }
  if (const std::string segment = effective(launch, name + "_segmentsize"); !segment.empty()) {
    choice.segment = size_of(segment);
  }
  if (choice.algorithm == "chain") {
    choice.fanout = as_number<int>(effective(launch, name + "_chain_fanout")).value_or(0);
  }
}

/// Puts what one variable says of the operation into the choice.
void add_variable(const std::string& variable, const std::string& value, const std::string& what,
                  Choice& choice) {
  if (what == "algorithm" || what == "intra_algorithm") {
    if (!forces_nothing(value)) choice.algorithm = value;
  } else if (what == "algorithm_segmentsize") {
    choice.segment = size_of(value);
  } else if (what != "algorithm_chain_fanout" && what != "algorithm_tree_fanout") {
    choice.variables[variable] = value;
  }
}

bool is_simulated(const Record& launch) {
  return launch.provenance.mpi.library.starts_with("SMPI");
}

bool names_algorithm(std::string_view axis, const std::string& operation) {
  return axis == algorithm_axis || plain_name(axis) == plain_name(operation);
}

std::optional<Choice> choice_on_axes(const Record& launch, const std::string& operation) {
  if (!launch.campaign || !is_simulated(launch)) return std::nullopt;
  for (const auto& [axis, value] : launch.campaign->axes) {
    if (names_algorithm(axis, operation) && !forces_nothing(value)) {
      return Choice{.algorithm = value};
    }
  }
  return std::nullopt;
}

/// Names whose values differ, or that only one of the two has.
std::vector<std::string> differing(const Variables& a, const Variables& b) {
  std::vector<std::string> names;
  for (const auto& [name, value] : a) {
    const auto other = b.find(name);
    if (other == b.end() || other->second != value) names.push_back(name);
  }
  for (const auto& [name, value] : b) {
    if (!a.contains(name)) names.push_back(name);
  }
  return names;
}

std::vector<std::string> differing_axes(const Record& launch, const Record& base) {
  return differing(launch.campaign ? launch.campaign->axes : Variables(),
                   base.campaign ? base.campaign->axes : Variables());
}

}  // namespace

std::optional<Choice> forced_choice(const Record& launch, const std::string& operation) {
  Choice choice;
  bool is_open_mpi = false;
  for (const auto& [variable, value] : asked_by(launch)) {
    const auto meaning = meaning_of(variable);
    if (!meaning || meaning->operation != plain_name(operation)) continue;
    is_open_mpi = is_open_mpi || variable.starts_with(open_mpi_prefix);
    add_variable(variable, value, meaning->what, choice);
  }
  if (choice.is_default()) return choice_on_axes(launch, operation);
  if (is_open_mpi) {
    complete_open_mpi(launch, operation, choice);
  } else {
    choice.number = as_number<int>(choice.algorithm);
  }
  return choice;
}

std::vector<std::string> other_differences(const Record& launch, const Record& base,
                                           const std::string& operation) {
  std::vector<std::string> others;
  std::size_t explained = 0;
  for (const std::string& variable : differing(asked_by(launch), asked_by(base))) {
    if (meaning_of(variable)) {
      ++explained;
    } else {
      others.push_back(variable);
    }
  }
  const std::vector<std::string> axes = differing_axes(launch, base);
  if (!others.empty() || axes.size() <= explained) return others;
  for (const std::string& axis : axes) {
    const bool is_known = is_simulated(launch) && names_algorithm(axis, operation);
    if (!is_known) others.push_back(axis);
  }
  return others;
}

}  // namespace hockney::tune
