#include "driver/campaign/config.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "core/json_fields.hpp"
#include "core/provenance.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "driver/campaign/manifest.hpp"
#include "driver/campaign/sweep.hpp"

namespace hockney::campaign {
namespace {

using Json = nlohmann::json;

/// check_config refuses numbers, in the words of their options.
constexpr double checked_later = std::numeric_limits<double>::infinity();

/// A whole number clamped to the range of an int; check_config rejects the clamped ones.
int clamped_integer(const JsonNode& node) {
  const std::int64_t limit = 2'000'000'000;
  return static_cast<int>(std::clamp(node.integer(), -limit, limit));
}

Seconds any_seconds(const JsonNode& node) { return {node.number()}; }

void read_dialect(const JsonNode& node, LauncherConfig& launcher) {
  const auto dialect = node.find("dialect");
  if (!dialect) return;
  try {
    launcher.dialect = parse_dialect(dialect->text());
  } catch (const InputError& error) {
    throw InputError({fmt::format("{}: {}", node.file(), error.what()), "", ""});
  }
}

void write_dialect(const LauncherConfig& launcher, Json& document) {
  document["dialect"] = launcher.dialect ? word(*launcher.dialect) : "auto";
}

void read_ranks(const JsonNode& document, Config& config) {
  const auto node = document.find("ranks");
  if (!node) return;
  if (!node->is_text()) {
    config.ranks = clamped_integer(*node);
    return;
  }
  if (node->text() != "hops") {
    node->reject(fmt::format("is '{}'", node->text()), "it is neither a number nor \"hops\"",
                 "write 2, or \"hops\" for as many as cover all hop classes");
  }
  config.ranks.reset();
}

void write_ranks(const Config& config, Json& document) {
  document["ranks"] = config.ranks ? Json(*config.ranks) : Json("hops");
}

void read_each_node(const JsonNode& document, Config& config) {
  if (const auto node = document.find("each_node")) config.each_node = node->boolean();
}

void write_each_node(const Config& config, Json& document) {
  if (config.each_node) document["each_node"] = true;
}

VerificationChoice read_verification_choice(const JsonNode& node) {
  if (!node.is_text())
    return node.boolean() ? VerificationChoice::always : VerificationChoice::never;
  if (node.text() == "auto") return VerificationChoice::automatic;
  node.reject(fmt::format("is '{}'", node.text()),
              "it says whether verification launches show which algorithms run",
              "write \"auto\", true or false");
}

Json verification_json(const VerificationChoice& choice) {
  if (choice == VerificationChoice::automatic) return "auto";
  return choice == VerificationChoice::always;
}

void read_experiment(const JsonNode& document, Config& config) {
  if (const auto node = document.find("experiment")) config.is_experiment = node->boolean();
}

/// Omitted unless true, as in earlier manifests.
void write_experiment(const Config& config, Json& document) {
  if (config.is_experiment) document["experiment"] = true;
}

void read_axes(const JsonNode& document, Config& config) { config.sweep = read_sweep(document); }

void write_axes(const Config& config, Json& document) {
  if (config.sweep) write_sweep(*config.sweep, document);
}

}  // namespace

constexpr auto fields_of(std::type_identity<Setting>) {
  return strict_object(
      key("name", &Setting::name),
      key("environment", &Setting::environment, KeyUse::may_be_missing),
      key("arguments", &Setting::arguments, KeyUse::may_be_missing),
      key("launcher_arguments", &Setting::launcher_arguments, KeyUse::may_be_missing),
      key("ranks", &Setting::ranks, clamped_integer).up_to(checked_later),
      key("axes", &Setting::axes, KeyUse::may_be_missing));
}

constexpr auto fields_of(std::type_identity<LauncherConfig>) {
  return strict_object(by_hand({"dialect"}, read_dialect, write_dialect),
                       key("command", &LauncherConfig::command),
                       key("arguments", &LauncherConfig::arguments, KeyUse::may_be_missing));
}

namespace {

/// Settings next to axes are expanded from them, as in the config of a manifest.
void read_settings(const JsonNode& document, Config& config) {
  const auto settings = document.find("settings");
  if (!settings) return;
  config.settings = read_value<std::vector<Setting>>(*settings);
  if (!config.sweep) return;
  for (const Setting& setting : config.settings) {
    if (!setting.axes.empty()) continue;
    settings->reject("is given beside 'axes'", "the settings of a sweep are made from its axes",
                     "make an axis of them; its values may have arguments too");
  }
}

/// Settings of a sweep are written after its axes are expanded.
void write_settings(const Config& config, Json& document) {
  const bool has_default = std::ranges::any_of(
      config.settings, [](const Setting& setting) { return setting.axes.empty(); });
  if (!config.sweep || !has_default) document["settings"] = config.settings;
}

/// Of a setting, an axis' value, or the launcher.
template <class Part>
void remove_secrets(Part& part) {
  part.arguments = hockney::without_secrets(std::move(part.arguments));
  if constexpr (requires { part.environment; }) {
    part.environment = hockney::without_secrets(std::move(part.environment));
  }
  if constexpr (requires { part.launcher_arguments; }) {
    part.launcher_arguments = hockney::without_secrets(std::move(part.launcher_arguments));
  }
}

std::optional<std::string> difference(const Json& before, const Json& now, const std::string& key);

std::optional<std::string> in_objects(const Json& before, const Json& now,
                                      const std::string& prefix) {
  std::set<std::string> keys;
  for (const auto& member : before.items()) keys.insert(member.key());
  for (const auto& member : now.items()) keys.insert(member.key());
  const auto value = [](const Json& object, const std::string& key) {
    return object.contains(key) ? object.at(key) : Json(nullptr);
  };
  for (const std::string& key : keys) {
    const std::string full = std::string(prefix).append(prefix.empty() ? "" : ".").append(key);
    if (full == "description" || full == "requires" || full == "launch_timeout_seconds") continue;
    if (auto found = difference(value(before, key), value(now, key), full)) return found;
  }
  return std::nullopt;
}

std::optional<std::string> in_arrays(const Json& before, const Json& now, const std::string& key) {
  if (before.size() != now.size()) return key;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::string full = fmt::format("{}[{}]", key, i);
    if (auto found = difference(before[i], now[i], full)) return found;
  }
  return std::nullopt;
}

std::optional<std::string> difference(const Json& before, const Json& now, const std::string& key) {
  if (before == now) return std::nullopt;
  // A resumed campaign may have another budget.
  if (key == "budget_seconds" && before.is_number() && now.is_number()) return std::nullopt;
  if (before.is_object() && now.is_object()) return in_objects(before, now, key);
  if (before.is_array() && now.is_array()) return in_arrays(before, now, key);
  return key;
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Names become parts of file names and of command lines, so they must be plain.
bool is_plain(std::string_view name) {
  if (name.empty() || name.size() > 100 || !is_letter_or_digit(name.front())) return false;
  return std::ranges::all_of(name, [](char c) {
    return is_letter_or_digit(c) || std::string_view("._-+=@,").find(c) != std::string_view::npos;
  });
}

void check_name(const std::string& name, const std::string& what, const std::string& file) {
  if (is_plain(name)) return;
  reject_config(file, fmt::format("{} '{}' is not plain", what, name),
                "it becomes part of file names",
                "begin with a letter or digit and use letters, digits and . _ - + = @ , only");
}

void check_count(int value, int maximum, const std::string& what, const std::string& file) {
  if (value >= 1 && value <= maximum) return;
  reject_config(file, fmt::format("{} is {}", what, value),
                fmt::format("it must lie between 1 and {}", maximum), "choose a number of " + what);
}

void check_time(Seconds time, const std::string& what, const std::string& file) {
  if (!(time.value > 0)) {
    reject_config(file, what + " is not positive", "nothing can run in no time",
                  "give a number of seconds above 0");
  }
  if (time.value > longest_seconds) {
    reject_config(file, what + " is longer than ten years", "no campaign is", "give less");
  }
}

bool is_share(double value) { return value > 0 && value < 1; }

void check_stopping(const Config& config, const std::string& file) {
  if (config.launches) check_count(*config.launches, maximum_launches, "launches", file);
  if (config.most_launches)
    check_count(*config.most_launches, maximum_launches, "max_launches", file);
  if (config.precision && !is_share(*config.precision)) {
    reject_config(file, "the precision is not a share above 0 and below 1",
                  "it is the half-width of an interval divided by its median",
                  "write 0.05 for 5 %");
  }
  if (config.launches && (config.precision || config.most_launches)) {
    reject_config(
        file,
        fmt::format("both 'launches' and '{}'", config.precision ? "precision" : "max_launches"),
        "each says when to stop", "give one of them");
  }
}

/// The campaign sets record file, seed and launch number itself; a second value would contradict
/// it.
void check_arguments(const std::vector<std::string>& arguments, const Config& config,
                     const std::string& file) {
  constexpr std::array<std::string_view, 7> reserved{"--output",  "-o",     "--seed",  "--campaign",
                                                     "--setting", "--axes", "--launch"};
  for (const std::string& argument : arguments) {
    const std::string option = argument.substr(0, argument.find('='));
    if (std::ranges::find(reserved, option) != reserved.end()) {
      reject_config(file, fmt::format("argument '{}' cannot be given", argument),
                    "the campaign itself gives it to every launch", "remove it");
    }
    if (precision_of(config) && option == "--precision") {
      reject_config(
          file, fmt::format("argument '{}' contradicts the precision of the campaign", argument),
          "the campaign hands its own to every launch", "remove one of them");
    }
    if (config.budget && (option == "--budget" || option == "--epochs")) {
      reject_config(file,
                    fmt::format("argument '{}' contradicts the budget of the campaign", argument),
                    "the budget decides how long each launch measures", "remove one of them");
    }
  }
}

bool is_variable_name(std::string_view name) {
  if (name.empty() || (name.front() >= '0' && name.front() <= '9')) return false;
  return std::ranges::all_of(name, [](char c) { return is_letter_or_digit(c) || c == '_'; });
}

void check_environment(const std::map<std::string, std::string>& environment,
                       const std::string& owner, const std::string& file) {
  for (const auto& [name, value] : environment) {
    if (is_variable_name(name) && value.find('\0') == std::string::npos) continue;
    reject_config(file, fmt::format("'{}' of {} is no environment variable", name, owner),
                  "its name must be letters, digits and _", "");
  }
}

void check_settings(const Config& config, const std::string& file) {
  if (config.settings.empty()) {
    reject_config(file, "'settings' is empty", "a campaign needs something to launch",
                  "leave it out for one default setting");
  }
  std::set<std::string> names;
  for (const Setting& setting : config.settings) {
    check_name(setting.name, "setting name", file);
    if (!names.insert(setting.name).second) {
      reject_config(file, fmt::format("setting name '{}' occurs twice", setting.name),
                    "their records would overwrite each other", "rename one of them");
    }
    if (setting.ranks) {
      check_count(*setting.ranks, maximum_ranks, fmt::format("ranks of setting '{}'", setting.name),
                  file);
    }
    check_arguments(setting.arguments, config, file);
    check_environment(setting.environment, fmt::format("setting '{}'", setting.name), file);
  }
}

/// Checks the values of axes like settings, before the axes are expanded.
void check_axes(const Config& config, const std::string& file) {
  if (!config.sweep) return;
  check_sweep(*config.sweep, file);
  for (const Axis& axis : config.sweep->axes) {
    const std::string owner = fmt::format("axis '{}'", axis.name);
    const bool is_of_environment = !is_simulator_variable(axis.variable);
    if (!axis.variable.empty() && is_of_environment) {
      check_environment({{axis.variable, ""}}, owner, file);
    }
    if (config.environment.contains(axis.variable)) {
      reject_config(
          file, fmt::format("{} varies '{}' of the campaign's environment", owner, axis.variable),
          "its default would be no default", "remove one of them");
    }
    for (const AxisValue& value : axis.values.value_or(std::vector<AxisValue>())) {
      check_environment(value.environment, owner, file);
      check_arguments(value.arguments, config, file);
    }
  }
}

}  // namespace

constexpr auto fields_of(std::type_identity<Config>) {
  return strict_object(
      DocumentSchema{campaign_schema, "name a config of a campaign"}, key("name", &Config::name),
      key("description", &Config::description, KeyUse::may_be_missing),
      key("program", &Config::program),
      key("environment", &Config::environment, KeyUse::may_be_missing),
      key("arguments", &Config::arguments, KeyUse::may_be_missing),
      by_hand({"ranks"}, read_ranks, write_ranks),
      by_hand({"each_node"}, read_each_node, write_each_node),
      key("launches", &Config::launches, clamped_integer).up_to(checked_later),
      key("precision", &Config::precision, any_number).up_to(checked_later),
      key("max_launches", &Config::most_launches, clamped_integer).up_to(checked_later),
      key("budget_seconds", &Config::budget, any_seconds).up_to(checked_later),
      key("launch_timeout_seconds", &Config::launch_timeout, KeyUse::may_be_missing, any_seconds)
          .up_to(checked_later),
      by_hand({"axes", "sweep", "conditions"}, read_axes, write_axes),
      by_hand({"settings"}, read_settings, write_settings),
      key("ignored_settings", &Config::ignored_settings, KeyUse::may_be_missing),
      key("verification", &Config::verification, KeyUse::may_be_missing,
          FieldCodec<VerificationChoice, Json>{read_verification_choice, verification_json})
          .formerly("witness"),
      key("requires", &Config::required_library, KeyUse::left_out_if_empty),
      by_hand({"experiment"}, read_experiment, write_experiment),
      key("launcher", &Config::launcher, KeyUse::may_be_missing));
}

Config read_config(const JsonNode& document) { return read_value<Config>(document); }

Config load_config(const std::string& file) {
  Config config = read_config(load_json(file));
  config.file = file;
  return config;
}

Json to_json(const Config& config) { return config; }

Config without_secrets(Config config) {
  remove_secrets(config);
  remove_secrets(config.launcher);
  for (Setting& setting : config.settings) remove_secrets(setting);
  if (!config.sweep) return config;
  for (Axis& axis : config.sweep->axes) {
    if (!axis.values) continue;
    for (AxisValue& value : *axis.values) remove_secrets(value);
  }
  return config;
}

bool has_secrets(const Config& config) {
  return to_json(config) != to_json(without_secrets(config));
}

std::optional<int> parse_ranks(std::string_view text) {
  if (text == "hops") return std::nullopt;
  if (const auto ranks = as_number<int>(text)) return ranks;
  throw InputError({fmt::format("bad number of ranks '{}'", text),
                    "it is neither a whole number nor 'hops'",
                    "write 2, or hops for as many as cover all hop classes"});
}

std::optional<std::string> differing_key(const Config& before, const Config& now) {
  return difference(to_json(before), to_json(now), "");
}

Config with_stopping_of(const Config& other, Config config) {
  config.launches = other.launches;
  config.precision = other.precision;
  config.most_launches = other.most_launches;
  config.budget = other.budget;
  return config;
}

bool is_expanded(const Config& config) {
  return !config.sweep || (!config.settings.empty() && !config.settings.front().axes.empty());
}

std::optional<double> precision_of(const Config& config) {
  if (config.precision || config.launches) return config.precision;
  return !config.budget ? std::optional(default_precision) : std::nullopt;
}

std::string origin_of(const Config& config) {
  return config.file.empty() ? config.name : config.file;
}

void check_config(const Config& config) {
  const std::string file = origin_of(config);
  check_name(config.name, "name", file);
  if (config.program.empty()) {
    reject_config(file, "'program' is empty", "there is nothing to launch", "");
  }
  if (config.ranks) check_count(*config.ranks, maximum_ranks, "ranks", file);
  check_stopping(config, file);
  if (config.budget) check_time(*config.budget, "the budget", file);
  check_time(config.launch_timeout, "launch_timeout_seconds", file);
  check_arguments(config.arguments, config, file);
  check_environment(config.environment, "the campaign", file);
  check_axes(config, file);
  check_settings(config, file);
}

}  // namespace hockney::campaign
