#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/tune/tune_options.hpp"
#include "apps/tune/tune_proof.hpp"
#include "apps/tune/verifying_plan.hpp"
#include "campaign/conclusion.hpp"
#include "core/atomic_file.hpp"
#include "core/inert_text.hpp"
#include "core/json_values.hpp"
#include "core/names.hpp"
#include "core/record_file.hpp"
#include "report/selection/verification_table.hpp"
#include "selection/verification.hpp"

namespace hockney {
namespace {

std::optional<int> launch_of(const Record& record) {
  return record.campaign ? std::optional(record.campaign->launch) : std::nullopt;
}

/// The parts of a launch that took one option each are one launch of the file.
void merge_part(std::vector<Record>& tuned, Record part) {
  if (part.campaign) part.campaign->setting = std::string(tuned_side);
  for (Record& launch : tuned) {
    if (launch_of(launch) != launch_of(part)) continue;
    launch.points.insert(launch.points.end(), part.points.begin(), part.points.end());
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
    if (setting == default_side) {
      launches.base.push_back(std::move(record));
    } else if (setting.starts_with(forced_side)) {
      launches.forced[setting.substr(forced_side.size())].push_back(std::move(record));
    } else {
      merge_part(launches.tuned, std::move(record));
    }
  }
  return launches;
}

ExitCode report(const TuneCommand& command, const CampaignFolder& folder,
                const Verification& verification, const Effect& effect) {
  const std::string document = json_text(to_json(verification, effect)) + "\n";
  write_atomically((folder.root / verification_file).string(), document);
  if (!command.output.empty()) write_atomically(command.output, document);
  if (command.json) {
    std::cout << document;
  } else {
    print_verification(std::cout, verification, effect);
  }
  if (verification.slower > 0) {
    std::cerr << inert("to leave these sizes to the default: hockney tune " +
                       join(command.results, " ") + " --verified " + folder.root.string() + " -o " +
                       command.verify)
              << '\n';
  }
  const bool is_bad = verification.slower > 0 || effect.proof == Proof::ignored;
  return is_bad ? ExitCode::verdict_failed : ExitCode::good;
}

}  // namespace

ExitCode verify_tuning(const TuneCommand& command) {
  const VerifyingPlan plan = verifying_plan(command);
  const CampaignRequest request = make_request(plan.config, plan.config_file, command.campaign);
  if (command.campaign.dry_run) {
    print_commands(request);
    return ExitCode::good;
  }
  const Manifest manifest = run_and_show(request);
  const CampaignFolder folder = campaign_folder(request.folder);
  std::cerr << "records in " << inert(request.folder) << '\n';
  if (const auto missing = what_is_missing(manifest, folder)) throw RunError(*missing);
  VerifyingLaunches launches = sorted_launches(load_records({folder.records()}));
  const Effect effect = proof_of_effect(plan, request, manifest, launches.tuned);
  const Verification verification = verify(std::move(launches), plan.options);
  return report(command, folder, verification, effect);
}

}  // namespace hockney
