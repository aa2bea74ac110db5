#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/atomic_file.hpp"
#include "core/cli/standard_output.hpp"
#include "core/json_values.hpp"
#include "core/record.hpp"
#include "core/text.hpp"
#include "tune/app/tune_options.hpp"
#include "tune/app/verifying_plan.hpp"
#include "tune/tables/tables.hpp"
#include "tune/verification.hpp"

namespace hockney::tune {
namespace {

bool is_tuned(const campaign::Attempt& attempt) {
  return attempt.setting == campaign::tuned_side &&
         attempt.status == campaign::AttemptStatus::complete;
}

/// With MPIR_CVAR_DEBUG_SUMMARY MPICH prints the tree it has read.
void add_summary(const VerifyingPlan& plan, const campaign::Manifest& manifest, Effect& effect) {
  std::size_t launches = 0;
  std::size_t named = 0;
  for (const campaign::Attempt& attempt : manifest.attempts) {
    if (!is_tuned(attempt)) continue;
    ++launches;
    const bool is_named = read_file(attempt.log).find(plan.file) != std::string::npos;
    named += is_named ? 1 : 0;
  }
  effect.evidence.push_back("MPICH's summary names the file in " + std::to_string(named) + " of " +
                            std::to_string(launches) + " launches");
  effect.proof = launches > 0 && named == launches ? Proof::proven : Proof::ignored;
}

/// The variables say that the file was asked for; its traffic, that it was understood.
void add_probe(const VerifyingPlan& plan, const campaign::Request& request, Effect& effect) {
  const Effect probe = probe_traffic(plan, request);
  effect.evidence.insert(effect.evidence.end(), probe.evidence.begin(), probe.evidence.end());
  if (effect.proof == Proof::proven) effect.proof = probe.proof;
}

std::optional<int> launch_of(const Record& record) {
  return record.campaign ? std::optional(record.campaign->launch) : std::nullopt;
}

/// The parts of a launch that took one option each are one launch of the file.
void merge_part(std::vector<Record>& tuned, Record part) {
  if (part.campaign) part.campaign->setting = std::string(campaign::tuned_side);
  for (Record& launch : tuned) {
    if (launch_of(launch) != launch_of(part)) continue;
    std::vector<PlannedPoint>& points = launch.points.own();
    points.insert(points.end(), part.points.begin(), part.points.end());
    launch.series.insert(launch.series.end(), part.series.begin(), part.series.end());
    return;
  }
  tuned.push_back(std::move(part));
}

VerifyingLaunches sorted_launches(std::vector<Record> records) {
  VerifyingLaunches launches;
  for (Record& record : records) {
    if (record.status != LaunchStatus::complete || !record.campaign) continue;
    const std::string setting = record.campaign->setting;
    if (setting == campaign::default_side) {
      launches.base.push_back(std::move(record));
    } else if (setting.starts_with(campaign::forced_side)) {
      launches.forced[setting.substr(campaign::forced_side.size())].push_back(std::move(record));
    } else {
      merge_part(launches.tuned, std::move(record));
    }
  }
  return launches;
}

ExitCode report_on(const Command& command, const campaign::Folder& folder,
                   const Verification& verification, const Effect& effect) {
  const std::string document = json_text(to_json(verification, effect)) + "\n";
  write_atomically((folder.root / verification_file).string(), document);
  if (!command.output.empty()) write_atomically(command.output, document);
  if (command.json) {
    std::cout << document;
  } else {
    print_verification(std::cout, verification, effect, output_columns());
  }
  if (verification.slower > 0) {
    std::cerr << inert("to leave these sizes to the default: hockney tune " +
                       join(command.results, " ") + " --verified " + folder.root.string() + " -o " +
                       command.verify + (verification.oversubscribed.empty() ? "" : " --force"))
              << '\n';
  }
  const bool is_bad = verification.slower > 0 || effect.proof == Proof::ignored;
  return is_bad ? ExitCode::verdict_failed : ExitCode::good;
}

/// What is known of the file having been in force in the launches of `tuned`: control variables
/// read back, the traffic of a probe of Open MPI, MPICH's own summary in the logs, the options of
/// simulated launches.
Effect proof_of_effect(const VerifyingPlan& plan, const campaign::Request& request,
                       const campaign::Manifest& manifest, const std::vector<Record>& tuned) {
  Effect effect = effect_of(tuned, plan.activation);
  switch (plan.target) {
    case Target::smpi:
      effect.proof = Proof::proven;
      effect.evidence.emplace_back(
          "each part was launched with the option of its line, which SimGrid refuses if unknown");
      break;
    case Target::mpich_json:
      add_summary(plan, manifest, effect);
      break;
    case Target::openmpi:
      add_probe(plan, request, effect);
      break;
    case Target::openmpi6:
      // The variables say that the file was asked for, and not that it was understood.
      if (effect.proof == Proof::proven) effect.proof = Proof::unproven;
      effect.evidence.emplace_back("nothing tells whether Open MPI understood the file");
      break;
    case Target::intel:
      effect.evidence.emplace_back("Intel MPI complained of nothing");
      break;
    case Target::mpich:
      break;
  }
  return effect;
}

}  // namespace

ExitCode verify_tuning(const Command& command) {
  const VerifyingPlan plan = verifying_plan(command);
  const campaign::Request request = make_request(plan.config, plan.config_file, command.campaign);
  auto finished = run_or_print(request, command.campaign);
  if (!finished) return ExitCode::good;
  std::cerr << "records in " << inert(request.folder) << '\n';
  if (finished->missing) throw RunError(*finished->missing);
  VerifyingLaunches launches = sorted_launches(finished->take_records());
  const Effect effect = proof_of_effect(plan, request, finished->manifest, launches.tuned);
  const Verification verification = verify(std::move(launches), plan.options);
  return report_on(command, finished->folder, verification, effect);
}

}  // namespace hockney::tune
