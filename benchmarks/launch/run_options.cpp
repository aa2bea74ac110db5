#include "benchmarks/launch/run_options.hpp"

#include <map>

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
