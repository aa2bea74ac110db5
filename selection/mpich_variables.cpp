#include "selection/mpich_variables.hpp"

#include "selection/operation_names.hpp"

namespace hockney {
namespace {

/// The choices made for each operation, in order of its points.
std::map<std::string, std::vector<Choice>> choices_of(const Decisions& decisions) {
  std::map<std::string, std::vector<Choice>> choices;
  for (const Decision& decision : decisions.points) {
    auto& made = choices[decision.operation];
    if (made.empty() || made.back() != decision.choice) made.push_back(decision.choice);
  }
  return choices;
}

}  // namespace

MpichVariables mpich_variables(const Decisions& decisions) {
  MpichVariables result;
  for (const auto& [operation, choices] : choices_of(decisions)) {
    if (choices.size() > 1) {
      result.unsaid.push_back({operation,
                               "a control variable holds for every size and number of ranks, and "
                               "the choices differ; mpich-json can tell them apart"});
      continue;
    }
    const Choice& choice = choices.front();
    if (choice.is_default()) continue;
    result.environment["MPIR_CVAR_" + upper_name(operation) + "_INTRA_ALGORITHM"] =
        choice.algorithm;
    result.environment.insert(choice.variables.begin(), choice.variables.end());
  }
  if (!result.environment.empty()) result.environment["MPIR_CVAR_DEVICE_COLLECTIVES"] = "none";
  return result;
}

}  // namespace hockney
