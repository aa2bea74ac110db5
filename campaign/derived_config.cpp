#include "campaign/derived_config.hpp"

#include <algorithm>
#include <array>

#include "campaign/config.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::campaign {
namespace {

constexpr std::array<std::string_view, 3> workload_options{"--sizes", "-b", "--operations"};

bool has_workload(const Setting& setting) {
  return std::ranges::find(setting.arguments, "--operations") != setting.arguments.end();
}

Setting renamed(const Setting& setting, std::string name) {
  Setting copy = setting;
  copy.name = std::move(name);
  copy.arguments = without_workload(setting.arguments);
  copy.axes.clear();
  return copy;
}

}  // namespace

std::vector<std::string> without_workload(const std::vector<std::string>& arguments) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string name = arguments[i].substr(0, arguments[i].find('='));
    const bool is_workload = std::ranges::find(workload_options, name) != workload_options.end();
    if (!is_workload) {
      kept.push_back(arguments[i]);
    } else if (name == arguments[i]) {
      ++i;  // its value follows
    }
  }
  return kept;
}

const Setting& setting_of(const Config& config, const std::string& name) {
  const auto found = std::ranges::find(config.settings, name, &Setting::name);
  if (found != config.settings.end()) return *found;
  throw InputError({"the campaign has no setting '" + name + "'", "its config does not hold it",
                    suggest(name, strings_of(config.settings, &Setting::name))});
}

Config verification_config(const Manifest& campaign, const VerificationPlan& plan) {
  Config config = campaign.config;
  config.name += "-verify";
  config.description = "The default against a selection file made of " + campaign.config.name;
  config.program = campaign.program;
  config.ranks = campaign.ranks;
  config.launches = campaign.launches;
  config.precision.reset();
  config.most_launches.reset();
  config.budget.reset();
  config.sweep.reset();
  config.arguments = without_workload(config.arguments);
  config.settings = {renamed(setting_of(campaign.config, plan.base), std::string(default_side))};
  config.settings.insert(config.settings.end(), plan.tuned.begin(), plan.tuned.end());
  for (const std::string& name : plan.forced) {
    config.settings.push_back(
        renamed(setting_of(campaign.config, name), std::string(forced_side) + name));
  }
  const std::vector<std::string> workload{"--operations", join(plan.operations, ","), "--sizes",
                                          plan.sizes};
  for (Setting& setting : config.settings) {
    if (has_workload(setting)) continue;
    append(setting.arguments, workload);
  }
  return config;
}

Config self_test_config() {
  return {.name = "self-test",
          .description =
              "What hockney finds where the truth is known: every operation under two names, and "
              "with slow-downs of 5, 10 and 20 %, interleaved at random; and clocks that are the "
              "same. What 'hockney self-test' runs and reads.",
          .program = "hockney-self-test",
          .arguments = {},
          .ranks = 2,
          .launches = 40,
          .budget = Seconds{180}};
}

}  // namespace hockney::campaign
