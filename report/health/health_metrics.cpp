#include "report/health/health_metrics.hpp"

#include <algorithm>
#include <ctime>

#include "core/days.hpp"
#include "core/series_name.hpp"

namespace hockney {
namespace {

using Labels = std::map<std::string, std::string>;

constexpr double seconds_a_day = 86'400;

Labels labels_of(const SeriesKind& kind) {
  const SeriesName name = parse_series_name(kind.name);
  return {{"series", kind.name},
          {"operation", name.operation},
          {"hop", name.at("hop")},
          {"unit", kind.unit}};
}

double state_of(HealthVerdict verdict) {
  if (verdict == HealthVerdict::steady) return 0;
  return verdict == HealthVerdict::regressed ? 1 : -1;
}

/// Families by name, in order of first use.
class Families {
 public:
  OpenMetricsFamily& at(const std::string& name, const std::string& unit, const std::string& help) {
    const std::string full = "hockney_health_" + name + (unit.empty() ? "" : "_" + unit);
    const auto known = std::ranges::find(all_, full, &OpenMetricsFamily::name);
    if (known != all_.end()) return *known;
    all_.push_back({.name = full, .unit = unit, .help = help, .samples = {}});
    return all_.back();
  }

  [[nodiscard]] std::vector<OpenMetricsFamily> take() { return std::move(all_); }

 private:
  std::vector<OpenMetricsFamily> all_;
};

void add_series(Families& families, const JudgedSeries& judged) {
  const SeriesHealth& health = judged.health;
  const Labels labels = labels_of(judged.kind);
  const bool decided = health.verdict != HealthVerdict::undecided;
  if (decided) {
    families.at("series_state", "", "Verdict on a series: 1 regressed, 0 steady, -1 improved.")
        .samples.push_back({labels, state_of(health.verdict)});
  }
  families.at("series_undecided", "", "Whether a series has too little data for a verdict.")
      .samples.push_back({labels, decided ? 0.0 : 1.0});
  if (judged.last) {
    families.at("value", judged.kind.unit, "Last value of a series, median over launches.")
        .samples.push_back({labels, judged.last->value});
  }
  if (health.baseline) {
    families.at("baseline", judged.kind.unit, "Median of a series over its accepted nights.")
        .samples.push_back({labels, *health.baseline});
  }
  if (!health.change) return;
  families.at("change", "ratio", "Ratio of the new level of a series to the old one, minus 1.")
      .samples.push_back({labels, health.change->change});
  families.at("since_timestamp", "seconds", "First night of the new level of a series, Unix time.")
      .samples.push_back({labels, seconds_a_day * static_cast<double>(health.change->since)});
}

void add_fleet(Families& families, const JudgedFleet& fleet) {
  for (const NodeEffect& node : fleet.night.nodes) {
    const Labels labels{{"host", node.host}, {"point", fleet.point}};
    families
        .at("node_effect", "ratio",
            "How much longer the pairs of a node take than those of a usual one, ratio minus 1.")
        .samples.push_back({labels, node.effect});
    families.at("node_slow", "", "Whether a node is named as slow.")
        .samples.push_back({labels, node.named ? 1.0 : 0.0});
  }
  for (const LinkVerdict& link : fleet.links) {
    families
        .at("slow_link_effect", "ratio",
            "How much longer a link that is named as slow takes than usual ones, ratio minus 1.")
        .samples.push_back(
            {{{"a", link.a}, {"b", link.b}, {"hop", link.hop}, {"point", fleet.point}},
             link.effect});
  }
}

double seconds_since_epoch(const std::string& utc) {
  std::tm parts{};
  ::strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return static_cast<double>(::timegm(&parts));
}

}  // namespace

std::vector<OpenMetricsFamily> health_metrics(const HealthReport& report) {
  Families families;
  families.at("last_run_timestamp", "seconds", "When the check ran, Unix time.")
      .samples.push_back({{}, seconds_since_epoch(report.checked_utc)});
  families.at("night_timestamp", "seconds", "Which night was judged, Unix time of its day.")
      .samples.push_back({{}, seconds_a_day * static_cast<double>(report.day)});
  const HealthCounts counts = count(report);
  families.at("regressions", "", "Series that regressed, and nodes and links named as slow.")
      .samples.push_back(
          {{}, static_cast<double>(counts.regressed + counts.slow_nodes + counts.slow_links)});
  families.at("severity", "", "What to do: 0 nothing, 1 monitor, 2 isolate.")
      .samples.push_back({{}, static_cast<double>(severity_of(report))});
  for (const HealthState state : {HealthState::ok, HealthState::learning, HealthState::regressed}) {
    families.at("state", "", "What the night is: 1 for the state it is in, 0 for the others.")
        .samples.push_back(
            {{{"state", std::string(word(state))}}, state_of(report) == state ? 1.0 : 0.0});
  }
  for (const JudgedSeries& judged : report.series) add_series(families, judged);
  for (const JudgedFleet& fleet : report.fleets) add_fleet(families, fleet);
  return families.take();
}

}  // namespace hockney
