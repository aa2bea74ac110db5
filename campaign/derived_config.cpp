#include "campaign/derived_config.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <type_traits>

#include "campaign/config.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::campaign {
namespace {

constexpr int launches_like = 10;  // as those of the shipped configs
constexpr Seconds budget_like{60};

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

/// What the points of records have, each value once.
struct Workload {
  std::set<std::string> operations;
  std::set<std::int64_t> bytes;
  std::set<int> ranks;
  std::map<std::string, std::set<std::string>> parameters;
};

Workload workload_of(std::span<const Record> records) {
  Workload workload;
  for (const Record& record : records) {
    for (const PlannedPoint& planned : record.points) {
      const Point& point = planned.point;
      workload.operations.insert(point.operation);
      workload.bytes.insert(point.bytes.value);
      workload.ranks.insert(point.ranks);
      for (const auto& [name, value] : point.parameters) workload.parameters[name].insert(value);
    }
  }
  return workload;
}

/// The last part of a path, of characters that a campaign's name may have.
std::string name_from(const std::string& path) {
  std::string name = path.substr(0, path.find_last_not_of('/') + 1);
  name = name.substr(name.rfind('/') + 1);
  const auto is_odd = [](char c) {
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return !is_plain && c != '.' && c != '_' && c != '-';
  };
  std::ranges::replace_if(name, is_odd, '-');
  constexpr std::size_t longest = 60;
  return name.substr(0, longest);
}

/// The option of an MPI executable that makes points with a parameter.
std::string option_of(const std::string& parameter) {
  return "--" + (parameter == timing_parameter ? "compat" : parameter);
}

template <class Values>
std::string joined(const Values& values) {
  std::vector<std::string> texts;
  for (const auto& value : values) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>) {
      texts.push_back(std::to_string(value));
    } else {
      texts.push_back(value);
    }
  }
  return join(texts, ",");
}

}  // namespace

Config config_like(std::span<const Record> records, const std::string& name) {
  const Workload workload = workload_of(records);
  if (workload.ranks.size() != 1) {
    throw InputError({"'" + name + "' has points of " +
                          (workload.ranks.empty() ? "no" : joined(workload.ranks)) + " ranks",
                      "a campaign like it has one number of ranks",
                      "name records of one number of ranks"});
  }
  constexpr int ranks_of_a_pair = 2;
  const int ranks = *workload.ranks.begin();
  Config config{
      .name = "like-" + name_from(name),
      .description = "The operations, sizes, ranks and way of timing of " + name,
      .program = ranks == ranks_of_a_pair ? "hockney-pingpong" : "hockney-collectives",
      .arguments = {"--operations", joined(workload.operations), "--sizes", joined(workload.bytes)},
      .ranks = ranks,
      .launches = launches_like,
      .budget = budget_like};
  for (const auto& [parameter, values] : workload.parameters) {
    append(config.arguments, {option_of(parameter), joined(values)});
  }
  return config;
}

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
