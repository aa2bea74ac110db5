#include "tune/app/verifying_plan.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/atomic_file.hpp"
#include "core/json_node.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "tune/intel_adjust.hpp"
#include "tune/mpich_json.hpp"
#include "tune/open_mpi_json.hpp"
#include "tune/open_mpi_names.hpp"
#include "tune/open_mpi_rules.hpp"
#include "tune/operation_names.hpp"
#include "tune/selection_file.hpp"
#include "tune/smpi_options.hpp"
#include "tune/verification.hpp"

namespace hockney::tune {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view summary_variable = "MPIR_CVAR_DEBUG_SUMMARY";

campaign::Manifest manifest_of(const std::vector<std::string>& results) {
  const std::string file = results.front() + "/manifest.json";
  if (results.size() == 1 && fs::exists(file)) return campaign::load_manifest(file);
  throw InputError({"--verify with '" + join(results, " ") + "'",
                    "it repeats one campaign, whose manifest.json says how it was launched",
                    "name the folder of one campaign"});
}

/// What our own readers make of it, for the library that is to read it.
void check_file(Target target, const std::string& library, const std::string& text,
                const std::string& file) {
  switch (target) {
    case Target::openmpi:
      read_open_mpi_rules(text, file, open_mpi_release(library));
      break;
    case Target::intel:
      read_intel_adjust(read_shell_file(text, file));
      break;
    case Target::mpich:
      read_shell_file(text, file);
      break;
    case Target::smpi:
      read_smpi_list(text, file);
      break;
    case Target::openmpi6:
      check_open_mpi_json(text, file, open_mpi_release(library));
      break;
    case Target::mpich_json:
      parse_json(text, file);
      break;
  }
}

std::string joined_sizes(const std::vector<Bytes>& sizes) {
  return join(strings_of(sizes, [](Bytes size) { return std::to_string(size.value); }), ",");
}

std::vector<std::string> operations_of(const Evidence& evidence) {
  std::set<std::string> operations;
  for (const TunedPoint& point : evidence.points) operations.insert(point.operation);
  return {operations.begin(), operations.end()};
}

/// The default setting with the file in the place of what it forces itself.
campaign::Setting tuned_setting(const campaign::Setting& base, const VerifyingPlan& plan) {
  campaign::Setting tuned = base;
  tuned.name = std::string(campaign::tuned_side);
  tuned.axes.clear();
  std::erase_if(tuned.environment,
                [](const auto& variable) { return meaning_of(variable.first).has_value(); });
  for (const auto& [name, value] : plan.activation) tuned.environment[name] = value;
  // MPICH then says which tree it has read.
  if (plan.target == Target::mpich_json) tuned.environment[std::string(summary_variable)] = "1";
  return tuned;
}

/// SimGrid's option of a choice holds for a whole launch: a part for each choice of an operation.
std::vector<campaign::Setting> simulated_parts(const VerifyingPlan& plan, int ranks,
                                               const std::vector<std::string>& operations,
                                               const std::vector<Bytes>& sizes) {
  const Rules rules = read_smpi_list(plan.text, plan.file);
  std::vector<campaign::Setting> parts;
  for (const std::string& operation : operations) {
    std::map<std::string, std::vector<Bytes>> by_option;
    for (const Bytes size : sizes) {
      const Choice choice = decide(rules, operation, ranks, size.value);
      by_option[smpi_option(operation, choice)].push_back(size);
    }
    for (const auto& [option, its_sizes] : by_option) {
      campaign::Setting part{
          .name = std::string(campaign::tuned_side) + "." + std::to_string(parts.size() + 1),
          .arguments = {"--operations", operation, "--sizes", joined_sizes(its_sizes)}};
      if (!option.empty()) part.launcher_arguments = {option};
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

/// The settings to measure beside, by --oracle.
std::vector<std::string> oracle_settings(const Command& command, const Evidence& evidence) {
  std::set<std::string> names;
  if (command.oracle == "all") {
    for (const TunedPoint& point : evidence.points) {
      for (const Candidate& candidate : point.candidates) names.insert(candidate.setting);
    }
  } else if (command.oracle == "chosen") {
    for (const Decision& decision : decide_all(evidence, decide_options(command)).points) {
      if (!decision.setting.empty()) names.insert(decision.setting);
    }
  } else if (command.oracle != "none") {
    throw InputError({"bad --oracle '" + command.oracle + "'", "it says what to measure beside",
                      suggest(command.oracle, {"chosen", "all", "none"})});
  }
  return {names.begin(), names.end()};
}

Evidence evidence_of(const Command& command) {
  Evidence evidence = gather_evidence(load_records(command.results), evidence_options(command));
  if (!command.operations.empty()) {
    const std::vector<std::string> wanted = split(command.operations, ',');
    std::erase_if(evidence.points, [&](const TunedPoint& point) {
      return std::ranges::find(wanted, point.operation) == wanted.end();
    });
  }
  if (!evidence.points.empty()) return evidence;
  throw InputError(
      {"nothing to verify", "the campaign has no such operation", "name one of its operations"});
}

}  // namespace

VerifyingPlan verifying_plan(const Command& command) {
  const campaign::Manifest manifest = manifest_of(command.results);
  Evidence evidence = evidence_of(command);
  // Member by member: g++ 12 destroys a nested aggregate, here the config, twice when a later
  // initialiser throws.
  VerifyingPlan plan;
  plan.config_file = manifest.config_file;
  plan.target = chosen_target(command, evidence.library);
  plan.file = fs::absolute(command.verify).lexically_normal().string();
  plan.text = read_file(command.verify);
  plan.options = evidence.options;
  keep_expressible(plan.target, evidence);
  check_file(plan.target, evidence.library, plan.text, command.verify);
  plan.activation = activation(plan.target, plan.file, plan.text);
  const std::vector<Bytes> sizes =
      command.sizes.empty() ? held_out_sizes(evidence.points) : parse_sizes(command.sizes);
  campaign::VerificationPlan parts{.base = evidence.base,
                                   .forced = oracle_settings(command, evidence),
                                   .operations = operations_of(evidence),
                                   .sizes = joined_sizes(sizes)};
  if (plan.target == Target::smpi) {
    parts.tuned = simulated_parts(plan, manifest.ranks, parts.operations, sizes);
  } else {
    parts.tuned = {tuned_setting(setting_of(manifest.config, parts.base), plan)};
  }
  plan.config = verification_config(manifest, parts);
  plan.points = std::move(evidence.points);
  return plan;
}

}  // namespace hockney::tune
