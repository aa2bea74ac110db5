#include "driver/campaign/sweep.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/json_fields.hpp"
#include "core/text.hpp"
#include "driver/campaign/config.hpp"
#include "driver/campaign/request.hpp"

namespace hockney::campaign {
namespace {

constexpr std::size_t longest_name = 90;

/// For each axis the index of a value.
using Combination = std::vector<std::size_t>;

const std::vector<AxisValue>& values_of(const Axis& axis) {
  if (axis.values) return *axis.values;
  throw InputError(
      {fmt::format("axis '{}' has no values", axis.name), "the library's list was not read", ""});
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

/// Number of axes that are not at their default.
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
    setting.name += fmt::format("{}{}={}", i == 0 ? "" : ",", axes[i].name, value.name);
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

/// A setting expanded from the axes.
struct CombinedSetting {
  Setting setting;
  bool is_default = false;  ///< on all axes
};

/// Replaces names that are too long for a file by numbers; records have the axes too.
void shorten_names(std::vector<CombinedSetting>& combined) {
  const auto is_long = [](const CombinedSetting& each) {
    return each.setting.name.size() > longest_name;
  };
  if (std::ranges::none_of(combined, is_long)) return;
  for (std::size_t i = 0; i < combined.size(); ++i) {
    combined[i].setting.name = launch_name("combination", static_cast<int>(i + 1));
  }
}

/// Keeps `count` settings in their order: the one of all defaults, and others drawn at random. The
/// draw is our own, for the reason in core/statistics.hpp.
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
    throw InputError({fmt::format("{}: axis '{}' excepts '{}'", file, axis.name, name),
                      fmt::format("the library lists no such value of '{}'", axis.variable),
                      suggest(name, names)});
  }
}

bool is_effective(const ControlVariable& variable, const PermittedValue& choice) {
  if (!variable.value) return false;
  return choice.name == *variable.value ||
         (choice.number && std::to_string(*choice.number) == *variable.value);
}

std::vector<AxisValue> looked_up_values(const Axis& axis, const VariableLookup& query,
                                        const std::string& file) {
  const ControlVariable variable = query(axis.variable);
  if (variable.choices.empty()) {
    throw InputError({fmt::format("{}: the values of '{}' are not known", file, axis.variable),
                      "the MPI library does not list them",
                      fmt::format("give axis '{}' a list in place of \"ask\"", axis.name)});
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

using Json = nlohmann::json;

constexpr std::string_view ask_word = "ask";

/// A valid number of ranks.
int read_ranks_of_value(const JsonNode& node) {
  const std::int64_t ranks = node.integer();
  if (ranks >= 1 && ranks <= maximum_ranks) return static_cast<int>(ranks);
  node.reject(fmt::format("is {}", ranks), fmt::format("a launch has 1 to {}", maximum_ranks), "");
}

/// Names and values become parts of file names, joined by = and , in names of settings.
void check_plain(const std::string& name, const std::string& what, const std::string& file) {
  if (!name.empty() && name == value_name(name)) return;
  reject_config(file, fmt::format("{} '{}' is not plain", what, name),
                "it becomes part of file names", "use letters, digits and . _ - + only");
}

void check_values(const Axis& axis, const std::string& file) {
  if (!axis.values) return;
  if (axis.values->empty()) {
    reject_config(file, fmt::format("axis '{}' has no values", axis.name),
                  "there is nothing to vary", "give some, or \"ask\" for those the library lists");
  }
  std::set<std::string> names;
  for (const AxisValue& value : *axis.values) {
    check_plain(value.name, fmt::format("value of axis '{}'", axis.name), file);
    if (names.insert(value.name).second) continue;
    reject_config(file, fmt::format("value '{}' of axis '{}' occurs twice", value.name, axis.name),
                  "the settings would have one name", "rename or remove one of them");
  }
}

std::vector<std::string> variables_of(const Axis& axis) {
  std::set<std::string> variables;
  if (!axis.variable.empty()) variables.insert(axis.variable);
  for (const AxisValue& value : axis.values.value_or(std::vector<AxisValue>())) {
    for (const auto& [name, text] : value.environment) variables.insert(name);
  }
  return {variables.begin(), variables.end()};
}

void check_axes(const std::vector<Axis>& axes, const std::string& file) {
  if (axes.empty()) {
    reject_config(file, "'axes' is empty", "there is nothing to vary", "leave it out");
  }
  std::set<std::string> names;
  std::set<std::string> variables;
  for (const Axis& axis : axes) {
    check_plain(axis.name, "name of an axis", file);
    if (!names.insert(axis.name).second) {
      reject_config(file, fmt::format("axis '{}' occurs twice", axis.name), "each has its own name",
                    "rename one");
    }
    check_values(axis, file);
    for (const std::string& variable : variables_of(axis)) {
      if (variables.insert(variable).second) continue;
      reject_config(file, fmt::format("two axes set '{}'", variable),
                    "one would overwrite the other", "join them to one axis");
    }
  }
}

void check_places(const Places& places, const std::vector<Axis>& axes, const std::string& file) {
  for (const auto& [name, values] : places) {
    const auto axis = std::ranges::find(axes, name, &Axis::name);
    if (axis == axes.end()) {
      reject_config(file, fmt::format("a condition is on axis '{}'", name),
                    "no variable has that name", suggest(name, strings_of(axes, &Axis::name)));
    }
    const auto& permitted = axis->values;
    if (!permitted) continue;
    const auto known = strings_of(*permitted, &AxisValue::name);
    for (const std::string& value : values) {
      if (std::ranges::find(known, value) != known.end()) continue;
      reject_config(file, fmt::format("a condition is on '{}={}'", name, value),
                    "the axis has no such value", suggest(value, known));
    }
  }
}

void check_count(const Sweep& sweep, const std::string& file) {
  if (sweep.mode == SweepMode::random && sweep.drawn < 1) {
    reject_config(file, "'sweep' draws no combinations", "there would be nothing to launch",
                  "write {\"random\": 24}");
  }
  std::size_t count = 1;
  for (const Axis& axis : sweep.axes) {
    count *= axis.values ? axis.values->size() : 1;
    if (count <= maximum_combinations) continue;
    reject_config(file,
                  fmt::format("the axes have more than {} combinations", maximum_combinations),
                  "no campaign could hold them", "leave values or axes out");
  }
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

Sweep resolve_values(const Sweep& sweep, const VariableLookup& query, const std::string& file) {
  Sweep resolved = sweep;
  for (Axis& axis : resolved.axes) {
    if (!axis.values) axis.values = looked_up_values(axis, query, file);
  }
  check_sweep(resolved, file);
  return resolved;
}

std::vector<SkippedCombination> settle_sweep(Config& config, std::uint64_t seed,
                                             const VariableLookup& query) {
  if (!config.sweep || is_expanded(config)) return {};
  const std::string file = origin_of(config);
  Expansion expansion = expand(resolve_values(*config.sweep, query, file), seed);
  if (expansion.settings.empty()) {
    throw InputError(
        {file + ": nothing is left of the sweep",
         fmt::format("its conditions skip all {} combinations", expansion.skipped.size()),
         "check 'conditions'"});
  }
  config.settings = std::move(expansion.settings);
  return std::move(expansion.skipped);
}

/// `value` is a text for the axis' variable. read_value_object turns it into environment or
/// launcher arguments, and it is written as those.
constexpr auto fields_of(std::type_identity<AxisValue>) {
  return strict_object(
      key("name", &AxisValue::name), by_hand<AxisValue, 1, Json>({"value"}, nullptr, nullptr),
      key("environment", &AxisValue::environment, KeyUse::may_be_missing),
      key("arguments", &AxisValue::arguments, KeyUse::may_be_missing),
      key("launcher_arguments", &AxisValue::launcher_arguments, KeyUse::may_be_missing),
      key("ranks", &AxisValue::ranks, read_ranks_of_value));
}

namespace {

AxisValue read_value_object(const JsonNode& node, const std::string& variable) {
  auto value = read_value<AxisValue>(node);
  const auto text = node.find("value");
  if (!text) return value;
  if (variable.empty()) text->reject("is given", "the axis has no 'variable'", "name it");
  AxisValue given = axis_value(value.name, variable, text->text());
  given.environment.merge(value.environment);
  value.environment = given.environment;
  value.launcher_arguments.insert(value.launcher_arguments.begin(),
                                  given.launcher_arguments.begin(), given.launcher_arguments.end());
  return value;
}

/// null is the library's default, a text the variable's value, a number the ranks; an object has
/// its own keys.
AxisValue read_axis_value(const JsonNode& node, const Axis& axis) {
  if (axis.name == ranks_axis && node.is_whole_number()) {
    const int ranks = read_ranks_of_value(node);
    return {.name = std::to_string(ranks), .ranks = ranks};
  }
  if (node.is_null()) return {.name = std::string(default_value)};
  if (node.is_object()) return read_value_object(node, axis.variable);
  const std::string text = node.text();
  if (!axis.variable.empty()) return axis_value(value_name(text), axis.variable, text);
  node.reject(fmt::format("is '{}'", text), "the axis has no 'variable' to give it to",
              R"(name the variable, or write {"name": ..., "environment": {...}})");
}

/// A list, or "ask" for the library's values without those in `except`.
void read_values(const JsonNode& node, Axis& axis) {
  const JsonNode values = node.at("values");
  if (!values.is_text()) {
    if (!axis.except.empty()) {
      node.at("except").reject("is given", "the values are listed anyway", "leave them out there");
    }
    axis.values.emplace();
    for (const JsonNode& value : values.elements()) {
      axis.values->push_back(read_axis_value(value, axis));
    }
    return;
  }
  if (values.text() != ask_word) {
    values.reject(fmt::format("is '{}'", values.text()), "it is neither a list nor \"ask\"",
                  "write \"ask\"");
  }
  if (axis.variable.empty()) {
    values.reject("is \"ask\"", "the axis has no 'variable' to ask for", "name the variable");
  }
}

void write_values(const Axis& axis, Json& json) {
  json["values"] = axis.values ? Json(*axis.values) : Json(ask_word);
}

}  // namespace

constexpr auto fields_of(std::type_identity<Axis>) {
  return strict_object(key("name", &Axis::name),
                       key("variable", &Axis::variable, KeyUse::left_out_if_empty),
                       key("except", &Axis::except, KeyUse::left_out_if_empty),
                       by_hand({"values"}, read_values, write_values));
}

constexpr auto fields_of(std::type_identity<Condition>) {
  return strict_object(key("when", &Condition::when),
                       key("needs", &Condition::needs, KeyUse::may_be_missing),
                       key("because", &Condition::because));
}

namespace {

void read_mode(const JsonNode& config, Sweep& sweep) {
  const auto node = config.find("sweep");
  if (!node) return;
  if (node->is_object()) {
    node->allow_only({hockney::word(SweepMode::random)});
    sweep.mode = SweepMode::random;
    const std::int64_t drawn = node->at(hockney::word(SweepMode::random)).integer();
    sweep.drawn = drawn < 0 ? 0 : static_cast<std::size_t>(drawn);
    return;
  }
  const std::string text = node->text();
  const auto mode = find_word<SweepMode>(text);
  if (!mode || *mode == SweepMode::random) {
    node->reject(fmt::format("is '{}'", text), "it is no way to combine axes",
                 suggest(text, {"full", "one-at-a-time"}) + ", or {\"random\": N}");
  }
  sweep.mode = *mode;
}

void write_mode(const Sweep& sweep, Json& config) {
  Json& json = config["sweep"];
  if (sweep.mode == SweepMode::random) {
    json[std::string(hockney::word(sweep.mode))] = sweep.drawn;
  } else {
    json = sweep.mode;
  }
}

}  // namespace

/// Keys next to the other keys of the config.
constexpr auto fields_of(std::type_identity<Sweep>) {
  return object_of(key("axes", &Sweep::axes), by_hand({"sweep"}, read_mode, write_mode),
                   key("conditions", &Sweep::conditions, KeyUse::may_be_missing));
}

std::optional<Sweep> read_sweep(const JsonNode& config) {
  if (config.find("axes")) return read_value<Sweep>(config);
  if (const auto mode = config.find("sweep")) {
    mode->reject("is given without 'axes'", "there is nothing to combine", "add them");
  }
  if (const auto conditions = config.find("conditions")) {
    conditions->reject("is given without 'axes'", "there is nothing to skip", "add them");
  }
  return std::nullopt;
}

void write_sweep(const Sweep& sweep, Json& config) { document_fields<Sweep>.write(sweep, config); }

void check_sweep(const Sweep& sweep, const std::string& file) {
  check_axes(sweep.axes, file);
  for (const Condition& condition : sweep.conditions) {
    if (condition.when.empty()) {
      reject_config(file, "a condition has an empty 'when'", "it would skip everything",
                    "name the values it is about");
    }
    check_places(condition.when, sweep.axes, file);
    check_places(condition.needs, sweep.axes, file);
  }
  check_count(sweep, file);
}

bool is_simulator_variable(std::string_view variable) { return variable.starts_with("smpi/"); }

AxisValue axis_value(const std::string& name, const std::string& variable,
                     const std::string& text) {
  if (!is_simulator_variable(variable)) return {.name = name, .environment = {{variable, text}}};
  return {.name = name, .launcher_arguments = {fmt::format("--cfg={}:{}", variable, text)}};
}

std::string value_name(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool plain = letter || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    if (!plain) c = '+';
  }
  return name;
}

}  // namespace hockney::campaign
