#include "verdicts/compare_axis.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "core/point.hpp"
#include "core/record.hpp"
#include "core/text.hpp"
#include "verdicts/compare.hpp"

namespace hockney::verdicts {
namespace {

std::set<std::string> values_of(const Record& record, const std::string& parameter) {
  std::set<std::string> values;
  for (const Series& series : record.series) {
    const auto found = series.point.parameters.find(parameter);
    if (found != series.point.parameters.end()) values.insert(found->second);
  }
  return values;
}

/// The items whose point has the value, without the parameter. `point_of` returns an item's point.
template <class Items, class PointOf>
std::vector<typename Items::value_type> with_value(const Items& items, const std::string& parameter,
                                                   const std::string& value, PointOf point_of) {
  std::vector<typename Items::value_type> kept;
  for (const auto& item : items) {
    const auto& parameters = point_of(item).parameters;
    const auto found = parameters.find(parameter);
    if (found == parameters.end() || found->second != value) continue;
    kept.push_back(item);
    point_of(kept.back()).parameters.erase(parameter);
  }
  return kept;
}

Record part_of(const Record& record, const std::string& parameter, const std::string& value) {
  const auto point_of = [](auto& item) -> auto& { return item.point; };
  Record part = record;
  part.points = with_value(record.points, parameter, value, point_of);
  part.series = with_value(record.series, parameter, value, point_of);
  return part;
}

bool has_settings_without_axes(std::span<const Record> records) {
  std::set<std::string> settings;
  for (const Record& record : records) {
    if (record.campaign && record.campaign->axes.empty()) settings.insert(record.campaign->setting);
  }
  return settings.size() > 1;
}

/// Sort key of a value: kind, size, text.
std::tuple<int, std::int64_t, std::string> order_key(const std::string& value) {
  if (value == default_axis_value) return {0, 0, ""};
  const bool number = !value.empty() && std::isdigit(static_cast<unsigned char>(value[0])) != 0;
  if (!number) return {2, 0, value};
  try {
    return {1, parse_bytes(value).value, value};
  } catch (const InputError&) {
    return {2, 0, value};
  }
}

struct ValueOrder {
  bool operator()(const std::string& a, const std::string& b) const {
    return axis_value_precedes(a, b);
  }
};

using ByValue = std::map<std::string, std::vector<Record>, ValueOrder>;

/// Axis values of a complete launch; nullptr if it has no axis of this name.
const std::map<std::string, std::string>* places_of(const Record& record, const std::string& axis) {
  if (record.status != LaunchStatus::complete || !record.campaign) return nullptr;
  const auto& axes = record.campaign->axes;
  return axes.contains(axis) ? &axes : nullptr;
}

/// Records grouped by their values on the other axes.
std::map<std::map<std::string, std::string>, ByValue> by_others(std::span<const Record> records,
                                                                const std::string& axis) {
  std::map<std::map<std::string, std::string>, ByValue> groups;
  for (const Record& record : records) {
    const auto* const places = places_of(record, axis);
    if (places == nullptr) continue;
    std::map<std::string, std::string> others = *places;
    const std::string value = others.extract(axis).mapped();
    groups[others][value].push_back(record);
  }
  return groups;
}

void check_one_campaign(std::span<const Record> records) {
  std::set<std::string> names;
  for (const Record& record : records) {
    if (record.campaign) names.insert(record.campaign->name);
  }
  if (names.size() <= 1) return;
  throw InputError({"launches of several campaigns", join({names.begin(), names.end()}, " and "),
                    "name the folder of one campaign"});
}

/// The family to compare: `sides[i]` belong to `comparisons[i]`, whose set is still empty.
struct AxisFamily {
  std::vector<AxisComparison> comparisons;
  std::vector<SideRecords> sides;
};

AxisFamily family_of(const AxisGroups& groups, std::vector<std::string>& alone) {
  AxisFamily family;
  for (const AxisGroup& group : groups.groups) {
    const std::vector<Record>* base = group.find(groups.base);
    for (const auto& [value, launches] : group.values) {
      if (base == nullptr) {
        alone.push_back(value);
      } else if (value != groups.base) {
        family.comparisons.push_back({.value = value, .others = group.others, .set = {}});
        family.sides.push_back({.a = *base, .b = launches});
      }
    }
  }
  return family;
}

void set_base(AxisGroups& groups, const std::string& base) {
  std::set<std::string> values(groups.alone.begin(), groups.alone.end());
  for (const AxisGroup& group : groups.groups) {
    for (const auto& [value, launches] : group.values) values.insert(value);
  }
  if (!values.contains(base)) {
    throw InputError({fmt::format("unknown value '{}' of {}", base, groups.axis),
                      "no complete launch has it", suggest(base, {values.begin(), values.end()})});
  }
  groups.base = base;
}

/// Axes take precedence: a sweep may have an axis of the parameter's name.
bool is_parameter(std::span<const Record> records, const std::string& axis) {
  const auto has = [&](const std::vector<std::string>& names) {
    return std::ranges::find(names, axis) != names.end();
  };
  return !has(axes_of(records)) && has(parameters_of(records));
}

}  // namespace

std::vector<std::string> parameters_of(std::span<const Record> records) {
  std::set<std::string> names;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) continue;
    for (const Series& series : record.series) {
      for (const auto& [name, value] : series.point.parameters) names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

std::vector<Record> as_axis(std::span<const Record> records, const std::string& parameter) {
  const bool apart = has_settings_without_axes(records);
  std::vector<Record> parts;
  int number = 0;
  for (const Record& record : records) {
    ++number;
    if (record.status != LaunchStatus::complete) continue;
    for (const std::string& value : values_of(record, parameter)) {
      Record& part = parts.emplace_back(part_of(record, parameter, value));
      if (!part.campaign) part.campaign = CampaignPlace{.setting = "default", .launch = number};
      if (apart) part.campaign->axes["setting"] = part.campaign->setting;
      part.campaign->axes[parameter] = value;
      part.campaign->setting += fmt::format(" {}={}", parameter, value);
    }
  }
  return parts;
}

bool axis_value_precedes(const std::string& a, const std::string& b) {
  return order_key(a) < order_key(b);
}

const std::vector<Record>* AxisGroup::find(const std::string& value) const {
  const auto found =
      std::ranges::find(values, value, &std::pair<std::string, std::vector<Record>>::first);
  return found == values.end() ? nullptr : &found->second;
}

std::vector<std::string> axes_of(std::span<const Record> records) {
  std::set<std::string> axes;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete || !record.campaign) continue;
    for (const auto& [axis, value] : record.campaign->axes) axes.insert(axis);
  }
  return {axes.begin(), axes.end()};
}

