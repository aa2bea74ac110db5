#include "history/nights/make_night.hpp"

#include <algorithm>

#include "history/nights/curve_figures.hpp"
#include "history/nights/environment_facts.hpp"
#include "history/nights/node_figures.hpp"
#include "history/nights/other_figures.hpp"
#include "history/nights/setting_launches.hpp"
#include "verdicts/fleet/host_pairs.hpp"

namespace hockney {
namespace {

void add_figures(Night& night, std::vector<NightFigure> figures, const std::string& environment) {
  for (NightFigure& figure : figures) {
    figure.value.day = night.day;
    figure.value.environment = environment;
    night.figures.push_back(std::move(figure));
  }
}

void add_environment(Night& night, const Environment& environment) {
  if (std::ranges::find(night.environments, environment) == night.environments.end()) {
    night.environments.push_back(environment);
  }
}

}  // namespace

Night make_night(std::int64_t day, const std::string& campaign, std::vector<Record> records) {
  Night night{.day = day,
              .campaign = campaign,
              .records = {},
              .environments = {},
              .figures = {},
              .pairs = {}};
  const auto settings = launches_by_setting(std::move(records));
  const auto idle = std::ranges::find(settings, false, &SettingLaunches::loaded);
  for (const SettingLaunches& setting : settings) {
    const Environment environment = environment_of(setting.launches);
    add_environment(night, environment);
    add_figures(night, curve_figures(setting.launches, setting.name), environment.digest);
    add_figures(night, other_figures(setting.launches, setting.name), environment.digest);
    if (setting.loaded && idle != settings.end()) {
      add_figures(night, congestion_figures(setting.launches, idle->launches, setting.name),
                  environment.digest);
    }
    const std::vector<NightPair> pairs = host_pairs(setting.launches, setting.name);
    add_figures(night, node_figures(pairs), environment.digest);
    night.pairs.insert(night.pairs.end(), pairs.begin(), pairs.end());
  }
  return night;
}

}  // namespace hockney
