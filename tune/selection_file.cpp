#include "tune/selection_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/error.hpp"
#include "core/json_values.hpp"
#include "tune/intel_adjust.hpp"
#include "tune/mpich_json.hpp"
#include "tune/open_mpi_json.hpp"
#include "tune/open_mpi_names.hpp"
#include "tune/open_mpi_rules.hpp"
#include "tune/smpi_options.hpp"

namespace hockney::tune {
namespace {

std::string first_variable(const Choice& choice) {
  return choice.variables.empty() ? std::string() : choice.variables.begin()->first;
}

std::string why_not_open_mpi(const std::string& operation, const Choice& choice) {
  if (!open_mpi_collective(operation)) return "coll/tuned takes no rules for it";
  if (!open_mpi_number(operation, choice)) return "its number is not known";
  return {};
}

/// MPICH 5.0.2 crashes in MPI_Init on one of these without its radix, type of tree, ...
bool has_parameters(const std::string& algorithm) {
  constexpr std::array<std::string_view, 5> parts{"tree", "k_", "recexch", "multiplying", "ccl"};
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return algorithm.find(part) != std::string::npos; });
}

std::string why_not_tree(const Choice& choice) {
  const bool is_plain = !has_parameters(choice.algorithm);
  return is_plain ? std::string() : "the tree would have to hold its parameters, too";
}

/// Only these stay one word in every file, whatever reads it: a shell, a library, a person.
bool is_word(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char letter) {
    return std::isalnum(letter) != 0 ||
           std::string_view("_-.:,+@/ ").find(static_cast<char>(letter)) != std::string_view::npos;
  });
}

bool has_words_alone(const std::string& operation, const Choice& choice) {
  return is_word(operation) && is_word(choice.algorithm) &&
         std::ranges::all_of(choice.variables, [](const auto& variable) {
           return is_word(variable.first) && is_word(variable.second);
         });
}

std::string why_not(Target target, const std::string& operation, const Choice& choice) {
  switch (target) {
    case Target::openmpi:
    case Target::openmpi6:
      return why_not_open_mpi(operation, choice);
    case Target::intel:
      return choice.number ? std::string() : "it is no preset's number";
    case Target::mpich_json:
      return why_not_tree(choice);
    case Target::mpich:
    case Target::smpi:
      break;
  }
  return {};
}

using Comments = std::vector<std::string>;

std::string keyed_text(Target target, const Rules& rules, const Comments& comments) {
  switch (target) {
    case Target::openmpi:
      return open_mpi_rules_file(rules, comments);
    case Target::openmpi6:
      return json_text(open_mpi_json(rules)) + "\n";
    case Target::intel:
      return shell_file(intel_adjust(rules), comments);
    case Target::smpi:
    case Target::mpich:
    case Target::mpich_json:
      break;
  }
  return smpi_list(rules, comments);
}

}  // namespace

std::string why_inexpressible(Target target, const std::string& operation, const Choice& choice) {
  if (choice.is_default()) return {};
  if (!has_words_alone(operation, choice)) return "a name in it is no word of a file";
  const std::string variable = first_variable(choice);
  if (!variable.empty() && target != Target::mpich) return "no rule can set " + variable;
  return why_not(target, operation, choice);
}

void keep_expressible(Target target, Evidence& evidence) {
  for (TunedPoint& point : evidence.points) {
    const auto is_inexpressible = [&](const Candidate& candidate) {
      const std::string why = why_inexpressible(target, point.operation, candidate.choice);
      if (!why.empty()) note({candidate.setting, point.operation, why, 1}, evidence.left_out);
      return !why.empty();
    };
    std::erase_if(point.candidates, is_inexpressible);
    const std::string why = why_inexpressible(target, point.operation, point.base);
    if (why.empty()) continue;
    note({evidence.base, point.operation, why + ", so the library decides", 1}, evidence.left_out);
    point.base = {};
  }
}

SelectionFile selection_file(Target target, const Decisions& decisions, const Comments& comments,
                             const std::optional<BaseTree>& base) {
  if (target == Target::mpich) {
    MpichVariables variables = mpich_variables(decisions);
    return {shell_file(variables.environment, comments), std::move(variables.inexpressible)};
  }
  KeyedRules rules = keyed(target, decisions.rules);
  if (target != Target::mpich_json) {
    return {keyed_text(target, rules.rules, comments), std::move(rules.inexpressible)};
  }
  if (!base) {
    throw InputError({"--for mpich-json without --base",
                      "MPICH ends in MPI_Init when its tree lacks a collective",
                      "give maint/tuning/coll/mpir/generic.json of your MPICH's sources"});
  }
  return {mpich_json(base->text, base->file, rules.rules), std::move(rules.inexpressible)};
}

std::map<std::string, std::string> activation(Target target, const std::string& file,
                                              const std::string& text) {
  switch (target) {
    case Target::openmpi:
    case Target::openmpi6:
      return {{"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"},
              {"OMPI_MCA_coll_tuned_dynamic_rules_filename", file}};
    case Target::intel:
    case Target::mpich:
      return read_shell_file(text, file);
    case Target::mpich_json:
      return {{"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", file},
              {"MPIR_CVAR_DEVICE_COLLECTIVES", "none"}};
    case Target::smpi:
      break;
  }
  return {};
}

}  // namespace hockney::tune
