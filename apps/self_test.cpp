#include <cmath>
#include <cstdint>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/subcommands.hpp"
#include "campaign/app/campaign_command.hpp"
#include "campaign/conclusion.hpp"
#include "campaign/stopping.hpp"
#include "campaign/verification_config.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/cli11.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "report/compare_table.hpp"
#include "verdicts/self_test.hpp"

namespace hockney {
namespace {

struct SelfTestCommand {
  std::vector<std::string> records;
  std::string each = "10";
  std::string output;
  bool json = false;
  CampaignOptions campaign;  ///< its seed is also that of the cut
  std::vector<CLI::Option*> only_measuring;
};

/// How the launches are cut into sub-campaigns.
struct Cut {
  int each = 0;
  std::uint64_t seed = 1;
};

Cut parse_cut(const SelfTestCommand& command) {
  constexpr int fewest = 6;  // below, no interval of a median
  Cut cut{.each = parse_count<int>("--each", command.each, fewest)};
  const std::string& seed = command.campaign.seed;
  if (!seed.empty()) cut.seed = parse_count<std::uint64_t>("--seed", seed, 0);
  return cut;
}

/// Evaluates the records under `paths`, writes the document into `files`, and prints it or its
/// table. A clock outside of the bound that holds for certain is a verdict that failed; all else in
/// a self-test is a matter of chance.
ExitCode evaluate(const std::vector<std::string>& paths, const Cut& cut,
                  const std::vector<std::string>& files, bool print_document) {
  const SelfTest test = evaluate_self_test(load_records(paths), cut.each, cut.seed);
  const std::string document = json_text(to_json(test)) + "\n";
  for (const std::string& file : files) write_atomically(file, document);
  if (print_document) {
    std::cout << document;
  } else {
    print_self_test(std::cout, test);
  }
  const auto& clock = test.clock.truth;
  const bool is_wrong = clock && clock->within.hits < clock->within.trials;
  return is_wrong ? ExitCode::verdict_failed : ExitCode::good;
}

std::int64_t launches_needed(const Cut& cut) { return 2 * std::int64_t{cut.each}; }

/// Found out before anything is measured.
void require_launches(const CampaignRequest& request, const Cut& cut) {
  const int launches = first_plan(request.config, request.terms).launches;
  if (launches >= launches_needed(cut)) return;
  throw InputError(
      {std::to_string(launches) + " launches are too few",
       "they are cut into sub-campaigns of " + std::to_string(cut.each) + ", at least two of them",
       "give --launches " + std::to_string(launches_needed(cut)) +
           " or more, or a smaller --each"});
}

/// Runs the campaign and evaluates it as far as it got, if that is enough.
ExitCode measure(const SelfTestCommand& command, const Cut& cut) {
  const CampaignRequest request = make_request(self_test_config(), "", command.campaign);
  require_launches(request, cut);
  if (command.campaign.dry_run) {
    print_commands(request);
    return ExitCode::good;
  }
  const Manifest manifest = run_and_show(request);
  const CampaignFolder folder = campaign_folder(request.folder);
  const auto missing = what_is_missing(manifest, folder);
  std::cerr << "records in " << inert(request.folder) << '\n';
  ExitCode code = ExitCode::good;
  if (!missing || complete_launches(manifest) >= launches_needed(cut)) {
    std::vector<std::string> files{(folder.root / "self-test.json").string()};
    if (!command.output.empty()) files.push_back(command.output);
    code = evaluate({folder.records()}, cut, files, command.json);
    std::cerr << "result in " << inert(request.folder) << "/self-test.json\n";
  }
  if (missing) throw RunError(*missing);
  return code;
}

void reject_measuring(const SelfTestCommand& command) {
  for (const CLI::Option* option : command.only_measuring) {
    if (option->count() == 0) continue;
    throw InputError({option->get_name() + " with records", "these are measured already",
                      "leave it out, or leave the records out to measure now"});
  }
}

ExitCode run(const SelfTestCommand& command) {
  const Cut cut = parse_cut(command);
  if (command.records.empty()) return measure(command, cut);
  reject_measuring(command);
  std::vector<std::string> files;
  if (!command.output.empty()) files.push_back(command.output);
  return evaluate(command.records, cut, files, command.json);
}

/// Of the campaign that is built in.
CampaignDefaults defaults() {
  const CampaignConfig config = self_test_config();
  return {
      .out = "results/" + config.name + "-<time>",
      .launches = std::to_string(first_plan(config).launches),
      .ranks = config.ranks ? std::to_string(*config.ranks) : "hops",
      .budget = config.budget ? std::to_string(std::lround(config.budget->value)) + "s" : "none",
      .launcher = "what the program is linked with"};
}

void add_options(CLI::App& app, SelfTestCommand& command) {
  app.add_option("records", command.records,
                 "Folder or files of a self-test that was measured before")
      ->default_str("none: it is measured now");
  app.add_option("--each", command.each, "Launches in each sub-campaign")->capture_default_str();
  app.add_option("--seed", command.campaign.seed,
                 "Of the cut into sub-campaigns, and of the launches and their order")
      ->default_str("1 for the cut, drawn anew for the launches");
  app.add_option("-o,--output", command.output, "Another file for the document")
      ->default_str("none");
  app.add_flag("--json", command.json, "Print the document instead of the table");
  command.only_measuring = add_campaign_options(app, command.campaign, defaults());
}

}  // namespace

void add_self_test(CLI::App& driver, Action& chosen) {
  const auto command = std::make_shared<SelfTestCommand>();
  CLI::App* app = driver.add_subcommand(
      "self-test", "False alarms, power, coverage and clock errors of the tool on this machine");
  add_options(*app, *command);
  app->callback([command, &chosen] { chosen = [command] { return run(*command); }; });
}

}  // namespace hockney
