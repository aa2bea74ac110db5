#include <algorithm>
#include <utility>

#include "campaign/config.hpp"
#include "core/text.hpp"

namespace hockney::campaign {
namespace {

constexpr std::string_view ask_library = "ask";

[[noreturn]] void reject_text(const std::string& text, const std::string& why) {
  throw InputError({"bad --vary '" + text + "'", why,
                    "write NAME=VALUE,VALUE, such as OMPI_MCA_btl=default,self+tcp"});
}

std::vector<std::string> values_in(const std::string& text) {
  if (text.find(';') != std::string::npos) return split(text, ';');
  std::vector<std::string> values = split(text, ',');
  for (std::string& value : values) std::ranges::replace(value, '+', ',');
  return values;
}

/// "bcast" of "smpi/bcast", "cache" of "--cache": names become parts of names of files.
std::string axis_name(const std::string& name) {
  const std::string last = name.substr(name.rfind('/') + 1);
  return last.substr(std::min(last.find_first_not_of('-'), last.size()));
}

AxisValue value_of(const std::string& name, const std::string& text) {
  if (text == default_value)
    return {
        .name = text, .environment = {}, .arguments = {}, .launcher_arguments = {}, .ranks = {}};
  if (name == ranks_axis) {
    const auto ranks = as_number<int>(text);
    if (!ranks) reject_text(name + "=" + text, "'" + text + "' is no number of ranks");
    return {
        .name = text, .environment = {}, .arguments = {}, .launcher_arguments = {}, .ranks = ranks};
  }
  if (name.starts_with("-")) {
    return {.name = value_name(text),
            .environment = {},
            .arguments = {name + "=" + text},
            .launcher_arguments = {},
            .ranks = {}};
  }
  return axis_value(value_name(text), name, text);
}

}  // namespace

Axis varied_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) reject_text(text, "it names nothing that varies");
  const std::string name = text.substr(0, equals);
  const std::string values = text.substr(equals + 1);
  const bool is_variable = name != ranks_axis && !name.starts_with("-");
  Axis axis{
      .name = axis_name(name), .variable = is_variable ? name : "", .values = {}, .except = {}};
  if (axis.name.empty()) reject_text(text, "it names nothing that varies");
  if (values == ask_library) {
    if (!is_variable) reject_text(text, "only of a variable the MPI library can be asked");
    return axis;
  }
  axis.values.emplace();
  for (const std::string& value : values_in(values)) {
    if (value.empty()) reject_text(text, "one of its values is empty");
    axis.values->push_back(value_of(name, value));
  }
  if (axis.values->size() < 2) reject_text(text, "there is nothing to compare the one value with");
  return axis;
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
  for (const std::string& text : texts) config.sweep->axes.push_back(varied_axis(text));
}

}  // namespace hockney::campaign
