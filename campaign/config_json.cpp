#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "campaign/config.hpp"
#include "campaign/sweep.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

/// A whole number that fits an int; what lies outside is clamped, for check_config to reject.
int clamped_integer(const JsonNode& node) {
  const std::int64_t limit = 2'000'000'000;
  return static_cast<int>(std::clamp(node.integer(), -limit, limit));
}

Setting read_setting(const JsonNode& node) {
  node.allow_only({"name", "environment", "arguments", "launcher_arguments", "ranks", "axes"});
  Setting setting{.name = node.at("name").text()};
  if (const auto environment = node.find("environment")) {
    setting.environment = read_environment(*environment);
  }
  setting.arguments = texts_or_none(node, "arguments");
  setting.launcher_arguments = texts_or_none(node, "launcher_arguments");
  if (const auto ranks = node.find("ranks")) setting.ranks = clamped_integer(*ranks);
  if (const auto axes = node.find("axes")) setting.axes = read_environment(*axes);
  return setting;
}

LauncherConfig read_launcher(const JsonNode& node) {
  node.allow_only({"dialect", "command", "arguments"});
  LauncherConfig launcher;
  if (const auto dialect = node.find("dialect")) {
    try {
      launcher.dialect = parse_dialect(dialect->text());
    } catch (const InputError& error) {
      throw InputError({node.file() + ": " + error.what(), "", ""});
    }
  }
  if (const auto command = node.find("command")) launcher.command = command->text();
  launcher.arguments = texts_or_none(node, "arguments");
  return launcher;
}

std::optional<int> read_ranks(const JsonNode& node) {
  if (!node.is_text()) return clamped_integer(node);
  if (node.text() == "hops") return std::nullopt;
  node.reject("is '" + node.text() + "'", "it is neither a number nor \"hops\"",
              "write 2, or \"hops\" for as many as cover all hop classes");
}

IgnoredSettings read_ignored(const JsonNode& node) {
  const std::string word = node.text();
  if (word == "flag") return IgnoredSettings::flag;
  if (word == "fail") return IgnoredSettings::fail;
  node.reject("is '" + word + "'",
              "it says what becomes of launches whose library ignored a setting",
              suggest(word, {"fail", "flag"}));
}

WitnessChoice read_witness_choice(const JsonNode& node) {
  if (!node.is_text()) return node.boolean() ? WitnessChoice::always : WitnessChoice::never;
  if (node.text() == "auto") return WitnessChoice::automatic;
  node.reject("is '" + node.text() + "'",
              "it says whether witness launches tell which algorithms ran",
              "write \"auto\", true or false");
}

/// Settings beside axes are those that the axes made, as in the config of a manifest.
void read_settings(const JsonNode& document, CampaignConfig& config) {
  const auto settings = document.find("settings");
  if (!settings) return;
  config.settings.clear();
  for (const JsonNode& node : settings->elements()) config.settings.push_back(read_setting(node));
  if (!config.sweep) return;
  for (const Setting& setting : config.settings) {
    if (!setting.axes.empty()) continue;
    settings->reject("is given beside 'axes'", "the settings of a sweep are made from its axes",
                     "make an axis of them; its values may have arguments too");
  }
}

void read_schema(const JsonNode& document) {
  const JsonNode schema = document.at("schema");
  if (schema.text() == campaign_schema) return;
  schema.reject("is '" + schema.text() + "'", "this hockney does not know it",
                "the schema of a config is " + std::string(campaign_schema));
}

}  // namespace

CampaignConfig read_config(const JsonNode& document) {
  read_schema(document);
  document.allow_only({"schema", "name", "description", "program", "environment", "arguments",
                       "ranks", "launches", "precision", "max_launches", "budget_seconds",
                       "launch_timeout_seconds", "settings", "axes", "sweep", "conditions",
                       "ignored_settings", "witness", "launcher"});
  CampaignConfig config;
  config.name = document.at("name").text();
  if (const auto description = document.find("description")) {
    config.description = description->text();
  }
  config.program = document.at("program").text();
  if (const auto environment = document.find("environment")) {
    config.environment = read_environment(*environment);
  }
  config.arguments = texts_or_none(document, "arguments");
  if (const auto ranks = document.find("ranks")) config.ranks = read_ranks(*ranks);
  if (const auto launches = document.find("launches")) {
    config.launches = clamped_integer(*launches);
  }
  if (const auto precision = document.find("precision")) config.precision = precision->number();
  if (const auto most = document.find("max_launches")) {
    config.most_launches = clamped_integer(*most);
  }
  if (const auto budget = document.find("budget_seconds")) {
    config.budget = Seconds{budget->number()};
  }
  if (const auto timeout = document.find("launch_timeout_seconds")) {
    config.launch_timeout = {timeout->number()};
  }
  config.sweep = read_sweep(document);
  read_settings(document, config);
  if (const auto ignored = document.find("ignored_settings")) {
    config.ignored_settings = read_ignored(*ignored);
  }
  if (const auto witness = document.find("witness")) {
    config.witness = read_witness_choice(*witness);
  }
  if (const auto launcher = document.find("launcher")) config.launcher = read_launcher(*launcher);
  return config;
}

CampaignConfig load_config(const std::string& file) { return read_config(load_json(file)); }

std::optional<int> parse_ranks(std::string_view text) {
  if (text == "hops") return std::nullopt;
  if (const auto ranks = as_number<int>(text)) return ranks;
  throw InputError({"bad number of ranks '" + std::string(text) + "'",
                    "it is neither a whole number nor 'hops'",
                    "write 2, or hops for as many as cover all hop classes"});
}

namespace {

using Json = nlohmann::json;

Json setting_json(const Setting& setting) {
  return {{"name", setting.name},
          {"environment", setting.environment},
          {"arguments", setting.arguments},
          {"launcher_arguments", setting.launcher_arguments},
          {"ranks", or_null(setting.ranks)},
          {"axes", setting.axes}};
}

Json launcher_json(const LauncherConfig& launcher) {
  return {{"dialect", launcher.dialect ? word(*launcher.dialect) : "auto"},
          {"command", or_null(launcher.command)},
          {"arguments", launcher.arguments}};
}

Json witness_json(WitnessChoice choice) {
  if (choice == WitnessChoice::automatic) return "auto";
  return choice == WitnessChoice::always;
}

}  // namespace

Json to_json(const CampaignConfig& config) {
  Json settings = Json::array();
  for (const Setting& setting : config.settings) settings.push_back(setting_json(setting));
  Json document{
      {"schema", campaign_schema},
      {"name", config.name},
      {"description", config.description},
      {"program", config.program},
      {"environment", config.environment},
      {"arguments", config.arguments},
      {"ranks", config.ranks ? Json(*config.ranks) : Json("hops")},
      {"launches", or_null(config.launches)},
      {"precision", or_null(config.precision)},
      {"max_launches", or_null(config.most_launches)},
      {"budget_seconds", config.budget ? Json(config.budget->value) : Json(nullptr)},
      {"launch_timeout_seconds", config.launch_timeout.value},
      {"settings", std::move(settings)},
      {"ignored_settings", config.ignored_settings == IgnoredSettings::fail ? "fail" : "flag"},
      {"witness", witness_json(config.witness)},
      {"launcher", launcher_json(config.launcher)}};
  // Those of a sweep are written once its axes have made them.
  const bool has_default = std::ranges::any_of(
      config.settings, [](const Setting& setting) { return setting.axes.empty(); });
  if (config.sweep && has_default) document.erase("settings");
  write_sweep(config.sweep, document);
  return document;
}

}  // namespace hockney
