#include "campaign/sweep.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "campaign/config.hpp"
#include "campaign/launch_plan.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::campaign {
namespace {

constexpr std::size_t longest_name = 90;

/// For each axis the index of a value.
using Combination = std::vector<std::size_t>;

const std::vector<AxisValue>& values_of(const Axis& axis) {
  if (axis.values) return *axis.values;
  throw InputError({"axis '" + axis.name + "' has no values", "the library was not asked", ""});
}

std::size_t default_of(const Axis& axis) {
  const auto& values = values_of(axis);
  const auto found = std::ranges::find_if(values, &AxisValue::is_default);
  return found == values.end() ? 0 : static_cast<std::size_t>(found - values.begin());
}

std::vector<Combination> all_combinations(const std::vector<Axis>& axes) {
  std::vector<Combination> all{{}};
  for (const Axis& axis : axes) {
    std::vector<Combination> longer;
    for (const Combination& begun : all) {
      for (std::size_t value = 0; value < values_of(axis).size(); ++value) {
        longer.push_back(begun);
        longer.back().push_back(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// How many axes are not at their default.
std::size_t changes(const std::vector<Axis>& axes, const Combination& combination) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (combination[i] != default_of(axes[i])) ++count;
  }
  return count;
}

Setting setting_of(const std::vector<Axis>& axes, const Combination& combination) {
  Setting setting;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const AxisValue& value = values_of(axes[i])[combination[i]];
    setting.name += (i == 0 ? "" : ",") + axes[i].name + "=" + value.name;
    setting.axes[axes[i].name] = value.name;
    setting.environment.insert(value.environment.begin(), value.environment.end());
    append(setting.arguments, value.arguments);
    append(setting.launcher_arguments, value.launcher_arguments);
    if (value.ranks) setting.ranks = value.ranks;
  }
  return setting;
}

bool lies_in(const Setting& setting, const Places& places) {
  return std::ranges::all_of(places, [&](const auto& place) {
    const auto& [axis, values] = place;
    return std::ranges::find(values, setting.axes.at(axis)) != values.end();
  });
}

std::optional<std::string> why_skipped(const Setting& setting,
                                       const std::vector<Condition>& conditions) {
  for (const Condition& condition : conditions) {
    if (!lies_in(setting, condition.when)) continue;
    if (!condition.needs.empty() && lies_in(setting, condition.needs)) continue;
    return condition.because;
  }
  return std::nullopt;
}

/// A setting that the axes make.
struct CombinedSetting {
  Setting setting;
  bool is_default = false;  ///< on all axes
};

/// A long name would not do for a file; numbers do, and records have the axes besides.
void shorten_names(std::vector<CombinedSetting>& combined) {
  const auto is_long = [](const CombinedSetting& each) {
    return each.setting.name.size() > longest_name;
  };
  if (std::ranges::none_of(combined, is_long)) return;
  for (std::size_t i = 0; i < combined.size(); ++i) {
    combined[i].setting.name = launch_name("combination", static_cast<int>(i + 1));
  }
}

/// Keeps `count` settings in their order: those of all defaults, and others drawn as by shuffling,
/// with our own draw (core/shuffle.hpp says why).
void keep_drawn(std::vector<CombinedSetting>& combined, std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < combined.size(); ++i) {
    if (!combined[i].is_default) others.push_back(i);
  }
  std::mt19937_64 random(seed);
  std::size_t kept = combined.size() - others.size();
  for (; !others.empty() && kept < count; ++kept) {
    std::swap(others.back(), others[random() % others.size()]);
    others.pop_back();
  }
  std::ranges::sort(others);
  std::size_t index = 0;
  std::erase_if(combined, [&](const CombinedSetting&) {
    return std::ranges::binary_search(others, index++);
  });
}

void check_exceptions(const Axis& axis, const ControlVariable& variable, const std::string& file) {
  const std::vector<std::string> names = strings_of(variable.choices, &PermittedValue::name);
  for (const std::string& name : axis.except) {
    if (std::ranges::find(names, name) != names.end()) continue;
    throw InputError({file + ": axis '" + axis.name + "' excepts '" + name + "'",
                      "the library lists no such value of '" + axis.variable + "'",
                      suggest(name, names)});
  }
}

bool is_effective(const ControlVariable& variable, const PermittedValue& choice) {
  if (!variable.value) return false;
  return choice.name == *variable.value ||
         (choice.number && std::to_string(*choice.number) == *variable.value);
}

std::vector<AxisValue> looked_up_values(const Axis& axis, const VariableLookup& ask,
                                        const std::string& file) {
  const ControlVariable variable = ask(axis.variable);
  if (variable.choices.empty()) {
    throw InputError({file + ": the values of '" + axis.variable + "' are not known",
                      "the MPI library does not list them",
                      "give axis '" + axis.name + "' a list in place of \"ask\""});
  }
  check_exceptions(axis, variable, file);
  std::vector<AxisValue> values{{.name = std::string(default_value)}};
  for (const PermittedValue& choice : variable.choices) {
    const bool excepted = std::ranges::find(axis.except, choice.name) != axis.except.end();
    const bool is_default = choice.name == default_value && !choice.number;
    if (excepted || is_default || is_effective(variable, choice)) continue;
    // Open MPI calls its first algorithm of allgatherv "default".
    if (choice.name == default_value && choice.number) {
      const std::string number = std::to_string(*choice.number);
      values.push_back(axis_value("algorithm-" + number, axis.variable, number));
      continue;
    }
    values.push_back(axis_value(value_name(choice.name), axis.variable, choice.name));
  }
  return values;
}

}  // namespace

Expansion expand(const Sweep& sweep, std::uint64_t seed) {
  std::vector<CombinedSetting> combined;
  for (const Combination& combination : all_combinations(sweep.axes)) {
    const std::size_t changed = changes(sweep.axes, combination);
    if (sweep.mode == SweepMode::one_at_a_time && changed > 1) continue;
    combined.push_back({setting_of(sweep.axes, combination), changed == 0});
  }
  shorten_names(combined);
  Expansion expansion;
  std::erase_if(combined, [&](const CombinedSetting& each) {
    const auto because = why_skipped(each.setting, sweep.conditions);
    if (because) expansion.skipped.push_back({each.setting.name, *because});
    return because.has_value();
  });
  if (sweep.mode == SweepMode::random) keep_drawn(combined, sweep.drawn, seed);
  for (CombinedSetting& each : combined) expansion.settings.push_back(std::move(each.setting));
  return expansion;
}

Sweep resolve_values(const Sweep& sweep, const VariableLookup& ask, const std::string& file) {
  Sweep resolved = sweep;
  for (Axis& axis : resolved.axes) {
    if (!axis.values) axis.values = looked_up_values(axis, ask, file);
  }
  check_sweep(resolved, file);
  return resolved;
}

std::vector<SkippedCombination> settle_sweep(Config& config, std::uint64_t seed,
                                             const VariableLookup& ask, const std::string& file) {
  if (!config.sweep || is_expanded(config)) return {};
  Expansion expansion = expand(resolve_values(*config.sweep, ask, file), seed);
  if (expansion.settings.empty()) {
    throw InputError(
        {file + ": nothing is left of the sweep",
         "its conditions skip all " + std::to_string(expansion.skipped.size()) + " combinations",
         "check 'conditions'"});
  }
  config.settings = std::move(expansion.settings);
  return std::move(expansion.skipped);
}

}  // namespace hockney::campaign
