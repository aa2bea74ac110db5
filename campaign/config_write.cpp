#include <nlohmann/json.hpp>

#include "campaign/config.hpp"
#include "core/json_values.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

Json setting_json(const Setting& setting) {
  return {{"name", setting.name},
          {"environment", setting.environment},
          {"arguments", setting.arguments},
          {"launcher_arguments", setting.launcher_arguments}};
}

Json launcher_json(const LauncherConfig& launcher) {
  return {{"dialect", launcher.dialect ? word(*launcher.dialect) : "auto"},
          {"command", or_null(launcher.command)},
          {"arguments", launcher.arguments}};
}

}  // namespace

Json to_json(const CampaignConfig& config) {
  Json settings = Json::array();
  for (const Setting& setting : config.settings) settings.push_back(setting_json(setting));
  return {{"schema", campaign_schema},
          {"name", config.name},
          {"description", config.description},
          {"program", config.program},
          {"arguments", config.arguments},
          {"ranks", config.ranks ? Json(*config.ranks) : Json("hops")},
          {"launches", or_null(config.launches)},
          {"precision", or_null(config.precision)},
          {"max_launches", or_null(config.most_launches)},
          {"budget_seconds", config.budget ? Json(config.budget->value) : Json(nullptr)},
          {"launch_timeout_seconds", config.launch_timeout.value},
          {"settings", std::move(settings)},
          {"launcher", launcher_json(config.launcher)}};
}

}  // namespace hockney
