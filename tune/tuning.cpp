#include "tune/tuning.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "tune/open_mpi_rules.hpp"
#include "tune/other_library_rules.hpp"

namespace hockney::tune {
namespace {

/// Sentences of files and notes.
namespace words {

constexpr std::string_view no_rules = "coll/tuned takes no rules for it";
constexpr std::string_view no_number = "its number is not known";
constexpr std::string_view no_preset = "it is no preset's number";
constexpr std::string_view parameters = "the tree would have to hold its parameters, too";
constexpr std::string_view no_word = "a name in it is no word of a file";
constexpr std::string_view unset = "no rule can set {}";
constexpr std::string_view library_decides = "{}, so the library decides";

constexpr std::string_view written_by = "selection rules written by hockney tune --for {}";
constexpr std::string_view measured_by = "measured by {} under {}; default setting: {}";
constexpr std::string_view gains =
    "another choice than the default's gains more than {} and is shown to be faster, {}";
constexpr std::string_view changes =
    "fewer rules regret at most {}; between measured sizes they change where times cross, but the "
    "default has what lies between it and a choice that is slower at its end; between ranks at the "
    "geometric middle";
constexpr std::string_view left_to_library =
    "smaller and larger sizes and numbers of ranks are left to the library";
constexpr std::string_view extended =
    "the outermost choices hold for all smaller and larger sizes and numbers of ranks";
constexpr std::string_view use_in_open_mpi =
    "to use it: OMPI_MCA_coll_tuned_use_dynamic_rules=1 "
    "OMPI_MCA_coll_tuned_dynamic_rules_filename=<this file>";
constexpr std::string_view use_in_simgrid =
    "SimGrid takes one algorithm of an operation for a whole run: each line is a run's";
constexpr std::string_view use_in_mpich =
    "to use it: MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=<this file> "
    "MPIR_CVAR_DEVICE_COLLECTIVES=none";
constexpr std::string_view use_in_shell = "to use it: source this file in a shell";
constexpr std::string_view was_slower =
    "the default has the sizes at which an earlier file was slower: {}";
constexpr std::string_view decision = "{}, {} ranks, {}: {}, {} of the default's time{}{}";
constexpr std::string_view no_test = "no test: times of a simulator without noise";
constexpr std::string_view family = "{} for {} tests, alpha {}";

}  // namespace words

std::string first_variable(const Choice& choice) {
  return choice.variables.empty() ? std::string() : choice.variables.begin()->first;
}

std::string_view why_not_open_mpi(const std::string& operation, const Choice& choice) {
  if (!open_mpi_collective(operation)) return words::no_rules;
  if (!open_mpi_number(operation, choice)) return words::no_number;
  return {};
}

/// Whether an algorithm needs parameters: MPICH 5.0.2 crashes in MPI_Init on one without its radix,
/// type of tree, ...
bool has_parameters(const std::string& algorithm) {
  constexpr std::array<std::string_view, 5> parts{"tree", "k_", "recexch", "multiplying", "ccl"};
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return algorithm.find(part) != std::string::npos; });
}

/// Whether the text has only characters that stay one word for shells, libraries and readers.
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

