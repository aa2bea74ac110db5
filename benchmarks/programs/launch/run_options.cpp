#include "benchmarks/programs/launch/run_options.hpp"

#include <algorithm>
#include <map>
#include <random>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "core/cli/cli11.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "placement/binding.hpp"

namespace hockney {

void SamplingOptionGroup::add_to(CLI::App& app) {
  app.add_option("--budget", budget_, "Time for measuring, such as 3s or 500ms")->default_str("3s");
  app.add_option("--epochs", epochs_, "Visits to every point; replaces --budget")
      ->default_str("as the budget allows; 2 under a simulator");
  app.add_option("--precision", precision_,
                 "End early when every median is known within half of this inside the launch, such "
                 "as 5%; a campaign gives its own")
      ->default_str("none");
  app.add_option("--samples", samples_, "Most samples in one visit")
      ->default_str("100; 1 under a simulator");
  app.add_option("--start", start_,
                 "How ranks begin together where the last one to end counts: round-time (an agreed "
                 "time), barrier (MPI_Barrier) or dissemination (a barrier of our own)")
      ->default_str("round-time; barrier where ranks share CPUs, and under a simulator");
  app.add_flag("--local-times", local_times_,
               "Record every rank's own time too, and print the shortest and the longest");
  app.add_flag("--tails", tails_, "Print high quantiles too");
  if (!clock_checks_.empty()) {
    app.add_option("--clock-checks", clock_checks_,
                   "Synchronisations of the clocks of ranks that read the same one, all recorded");
  }
  app.add_option("--seed", seed_, "Of the order of points and the places of buffers")
      ->default_str("drawn anew");
}

void SamplingOptionGroup::read_into(LaunchOptions& options) const {
  options.epochs = optional_count("--epochs", epochs_, 1);
  options.samples = optional_count("--samples", samples_, 1);
  options.clock_checks = optional_count("--clock-checks", clock_checks_, 0).value_or(0);
  options.local_times = local_times_;
  options.tails = tails_;
  if (!start_.empty()) options.start = parse_start(start_);
  if (!precision_.empty()) options.precision = parse_share("--precision", precision_);
  if (!budget_.empty()) options.budget = parse_budget(budget_);
  if (options.budget && options.epochs) {
    throw InputError({"both --budget and --epochs", "each says when to stop", "give one of them"});
  }
  const auto seed = optional_count<std::uint64_t>("--seed", seed_, 0);
  options.seed = seed ? *seed : std::random_device()();
}

namespace {

/// Of two ranks on one CPU, one is late for every time they agree on.
StartScheme usual_start(const JobPlacement& job) {
  const bool shared = std::ranges::find(job.flags, oversubscribed_flag) != job.flags.end();
  return shared ? StartScheme::barrier : StartScheme::round_time;
}

}  // namespace

StartScheme choose_start(const LaunchOptions& options, const JobPlacement& job) {
  if (!is_simulated()) return options.start.value_or(usual_start(job));
  const StartScheme start = options.start.value_or(StartScheme::barrier);
  if (start != StartScheme::round_time) return start;
  // Nobody can wait for a time there: it passes only inside MPI.
  throw InputError({"--start round-time under a simulator",
                    "time passes only inside MPI there, and waiting for it would never end",
                    "use --start barrier"});
}

namespace {

PlacementOptions parse_placement(const std::string& bind, bool allow_misplaced) {
  PlacementOptions options{.bind = bind != "none", .allow_misplaced = allow_misplaced};
  const bool list = !bind.empty() && bind.find_first_not_of("0123456789,-") == std::string::npos;
  if (list) {
    options.plan.policy = Policy::listed;
    options.plan.cpus = parse_cpus(bind);
  } else if (options.bind) {
    options.plan.policy = parse_policy(bind);
  }
  return options;
}

/// "eager=8192,algorithm=4" as a map; InputError for a part that is no axis with a value.
std::map<std::string, std::string> parse_axes(const std::string& text) {
  std::map<std::string, std::string> axes;
  if (text.empty()) return axes;
  for (const std::string& part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    const bool whole = equals != std::string::npos && equals > 0 && equals + 1 < part.size();
    if (whole && axes.try_emplace(part.substr(0, equals), part.substr(equals + 1)).second) continue;
    throw InputError({"bad value '" + text + "' for --axes",
                      "'" + part + "' is no axis with its value, or its axis occurs twice",
                      "write it like eager=8192,algorithm=4"});
  }
  return axes;
}

}  // namespace

void PlacementOptionGroup::add_to(CLI::App& app) {
  app.add_option("--bind", bind_,
                 "hops, compact or scatter; a list of CPUs such as 0,2,4-7; or none");
  app.add_flag("--allow-misplaced", allow_misplaced_,
               "Go on when a rank is not on the CPU it was bound to");
}

void PlacementOptionGroup::read_into(LaunchOptions& options) const {
  options.placement = parse_placement(bind_, allow_misplaced_);
}

void OutputOptionGroup::add_to(CLI::App& app) {
  app.add_option("-o,--output", output_, "File for the record: .json, or .cbor to save space")
      ->default_str("none");
  app.add_flag("--json", json_, "Print the record instead of the table");
}

void OutputOptionGroup::read_into(LaunchOptions& options) const {
  options.output = output_;
  options.json = json_;
}

void CampaignOptionGroup::add_to(CLI::App& app) {
  app.add_option("--campaign", campaign_, "Name of the campaign this launch belongs to")
      ->default_str("none")
      ->group("Set by hockney run");
  app.add_option("--setting", setting_, "Name of the campaign's setting")
      ->default_str("default")
      ->group("Set by hockney run");
  app.add_option("--axes", axes_, "Where on the axes of a sweep it lies: eager=8192,algorithm=4")
      ->default_str("none")
      ->group("Set by hockney run");
  app.add_option("--launch", launch_, "Number of the launch")
      ->default_str("1")
      ->group("Set by hockney run");
}

std::optional<CampaignPlace> CampaignOptionGroup::parse_place() const {
  const bool has_part = !setting_.empty() || !launch_.empty() || !axes_.empty();
  if (campaign_.empty() && has_part) {
    throw InputError({"--setting, --axes or --launch without --campaign",
                      "they are places in a campaign", "name the campaign, or leave them out"});
  }
  if (campaign_.empty()) return std::nullopt;
  return CampaignPlace{.name = campaign_,
                       .setting = setting_.empty() ? "default" : setting_,
                       .launch = optional_count("--launch", launch_, 1).value_or(1),
                       .axes = parse_axes(axes_)};
}

void CampaignOptionGroup::read_into(LaunchOptions& options) const {
  options.campaign = parse_place();
}

}  // namespace hockney