AxisGroups group_by_axis(std::span<const Record> records, const std::string& axis) {
  const std::vector<std::string> axes = axes_of(records);
  if (std::ranges::find(axes, axis) == axes.end()) {
    std::vector<std::string> known = axes;
    std::ranges::copy(parameters_of(records), std::back_inserter(known));
    throw InputError({fmt::format("unknown axis '{}'", axis), "no complete launch has it",
                      known.empty() ? "name the folder of a sweep" : suggest(axis, known)});
  }
  check_one_campaign(records);
  AxisGroups result{.axis = axis};
  std::set<std::string, ValueOrder> values;
  for (auto& [others, by_value] : by_others(records, axis)) {
    for (const auto& [value, launches] : by_value) values.insert(value);
    if (by_value.size() < 2) {
      result.alone.push_back(by_value.begin()->first);
      continue;
    }
    result.groups.push_back(
        {others,
         {std::make_move_iterator(by_value.begin()), std::make_move_iterator(by_value.end())}});
  }
  const auto plain = std::ranges::find_if(values, [&](const std::string& value) {
    return axis != work_parameter && is_plain_value(axis, value);  // kernel without work: no base
  });
  result.base = plain == values.end() ? *values.begin() : *plain;
  return result;
}

AxisCompareSet compare_by_axis(std::span<const Record> records, const std::string& axis,
                               CompareOptions options, const std::string& base) {
  options.origin = Origin::one_campaign;
  AxisGroups groups = is_parameter(records, axis) ? group_by_axis(as_axis(records, axis), axis)
                                                  : group_by_axis(records, axis);
  if (!base.empty()) set_base(groups, base);
  AxisCompareSet result{.axis = axis,
                        .base = groups.base,
                        .options = options,
                        .comparisons = {},
                        .alone = groups.alone,
                        .faults = find_faults(records),
                        .oversubscribed = oversubscription_text(records)};
  AxisFamily family = family_of(groups, result.alone);
  std::vector<CompareSet> sets = compare_family(family.sides, options);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    result.family += sets[i].comparisons.size();
    family.comparisons[i].set = std::move(sets[i]);
  }
  result.comparisons = std::move(family.comparisons);
  return result;
}

}  // namespace hockney::verdicts
