#include <algorithm>
#include <nlohmann/json.hpp>

#include "campaign/config.hpp"
#include "campaign/sweep_json.hpp"
#include "core/json_values.hpp"

namespace hockney {
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
