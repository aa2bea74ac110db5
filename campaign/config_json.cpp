#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "campaign/config.hpp"
#include "campaign/sweep.hpp"
#include "core/error.hpp"
#include "core/json_fields.hpp"
#include "core/secrets.hpp"
#include "core/text.hpp"

namespace hockney::campaign {
namespace {

using Json = nlohmann::json;

/// A whole number that fits an int; what lies outside is clamped, for check_config to reject.
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
    throw InputError({node.file() + ": " + error.what(), "", ""});
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
    node->reject("is '" + node->text() + "'", "it is neither a number nor \"hops\"",
                 "write 2, or \"hops\" for as many as cover all hop classes");
  }
  config.ranks.reset();
}

void write_ranks(const Config& config, Json& document) {
  document["ranks"] = config.ranks ? Json(*config.ranks) : Json("hops");
}

VerificationChoice read_verification_choice(const JsonNode& node) {
  if (!node.is_text())
    return node.boolean() ? VerificationChoice::always : VerificationChoice::never;
  if (node.text() == "auto") return VerificationChoice::automatic;
  node.reject("is '" + node.text() + "'",
              "it says whether witness launches tell which algorithms ran",
              "write \"auto\", true or false");
}

Json verification_json(const VerificationChoice& choice) {
  if (choice == VerificationChoice::automatic) return "auto";
  return choice == VerificationChoice::always;
}

void read_required_library(const JsonNode& document, Config& config) {
  if (const auto node = document.find("requires")) {
    config.required_library = read_value<RequiredLibrary>(*node);
  }
}

/// Left out where any will do, as in manifests of before.
void write_required_library(const Config& config, Json& document) {
  if (config.required_library) document["requires"] = hockney::word(*config.required_library);
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
      key("ranks", &Setting::ranks, clamped_integer),
      key("axes", &Setting::axes, KeyUse::may_be_missing));
}

constexpr auto fields_of(std::type_identity<LauncherConfig>) {
  return strict_object(by_hand({"dialect"}, read_dialect, write_dialect),
                       key("command", &LauncherConfig::command),
                       key("arguments", &LauncherConfig::arguments, KeyUse::may_be_missing));
}

namespace {

/// Settings beside axes are those that the axes made, as in the config of a manifest.
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

/// Those of a sweep are written once its axes have made them.
void write_settings(const Config& config, Json& document) {
  const bool has_default = std::ranges::any_of(
      config.settings, [](const Setting& setting) { return setting.axes.empty(); });
  if (!config.sweep || !has_default) document["settings"] = config.settings;
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
      key("launches", &Config::launches, clamped_integer),
      key("precision", &Config::precision, any_number),
      key("max_launches", &Config::most_launches, clamped_integer),
      key("budget_seconds", &Config::budget, any_seconds),
      key("launch_timeout_seconds", &Config::launch_timeout, KeyUse::may_be_missing, any_seconds),
      by_hand({"axes", "sweep", "conditions"}, read_axes, write_axes),
      by_hand({"settings"}, read_settings, write_settings),
      key("ignored_settings", &Config::ignored_settings, KeyUse::may_be_missing),
      key("witness", &Config::verification, KeyUse::may_be_missing,
          FieldCodec<VerificationChoice, Json>{read_verification_choice, verification_json}),
      by_hand({"requires"}, read_required_library, write_required_library),
      key("launcher", &Config::launcher, KeyUse::may_be_missing));
}

Config read_config(const JsonNode& document) { return read_value<Config>(document); }

Config load_config(const std::string& file) { return read_config(load_json(file)); }

Json to_json(const Config& config) { return config; }

namespace {

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

}  // namespace

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
  throw InputError({"bad number of ranks '" + std::string(text) + "'",
                    "it is neither a whole number nor 'hops'",
                    "write 2, or hops for as many as cover all hop classes"});
}

}  // namespace hockney::campaign
