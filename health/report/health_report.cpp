#include "health/report/health_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/text.hpp"
#include "core/time.hpp"
#include "report/table.hpp"

namespace hockney::health {
namespace {

std::set<std::string> slow_hosts(const Report& report) {
  std::set<std::string> hosts;
  for (const JudgedFleet& fleet : report.fleets) {
    for (const NodeEffect& node : fleet.night.nodes) {
      if (node.named) hosts.insert(node.host);
    }
  }
  return hosts;
}

std::size_t slow_links(const Report& report) {
  std::size_t links = 0;
  for (const JudgedFleet& fleet : report.fleets) links += fleet.links.size();
  return links;
}

}  // namespace

std::string signed_percent(double change) {
  const double value = report::per_cent * change;
  const std::string digits = report::significant(std::abs(value), 3);
  return (value < 0 ? "-" : "+") + digits + " %";
}

bool is_learning(const SeriesHealth& health) {
  return health.verdict == Verdict::undecided &&
         (health.why == UndecidedWhy::no_nights || health.why == UndecidedWhy::short_baseline);
}

HealthCounts count(const Report& report) {
  HealthCounts counts;
  for (const JudgedSeries& series : report.series) {
    switch (series.health.verdict) {
      case Verdict::steady:
        ++counts.steady;
        break;
      case Verdict::improved:
        ++counts.improved;
        break;
      case Verdict::regressed:
        ++counts.regressed;
        break;
      case Verdict::undecided:
        ++counts.undecided;
        counts.learning += is_learning(series.health) ? 1U : 0U;
    }
  }
  counts.slow_nodes = slow_hosts(report).size();
  counts.slow_links = slow_links(report);
  return counts;
}

bool has_regression(const Report& report) {
  const HealthCounts counts = count(report);
  return counts.regressed + counts.slow_nodes + counts.slow_links > 0;
}

State state_of(const Report& report) {
  if (!report.faults.empty()) return State::corrupt;
  if (has_regression(report)) return State::regressed;
  const HealthCounts counts = count(report);
  const bool judges_nodes = std::ranges::any_of(report.fleets, [](const JudgedFleet& fleet) {
    return fleet.night.undecided == FleetUndecided::none;
  });
  const bool judged = counts.undecided < report.series.size();
  return judged || (report.series.empty() && judges_nodes) ? State::ok : State::learning;
}

Severity severity_of(const Report& report) {
  if (!report.faults.empty()) return Severity::isolate;
  Severity worst = Severity::none;
  for (const JudgedSeries& series : report.series) {
    worst = std::max(worst, series.health.severity);
  }
  for (const JudgedFleet& fleet : report.fleets) {
    for (const NodeEffect& node : fleet.night.nodes) {
      if (node.named) worst = std::max(worst, node.severity);
    }
    for (const LinkVerdict& link : fleet.links) worst = std::max(worst, link.severity);
  }
  return worst;
}

std::string future_text(const Report& report) {
  const std::vector<std::int64_t>& days = report.future;
  if (days.empty()) return "";
  if (days.size() == 1) return "1 night in the future is not judged: " + day_text(days.front());
  return std::to_string(days.size()) + " nights in the future are not judged, from " +
         day_text(days.front()) + " on";
}

std::string undecided_text(const SeriesHealth& health) {
  switch (health.why) {
    case UndecidedWhy::none:
      return "";
    case UndecidedWhy::no_nights:
      return "no night to judge";
    case UndecidedWhy::short_baseline:
      return std::to_string(health.nights) + " of " + std::to_string(health.nights_needed) +
             " nights that a baseline needs";
    case UndecidedWhy::stale:
      break;
  }
  return "not measured lately";
}

std::string change_text(const SeriesHealth& health) {
  if (!health.change) return "";
  const DatedChange& change = *health.change;
  std::string text = signed_percent(change.change) + " since " + day_text(change.since);
  if (change.since_low != change.since_high) {
    text += " (" + day_text(change.since_low) + " .. " + day_text(change.since_high) + ")";
  }
  if (change.interval) {
    text += ", interval " + signed_percent(change.interval->low) + " .. " +
            signed_percent(change.interval->high);
  }
  if (health.is_open && health.last_day)
    text += ", not measured since " + day_text(*health.last_day);
  return text;
}

}  // namespace hockney::health