std::string_view why_not(Target target, const std::string& operation, const Choice& choice) {
  switch (target) {
    case Target::openmpi:
    case Target::openmpi6:
      return why_not_open_mpi(operation, choice);
    case Target::intel:
      return choice.number ? "" : words::no_preset;
    case Target::mpich_json:
      return has_parameters(choice.algorithm) ? words::parameters : "";
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
  if (!has_words_alone(operation, choice)) return std::string(words::no_word);
  const std::string variable = first_variable(choice);
  if (!variable.empty() && target != Target::mpich) return fmt::format(words::unset, variable);
  return std::string(why_not(target, operation, choice));
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
    note({evidence.base, point.operation, fmt::format(words::library_decides, why), 1},
         evidence.left_out);
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

namespace {

std::string number_text(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

std::string percent(double share) {
  constexpr double hundred = 100;
  return number_text(hundred * share) + " %";
}

std::string_view force_text(Target target) {
  switch (target) {
    case Target::openmpi:
    case Target::openmpi6:
      return words::use_in_open_mpi;
    case Target::smpi:
      return words::use_in_simgrid;
    case Target::mpich_json:
      return words::use_in_mpich;
    case Target::intel:
    case Target::mpich:
      break;
  }
  return words::use_in_shell;
}

std::string decision_text(const Decision& decision) {
  const auto& interval = decision.ratio_interval;
  const std::string beside =
      interval ? fmt::format(" ({} .. {})", number_text(interval->low), number_text(interval->high))
               : "";
  return fmt::format(words::decision, decision.operation, decision.ranks,
                     format_bytes(decision.bytes), describe(decision.choice),
                     number_text(decision.ratio), beside,
                     decision.source == Basis::predicted ? ", predicted" : "");
}

using Json = nlohmann::json;

Json choice_json(const Choice& choice) {
  if (choice.is_default()) return nullptr;
  return {{"algorithm", choice.algorithm},
          {"number", choice.number},
          {"segment_bytes", choice.segment},
          {"fanout", choice.fanout},
          {"variables", choice.variables}};
}

Json closest_json(const std::optional<Candidate>& closest) {
  if (!closest) return nullptr;
  return {{"choice", choice_json(closest->choice)},
          {"setting", closest->setting},
          {"ratio", closest->ratio},
          {"ratio_ci", closest->ratio_interval},
          {"ratio_ci_family", closest->family_interval},
          {"p_adjusted", closest->p_adjusted},
          {"launches", closest->launches},
          {"launches_needed", closest->launches_needed}};
}

Json decision_json(const Decision& decision) {
  return {{"operation", decision.operation},
          {"ranks", decision.ranks},
          {"bytes", decision.bytes},
          {"choice", choice_json(decision.choice)},
          {"setting", filled_or_null(decision.setting)},
          {"source", decision.source},
          {"ratio", decision.ratio},
          {"ratio_ci", decision.ratio_interval},
          {"ratio_ci_family", decision.family_interval},
          {"p_adjusted", decision.p_adjusted},
          {"regret", decision.regret},
          {"closest", closest_json(decision.closest)}};
}

Json size_json(const SizeRule& rule) {
  return {{"from_bytes", rule.from}, {"choice", choice_json(rule.choice)}};
}

Json ranks_json(const RanksRule& rule) {
  return {{"from_ranks", rule.from}, {"sizes", array_json(rule.sizes, size_json)}};
}

Json rules_json(const OperationRules& rules) {
  return {{"operation", rules.operation}, {"ranks", array_json(rules.ranks, ranks_json)}};
}

Json left_out_json(const LeftOut& found) {
  return {{"setting", found.setting},
          {"operation", found.operation},
          {"why", found.why},
          {"points", found.points}};
}

Json inexpressible_json(const Inexpressible& found) {
  return {{"operation", found.operation}, {"why", found.why}};
}

}  // namespace

std::string library_title(const std::string& library) {
  const std::string title = library.substr(0, library.find(','));
  return title.substr(0, title.find(". "));
}

std::string family_text(const Evidence& evidence) {
  const EvidenceOptions& options = evidence.options;
  if (options.trust == Trust::exact) return std::string(words::no_test);
  return fmt::format(words::family, describe(options.correction), evidence.family,
                     number_text(options.alpha));
}

std::vector<std::string> comments_of(const Tuning& tuning) {
  const Evidence& evidence = tuning.evidence;
  std::vector<std::string> comments{
      fmt::format(words::written_by, word(tuning.target)),
      fmt::format(words::measured_by, join(evidence.campaigns),
                  split(evidence.library, ',').front(), evidence.base),
      fmt::format(words::gains, percent(evidence.options.least_gain), family_text(evidence)),
      fmt::format(words::changes, percent(tuning.options.most_regret)),
      std::string(tuning.options.beyond == Beyond::library ? words::left_to_library
                                                           : words::extended),
      std::string(force_text(tuning.target))};
  if (!tuning.oversubscribed.empty()) {
    comments.push_back(tuning.oversubscribed + "; written with --force");
  }
  for (const std::string& file : tuning.verified) {
    comments.push_back(fmt::format(words::was_slower, file));
  }
  for (const Decision& decision : tuning.decisions.points) {
    if (!decision.choice.is_default()) comments.push_back(decision_text(decision));
  }
  for (std::string& comment : comments) comment = inert(comment);
  return comments;
}

Json to_json(const Tuning& tuning) {
  const Evidence& evidence = tuning.evidence;
  return {{"schema", selection_schema},
          {"for", word(tuning.target)},
          {"mpi_library", evidence.library},
          {"campaigns", evidence.campaigns},
          {"default", evidence.base},
          {"decisions", array_json(tuning.decisions.points, decision_json)},
          {"changes_nothing", changes_nothing(tuning.decisions)},
          {"oversubscribed", filled_or_null(tuning.oversubscribed)},
          {"rules", array_json(merged(tuning.decisions.rules), rules_json)},
          {"left_out", array_json(evidence.left_out, left_out_json)},
          {"unsaid", array_json(tuning.file.inexpressible, inexpressible_json)},
          {"family",
           {{"size", evidence.family},
            {"correction", evidence.options.correction},
            {"alpha", evidence.options.alpha},
            {"least_gain", evidence.options.least_gain},
            {"most_regret", tuning.options.most_regret},
            {"exact", evidence.options.trust == Trust::exact},
            {"launches_needed", evidence.launches_needed}}}};
}

}  // namespace hockney::tune
