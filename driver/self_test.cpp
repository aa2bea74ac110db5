#include <fmt/format.h>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "driver/campaign/config_sources.hpp"
#include "driver/campaign/stopping.hpp"
#include "driver/output/campaign_command.hpp"
#include "driver/subcommands.hpp"
#include "report/curve_tables.hpp"
#include "verdicts/self_test.hpp"
#include "verdicts/tables/verdict_tables.hpp"

namespace hockney::driver {
namespace {

struct SelfTestCommand {
  std::vector<std::string> records;
  std::string each = "10";
  campaign::OutputOptions output;
  campaign::Options campaign;  ///< its seed is also that of the cut
  std::vector<CommandOption> only_measuring;
};

/// How the launches are divided into sub-campaigns.
struct SubCampaigns {
  int each = 0;
  std::uint64_t seed = 1;
};

SubCampaigns parse_cut(const SelfTestCommand& command) {
  constexpr int fewest = 6;  // below this, the median has no interval
  SubCampaigns cut{.each = parse_count<int>("--each", command.each, fewest)};
  const std::string& seed = command.campaign.seed;
  if (!seed.empty()) cut.seed = parse_count<std::uint64_t>("--seed", seed, 0);
  return cut;
}

/// Evaluates records and prints the results, also to `file` if it is not empty. A clock outside of
/// its certain bound fails the verdict; all other results of a self-test vary by chance.
ExitCode evaluate(const std::vector<Record>& records, const SubCampaigns& cut,
                  const campaign::OutputOptions& options, const std::string& file = "") {
  report::print_faults(std::cerr, find_faults(records));
  const verdicts::SelfTest test = verdicts::evaluate_self_test(records, cut.each, cut.seed);
  nlohmann::json document = to_json(test);
  if (!file.empty()) write_atomically(file, json_text(document) + "\n");
  const auto print = [&](std::ostream& out) { report::print_self_test(out, test); };
  campaign::Output(options).show(
      {.summary =
           [&] {
             return report::Screen{.answer = report::lines_printed(print),
                                   .verdict = report::self_test_verdict(test)};
           },
       .tables = print,
       .document = [&] { return document; },
       .csv = [&](std::ostream& out) { write_csv(out, report::view_of(test)); }});
  const auto& clock = test.clock.truth;
  const bool is_wrong = clock && clock->within.hits < clock->within.trials;
  return is_wrong ? ExitCode::verdict_failed : ExitCode::good;
}

std::int64_t launches_needed(const SubCampaigns& cut) { return 2 * std::int64_t{cut.each}; }

/// InputError before measuring.
void require_launches(const campaign::Request& request, const SubCampaigns& cut) {
  const int launches = first_plan(request.config, request.terms).launches;
  if (launches >= launches_needed(cut)) return;
  throw InputError(
      {fmt::format("{} launches are too few", launches),
       fmt::format("they are cut into sub-campaigns of {}, at least two of them", cut.each),
       fmt::format("give --launches {} or more, or a smaller --each", launches_needed(cut))});
}

/// Runs the campaign and evaluates the finished launches, if there are enough.
ExitCode measure(const SelfTestCommand& command, const SubCampaigns& cut) {
  const campaign::Request request = make_request(campaign::self_test_config(), command.campaign);
  require_launches(request, cut);
  auto finished = run_or_print(request, command.campaign);
  if (!finished) return ExitCode::good;
  std::cerr << "records in " << escaped(request.folder) << '\n';
  ExitCode code = ExitCode::good;
  const auto missing = finished->missing();
  if (!missing || finished->manifest.complete_launches() >= launches_needed(cut)) {
    const std::string file = (finished->folder.root / "self-test.json").string();
    code = evaluate(finished->take_records(), cut, command.output, file);
    std::cerr << "result in " << escaped(request.folder) << "/self-test.json\n";
  }
  if (missing) throw RunError(*missing);
  return code;
}

void reject_measuring(const SelfTestCommand& command) {
  for (const CommandOption option : command.only_measuring) {
    if (!option.is_given()) continue;
    throw InputError({option.name() + " with records", "these are measured already",
                      "leave it out, or leave the records out to measure now"});
  }
}

ExitCode run(const SelfTestCommand& command) {
  const SubCampaigns cut = parse_cut(command);
  if (command.records.empty()) return measure(command, cut);
  reject_measuring(command);
  return evaluate(load_records(command.records, Kept::times), cut, command.output);
}

/// Defaults of the built-in campaign.
campaign::Defaults defaults() {
  const campaign::Config config = campaign::self_test_config();
  return {.out = fmt::format("results/{}-<time>", config.name),
          .launches = std::to_string(first_plan(config).launches),
          .ranks = config.ranks ? std::to_string(*config.ranks) : "hops",
          .budget = config.budget ? fmt::format("{}s", std::lround(config.budget->value)) : "none",
          .launcher = "what the program is linked with"};
}

void add_options(CommandLine& app, SelfTestCommand& command) {
  app.add_option("records", command.records,
                 "Folder or files of a self-test that was measured before")
      .default_str("none: it is measured now");
  app.add_option("--each", command.each, "Launches in each sub-campaign").capture_default_str();
  app.add_option("--seed", command.campaign.seed,
                 "Of the cut into sub-campaigns, and of the launches and their order")
      .default_str("1 for the cut, drawn anew for the launches");
  add_output_options(app, command.output);
  command.only_measuring = add_campaign_options(app, command.campaign, defaults());
}

}  // namespace

void add_self_test(CommandLine& driver, Action& chosen) {
  add_command<SelfTestCommand>(
      driver, chosen, "self-test",
      "Measure the tool's own false alarms, power, coverage and clock errors on this machine",
      add_options, run,
      {.examples = {{"hockney self-test", "measure now, three minutes, and evaluate"},
                    {"hockney self-test --launches 40 --budget 10m --out results/self-test",
                     "more launches"},
                    {"hockney self-test results/self-test --each 8",
                     "evaluate again, cut otherwise"}},
       .common = {"records", "--each", "--launches", "--budget", "--out", "--resume", "--dry-run",
                  "--all", "--quiet", "--json", "--csv", "--output"}});
}

}  // namespace hockney::driver
