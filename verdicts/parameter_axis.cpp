#include "verdicts/parameter_axis.hpp"

#include <set>
#include <utility>

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

/// The items whose point has the value, with what else `point_of` gives access to.
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
      part.campaign->setting += " " + parameter + "=" + value;
    }
  }
  return parts;
}

}  // namespace hockney::verdicts
