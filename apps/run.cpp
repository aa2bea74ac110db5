#include <iostream>

#include "apps/subcommands.hpp"
#include "apps/suspects.hpp"
#include "campaign/app/campaign_command.hpp"
#include "campaign/outcome.hpp"
#include "core/cli/subcommand.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "report/algorithm_table.hpp"
#include "report/axis_table.hpp"
#include "report/record_tables.hpp"
#include "verdicts/compare_axis.hpp"

namespace hockney {
namespace {

struct RunOptions {
  std::string config;
  std::string suspects;
  CampaignOptions campaign;
  bool tails = false;
};

ExitCode run(const RunOptions& options, const CampaignConfig& config,
             const std::optional<HostsOfRanks>& hosts = std::nullopt) {
  const CampaignRequest request = make_request(config, options.config, options.campaign);
  if (options.campaign.algorithms_only && !options.campaign.dry_run) {
    print_algorithm_tables(std::cout, verify_and_show(request));
    return ExitCode::good;
  }
  const auto finished = run_or_print(request, options.campaign);
  if (!finished) return ExitCode::good;
  const Manifest& manifest = finished->manifest;
  if (finished->complete_launches() > 0) {
    const auto records = load_records({finished->folder.records()}, Kept::times);
    if (hosts) require_hosts(records, *hosts);
    const double level = manifest.precision ? manifest.precision->level : default_level;
    const std::vector<std::string> axes = axes_of(records);
    for (const std::string& axis : axes) print_axis_table(std::cout, by_axis(records, axis));
    print_algorithm_tables(std::cout, records);
    if (axes.empty()) {
      print_record_tables(std::cout, records, {.level = level, .tails = options.tails});
    }
  }
  if (const auto reached = what_was_reached(manifest)) std::cerr << *reached << '\n';
  std::cerr << "records in " << inert(request.folder) << '\n';
  if (finished->missing) throw RunError(*finished->missing);
  return ExitCode::good;
}

ExitCode run_again(RunOptions options, CampaignConfig config) {
  const auto hosts = restrict_to_suspects(config, options.suspects);
  if (!hosts) {
    std::cerr << "no link is suspect in " << inert(options.suspects)
              << ": nothing to measure again\n";
    return ExitCode::good;
  }
  if (options.campaign.launches.empty()) {
    options.campaign.launches = std::to_string(usual_repetitions);
  }
  return run(options, config, hosts);
}

ExitCode run(const RunOptions& options) {
  CampaignConfig config = load_config(options.config);
  return options.suspects.empty() ? run(options, config) : run_again(options, std::move(config));
}

void add_options(CLI::App& app, RunOptions& options) {
  app.add_option("config", options.config, "The campaign: a hockney.campaign/1 document")
      ->required();
  app.add_option("arguments", options.campaign.arguments,
                 "After --: further arguments for the program that is launched")
      ->default_str("none");
  add_campaign_options(app, options.campaign);
  app.add_option("--precision", options.campaign.precision,
                 "Add launches until every interval is this close to its median, such as 5%")
      ->default_str("as the config says; 5% where there are neither launches nor a budget");
  app.add_option("--max-launches", options.campaign.max_launches,
                 "Launches of each setting at most")
      ->default_str("as the config says, or 30");
  app.add_option("--suspects", options.suspects,
                 "Only measure again, " + std::to_string(usual_repetitions) +
                     " times under its first setting, the links that are slow in these records of "
                     "the campaign")
      ->default_str("none");
  app.add_flag("--witness-only", options.campaign.algorithms_only,
               "Only tell which algorithms run, measure nothing");
  app.add_flag("--tails", options.tails, "Print high quantiles too");
  app.add_option("--seed", options.campaign.seed, "Of the order of launches and of their own seeds")
      ->default_str("drawn anew");
}

}  // namespace

void add_run(CLI::App& driver, Action& chosen) {
  add_command<RunOptions>(driver, chosen, "run", "A campaign: plan, launch, record, resume",
                          add_options, run);
}

}  // namespace hockney
