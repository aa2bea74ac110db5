#include <algorithm>
#include <set>

#include "application/advice/changes.hpp"
#include "core/settings/collective_variable.hpp"
#include "core/text.hpp"
#include "tune/open_mpi_names.hpp"
#include "tune/operation_names.hpp"

namespace hockney::advice {
namespace {

bool is_open_mpi(const profile::Profile& profile) {
  return profile.provenance.mpi.library.starts_with("Open MPI");
}

/// The name that models have for what a variable is set to; nullopt where they have none, and where
/// the library is left its choice.
std::optional<std::string> named_algorithm(const std::string& operation, const std::string& value,
                                           bool is_open) {
  const auto number = as_number<int>(value);
  if (number && (*number == 0 || !is_open)) return std::nullopt;
  const std::string name = number ? tune::open_mpi_name(operation, *number) : value;
  const std::string canonical = schedules::canonical_algorithm(operation, name);
  const auto known = schedules::algorithms_of(operation);
  const bool is_known = std::ranges::find(known, canonical) != known.end();
  return is_known ? std::optional(canonical) : std::nullopt;
}

/// The variables by which a library is told; empty where it cannot be.
std::map<std::string, std::string> variables_for(const Run& run, const std::string& operation,
                                                 const std::string& algorithm) {
  if (!is_open_mpi(run.profile)) return {};
  const auto& names = tune::open_mpi_algorithms(operation);
  const auto found = std::ranges::find_if(names, [&](const std::string& name) {
    return schedules::canonical_algorithm(operation, name) == algorithm;
  });
  if (found == names.end()) return {};
  return {{"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"},
          {"OMPI_MCA_coll_tuned_" + operation + "_algorithm",
           std::to_string(found - names.begin() + 1)}};
}

/// Algorithms that records hold times of, where they hold some of the library's own choice.
std::set<std::string> measured_algorithms(const collectives::Fits& fits,
                                          const std::string& operation) {
  std::set<std::string> measured;
  bool is_own_measured = false;
  for (const collectives::Fit& fit : fits.fits) {
    const collectives::Curve& curve = fit.curve;
    if (curve.operation != operation) continue;
    if (curve.requested.value_or("default") == "default") {
      is_own_measured = true;
    } else {
      measured.insert(*curve.requested);
    }
  }
  return is_own_measured ? measured : std::set<std::string>{};
}

}  // namespace

projection::ForcedAlgorithms algorithms_in_force(const profile::Profile& profile) {
  projection::ForcedAlgorithms forced;
  for (const auto& [variable, value] : profile.provenance.environment) {
    const auto meaning = collective_variable(variable);
    if (!meaning || meaning->role != CollectiveRole::algorithm) continue;
    const std::string operation = tune::lower_name(meaning->operation);
    const auto known = schedules::scheduled_operations();
    if (std::ranges::find(known, operation) == known.end()) continue;
    if (const auto name = named_algorithm(operation, value, is_open_mpi(profile))) {
      forced[operation] = *name;
    }
  }
  return forced;
}

std::vector<std::vector<Change>> algorithm_changes(const Run& run) {
  const projection::ForcedAlgorithms forced = algorithms_in_force(run.profile);
  std::vector<std::vector<Change>> all;
  for (const std::string& operation : run.projector.operations()) {
    const auto in_force = forced.find(operation);
    std::set<std::string> names = measured_algorithms(run.machine.collectives(), operation);
    if (in_force != forced.end()) {
      const auto known = schedules::algorithms_of(operation);
      names.insert(known.begin(), known.end());
      names.erase(in_force->second);
    }
    std::vector<Change> changes;
    for (const std::string& name : names) {
      Change change{.words = operation + " by " + name,
                    .variables = variables_for(run, operation, name),
                    .what_if = {.algorithms = {{operation, name}}}};
      if (!change.variables.empty()) changes.push_back(std::move(change));
    }
    all.push_back(std::move(changes));
  }
  return all;
}

}  // namespace hockney::advice
