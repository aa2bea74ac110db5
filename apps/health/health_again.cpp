#include "apps/health/health_again.hpp"

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "core/record_file.hpp"
#include "core/series_name.hpp"
#include "verdicts/fleet/host_pairs.hpp"
#include "verdicts/fleet/links.hpp"

namespace hockney {
namespace {

/// The point without the setting it was measured under.
std::string bare(const std::string& point) {
  SeriesName name = parse_series_name(point);
  name.keys.erase("setting");
  return name.text();
}

/// By bare point, one entry for each launch and pair.
std::map<std::string, std::vector<NightlyPair>> repetitions_in(
    const std::vector<std::string>& paths) {
  std::map<std::string, std::vector<NightlyPair>> repetitions;
  for (const Record& record : load_records(paths, Kept::times)) {
    if (record.status != LaunchStatus::complete) continue;
    for (const NightPair& pair : host_pairs({&record, 1}, "")) {
      repetitions[bare(pair.point)].push_back(pair.pair);
    }
  }
  return repetitions;
}

bool is_named(const JudgedFleet& fleet, const LinkVerdict& link) {
  return std::ranges::any_of(fleet.links, [&](const LinkVerdict& other) {
    return other.a == link.a && other.b == link.b && other.hop == link.hop;
  });
}

}  // namespace

void confirm_suspects(HealthReport& report, const std::vector<std::string>& paths,
                      const FleetOptions& options) {
  if (paths.empty()) return;
  const auto repetitions = repetitions_in(paths);
  bool found = false;
  for (JudgedFleet& fleet : report.fleets) {
    const auto again = repetitions.find(bare(fleet.point));
    if (again == repetitions.end()) continue;
    found = true;
    for (const LinkVerdict& link : confirm_links(fleet.night, again->second, options)) {
      if (!is_named(fleet, link)) fleet.links.push_back(link);
    }
  }
  if (found) return;
  throw InputError({"nothing was measured again",
                    "the records of --again have no pair of nodes at a point of this night",
                    "repeat the night's operation and size between the suspects"});
}

}  // namespace hockney
