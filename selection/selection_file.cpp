#include "selection/selection_file.hpp"

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/json_values.hpp"
#include "selection/intel_adjust.hpp"
#include "selection/mpich_json.hpp"
#include "selection/mpich_variables.hpp"
#include "selection/open_mpi_json.hpp"
#include "selection/open_mpi_rules_file.hpp"
#include "selection/shell_file.hpp"
#include "selection/smpi_options.hpp"

namespace hockney {
namespace {

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

SelectionFile selection_file(Target target, const Decisions& decisions, const Comments& comments,
                             const std::optional<BaseTree>& base) {
  if (target == Target::mpich) {
    MpichVariables variables = mpich_variables(decisions);
    return {shell_file(variables.environment, comments), std::move(variables.unsaid)};
  }
  KeyedRules rules = keyed(target, decisions.rules);
  if (target != Target::mpich_json) {
    return {keyed_text(target, rules.rules, comments), std::move(rules.unsaid)};
  }
  if (!base) {
    throw InputError({"--for mpich-json without --base",
                      "MPICH ends in MPI_Init when its tree lacks a collective",
                      "give maint/tuning/coll/mpir/generic.json of your MPICH's sources"});
  }
  return {mpich_json(base->text, base->file, rules.rules), std::move(rules.unsaid)};
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

}  // namespace hockney
