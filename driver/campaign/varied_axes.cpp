#include "driver/campaign/varied_axes.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "driver/campaign/request.hpp"

namespace hockney::campaign {
namespace {

[[noreturn]] void reject_text(const std::string& text, const std::string& why) {
  throw InputError({fmt::format("bad --vary '{}'", text), why,
                    "write NAME=VALUE,VALUE, such as OMPI_MCA_btl=default,self+tcp"});
}

std::vector<std::string> values_in(const std::string& text) {
  if (text.find(';') != std::string::npos) return split(text, ';');
  std::vector<std::string> values = split(text, ',');
  for (std::string& value : values) std::ranges::replace(value, '+', ',');
  return values;
}

/// "bcast" of "smpi/bcast", "cache" of "--cache": names become parts of file names.
std::string axis_name(const std::string& name) {
  const std::string last = name.substr(name.rfind('/') + 1);
  return last.substr(std::min(last.find_first_not_of('-'), last.size()));
}

AxisValue value_of(const std::string& name, const std::string& text) {
  if (text == default_value) return {.name = text};
  if (name == ranks_axis) {
    const auto ranks = as_number<int>(text);
    if (!ranks) {
      reject_text(fmt::format("{}={}", name, text),
                  fmt::format("'{}' is no number of ranks", text));
    }
    return {.name = text, .ranks = ranks};
  }
  if (name.starts_with("-")) {
    return {.name = value_name(text), .arguments = {fmt::format("{}={}", name, text)}};
  }
  return axis_value(value_name(text), name, text);
}

Axis varied_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) reject_text(text, "it names nothing that varies");
  const std::string name = text.substr(0, equals);
  const std::string values = text.substr(equals + 1);
  const bool is_variable = name != ranks_axis && !name.starts_with("-");
  Axis axis{
      .name = axis_name(name), .variable = is_variable ? name : "", .values = {}, .except = {}};
  if (axis.name.empty()) reject_text(text, "it names nothing that varies");
  axis.values.emplace();
  for (const std::string& value : values_in(values)) {
    if (value.empty()) reject_text(text, "one of its values is empty");
    axis.values->push_back(value_of(name, value));
  }
  if (axis.values->size() < 2) reject_text(text, "there is nothing to compare the one value with");
  return axis;
}

/// Whether two axes are about the same: a name, or a variable of the library.
bool is_same_axis(const Axis& one, const Axis& other) {
  return one.name == other.name || (!one.variable.empty() && one.variable == other.variable);
}

/// Takes values that an axis no longer has out of places.
void keep_values(Places& places, const Axis& axis) {
  const auto place = places.find(axis.name);
  if (place == places.end() || !axis.values) return;
  std::erase_if(place->second, [&](const std::string& value) {
    return std::ranges::find(*axis.values, value, &AxisValue::name) == axis.values->end();
  });
}

/// Takes values that axes no longer have out of conditions.
void keep_values(Sweep& sweep, const Axis& axis) {
  for (Condition& condition : sweep.conditions) {
    keep_values(condition.when, axis);
    keep_values(condition.needs, axis);
  }
}

/// Puts an axis in place of the one about the same, or behind the others.
void put_axis(Sweep& sweep, Axis axis) {
  const auto place = std::ranges::find_if(
      sweep.axes, [&](const Axis& present) { return is_same_axis(present, axis); });
  if (place == sweep.axes.end()) {
    sweep.axes.push_back(std::move(axis));
    return;
  }
  axis.name = place->name;
  *place = std::move(axis);
  keep_values(sweep, *place);
}

}  // namespace

void put_values(Sweep& sweep, Axis& axis, std::vector<AxisValue> values) {
  axis.values = std::move(values);
  keep_values(sweep, axis);
}

void vary(Config& config, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  const std::vector<Setting> default_alone{{.name = std::string(default_value)}};
  const bool has_settings = !config.settings.empty() && config.settings != default_alone;
  if (has_settings && !config.sweep) {
    throw InputError({"--vary for a campaign that has settings of its own",
                      "it is about " + join(strings_of(config.settings, &Setting::name)),
                      "take a config without settings, such as hops or quick"});
  }
  if (!config.sweep) config.sweep.emplace();
  std::set<std::string> named;
  for (const std::string& text : texts) {
    Axis axis = varied_axis(text);
    if (!named.insert(axis.name).second) {
      reject_text(text, fmt::format("'{}' is varied twice", axis.name));
    }
    put_axis(*config.sweep, std::move(axis));
  }
  if (is_expanded(config)) config.settings = default_alone;
}

bool fix_ranks(Config& config, int ranks) {
  if (!config.sweep) return false;
  const auto axis = std::ranges::find(config.sweep->axes, ranks_axis, &Axis::name);
  if (axis == config.sweep->axes.end()) return false;
  put_axis(*config.sweep, {.name = axis->name,
                           .variable = "",
                           .values = {{value_of(axis->name, std::to_string(ranks))}},
                           .except = {}});
  if (is_expanded(config)) config.settings = {{.name = std::string(default_value)}};
  return true;
}

}  // namespace hockney::campaign
