#include "tune/campaign_launches.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/algorithm_use.hpp"
#include "core/error.hpp"
#include "core/faults.hpp"
#include "core/point.hpp"
#include "core/record.hpp"
#include "core/text.hpp"
#include "tune/operation_names.hpp"

namespace hockney::tune {
namespace {

constexpr std::string_view default_place = "default";

/// Why a series is no evidence for its setting; empty where it is.
std::string objection(const Record& record, const Series& series) {
  if (const auto fault = fault_of(record, series)) return std::string(cause_of(*fault));
  const bool is_substituted = std::ranges::count(series.flags, algorithm_substituted_flag) > 0;
  return is_substituted ? "another algorithm ran than the one asked for" : "";
}

bool has_parameters(const Point& point, const std::map<std::string, std::string>& wanted) {
  return std::ranges::all_of(wanted, [&](const auto& parameter) {
    const auto found = point.parameters.find(parameter.first);
    return found != point.parameters.end() && found->second == parameter.second;
  });
}

using Place = std::pair<std::string, std::int64_t>;

Place place_of(const Point& point) {
  Point plain = point;
  plain.algorithm.reset();
  return {curve_name(plain), point.bytes.value};
}

/// The points of a setting at which any of its launches is objected to: where one launch ran
/// another algorithm, the others may have too.
std::map<Place, std::string> objections_to(const std::vector<Record>& launches) {
  std::map<Place, std::string> objections;
  for (const Record& record : launches) {
    for (const Series& series : record.series) {
      std::string why = objection(record, series);
      if (!why.empty()) objections[place_of(series.point)] = std::move(why);
    }
  }
  return objections;
}

void keep_evidence(std::vector<Record>& launches, const EvidenceOptions& options,
                   std::vector<LeftOut>& left_out) {
  const auto objections = objections_to(launches);
  const std::string setting = launches.front().campaign->setting;
  const auto drop = [&](const auto& item) {
    return !has_algorithms(item.point.operation) || is_of_other_suite(item.point) ||
           !has_parameters(item.point, options.parameters) ||
           objections.contains(place_of(item.point));
  };
  for (Record& record : launches) {
    std::erase_if(record.points.own(), drop);
    std::erase_if(record.series, drop);
    for (PlannedPoint& planned : record.points.own()) planned.point.algorithm.reset();
    for (Series& series : record.series) series.point.algorithm.reset();
  }
  for (const auto& [place, why] : objections) {
    note({setting, split(place.first, ' ').front(), why, 1}, left_out);
  }
}

bool is_default_place(const Record& record) {
  const auto& axes = record.campaign->axes;
  if (axes.empty()) return record.campaign->setting == default_place;
  return std::ranges::all_of(axes, [](const auto& axis) { return axis.second == default_place; });
}

/// The default setting of a campaign.
std::string base_of(const CampaignLaunches& campaign, const std::string& wanted) {
  std::vector<std::string> names;
  for (const auto& [setting, launches] : campaign.settings) {
    if (wanted.empty() ? is_default_place(launches.front()) : setting == wanted) return setting;
    names.push_back(setting);
  }
  if (!wanted.empty()) {
    throw InputError({"unknown setting '" + wanted + "' of campaign '" + campaign.name + "'",
                      "no complete launch has it", suggest(wanted, names)});
  }
  throw InputError({"campaign '" + campaign.name + "' has no default setting",
                    "of its settings " + join(names) + " none leaves all axes at 'default'",
                    "name one with --default"});
}

}  // namespace

std::vector<CampaignLaunches> campaign_launches(std::vector<Record> records,
                                                const EvidenceOptions& options,
                                                std::vector<LeftOut>& left_out) {
  std::map<std::string, CampaignLaunches> campaigns;
  for (Record& record : records) {
    if (record.status != LaunchStatus::complete || !record.campaign) continue;
    CampaignLaunches& campaign = campaigns[record.campaign->name];
    campaign.name = record.campaign->name;
    campaign.settings[record.campaign->setting].push_back(std::move(record));
  }
  if (campaigns.empty()) {
    throw InputError({"no complete launch of a campaign", "a choice needs settings to choose from",
                      "name the folder of one that 'hockney run' made"});
  }
  std::vector<CampaignLaunches> result;
  for (auto& [name, campaign] : campaigns) {
    for (auto& [setting, launches] : campaign.settings) {
      keep_evidence(launches, options, left_out);
    }
    campaign.base = base_of(campaign, options.base);
    result.push_back(std::move(campaign));
  }
  return result;
}

}  // namespace hockney::tune
