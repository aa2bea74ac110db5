#include "benchmarks/launch/run_options.hpp"

#include "benchmarks/launch/option_values.hpp"
#include "core/error.hpp"
#include "placement/cpu_list.hpp"

namespace hockney {
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

/// The place in a campaign; InputError for a part of it without a campaign to belong to.
std::optional<CampaignPlace> parse_place(const std::string& campaign, const std::string& setting,
                                         const std::string& launch) {
  if (campaign.empty() && !(setting.empty() && launch.empty())) {
    throw InputError({"--setting or --launch without --campaign", "they are places in a campaign",
                      "name the campaign, or leave them out"});
  }
  if (campaign.empty()) return std::nullopt;
  return CampaignPlace{.name = campaign,
                       .setting = setting.empty() ? "default" : setting,
                       .launch = optional_count("--launch", launch, 1).value_or(1)};
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
  app.add_flag("--tails", tails_, "Print high quantiles too");
}

void OutputOptionGroup::read_into(LaunchOptions& options) const {
  options.output = output_;
  options.json = json_;
  options.tails = tails_;
}

void CampaignOptionGroup::add_to(CLI::App& app) {
  app.add_option("--campaign", campaign_, "Name of the campaign this launch belongs to")
      ->default_str("none")
      ->group("Set by hockney run");
  app.add_option("--setting", setting_, "Name of the campaign's setting")
      ->default_str("default")
      ->group("Set by hockney run");
  app.add_option("--launch", launch_, "Number of the launch")
      ->default_str("1")
      ->group("Set by hockney run");
}

void CampaignOptionGroup::read_into(LaunchOptions& options) const {
  options.campaign = parse_place(campaign_, setting_, launch_);
}

}  // namespace hockney
