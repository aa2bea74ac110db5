#include "report/health/health_report.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/days.hpp"
#include "core/inert_text.hpp"
#include "core/names.hpp"
#include "report/number_text.hpp"

namespace hockney {
namespace {

/// "+10.2 %"; a change of 0.004 % is "+0.00 %".
std::string signed_percent(double change) {
  const double value = per_cent * change;
  const std::string digits = significant(std::abs(value), 3);
  return (value < 0 ? "-" : "+") + digits + " %";
}

std::set<std::string> slow_hosts(const HealthReport& report) {
  std::set<std::string> hosts;
  for (const JudgedFleet& fleet : report.fleets) {
    for (const NodeEffect& node : fleet.night.nodes) {
      if (node.named) hosts.insert(node.host);
    }
  }
  return hosts;
}

std::size_t slow_links(const HealthReport& report) {
  std::size_t links = 0;
  for (const JudgedFleet& fleet : report.fleets) links += fleet.links.size();
  return links;
}

/// The regressed series that is worst: by severity, then by the size of its change.
const JudgedSeries* worst_series(const HealthReport& report) {
  const JudgedSeries* worst = nullptr;
  const auto rank = [](const JudgedSeries& series) {
    const double change = series.health.change ? series.health.change->change : 0;
    return std::pair(series.health.severity, std::abs(std::log1p(change)));
  };
  for (const JudgedSeries& series : report.series) {
    if (series.health.verdict != HealthVerdict::regressed) continue;
    if (worst == nullptr || rank(*worst) < rank(series)) worst = &series;
  }
  return worst;
}

/// The named node that is slowest.
const NodeEffect* worst_node(const HealthReport& report) {
  const NodeEffect* worst = nullptr;
  for (const JudgedFleet& fleet : report.fleets) {
    for (const NodeEffect& node : fleet.night.nodes) {
      if (node.named && (worst == nullptr || worst->effect < node.effect)) worst = &node;
    }
  }
  return worst;
}

const LinkVerdict* worst_link(const HealthReport& report) {
  const LinkVerdict* worst = nullptr;
  for (const JudgedFleet& fleet : report.fleets) {
    for (const LinkVerdict& link : fleet.links) {
      if (worst == nullptr || worst->effect < link.effect) worst = &link;
    }
  }
  return worst;
}

std::string counted(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

std::vector<std::string> findings(const HealthReport& report) {
  std::vector<std::string> parts;
  if (const NodeEffect* node = worst_node(report)) {
    const std::size_t others = slow_hosts(report).size() - 1;
    parts.push_back("node " + node->host + " " + signed_percent(node->effect) +
                    (others > 0 ? " and " + counted(others, "more node") : ""));
  }
  if (const LinkVerdict* link = worst_link(report)) {
    const std::size_t others = slow_links(report) - 1;
    parts.push_back("link " + link->a + "-" + link->b + " " + signed_percent(link->effect) +
                    (others > 0 ? " and " + counted(others, "more link") : ""));
  }
  if (const JudgedSeries* series = worst_series(report)) {
    const std::size_t others = count(report).regressed - 1;
    parts.push_back(series->kind.name + " " + change_text(series->health) +
                    (others > 0 ? " and " + std::to_string(others) + " more series" : ""));
  }
  return parts;
}

}  // namespace

HealthCounts count(const HealthReport& report) {
  HealthCounts counts;
  for (const JudgedSeries& series : report.series) {
    switch (series.health.verdict) {
      case HealthVerdict::steady:
        ++counts.steady;
        break;
      case HealthVerdict::improved:
        ++counts.improved;
        break;
      case HealthVerdict::regressed:
        ++counts.regressed;
        break;
      case HealthVerdict::undecided:
        ++counts.undecided;
    }
  }
  counts.slow_nodes = slow_hosts(report).size();
  counts.slow_links = slow_links(report);
  return counts;
}

bool has_regression(const HealthReport& report) {
  const HealthCounts counts = count(report);
  return counts.regressed + counts.slow_nodes + counts.slow_links > 0;
}

Severity severity_of(const HealthReport& report) {
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

std::string reason_line(const HealthReport& report) {
  const std::vector<std::string> parts = findings(report);
  if (!parts.empty()) {
    return std::string(word(std::max(severity_of(report), Severity::monitor))) + ": " +
           inert(join(parts, "; "));
  }
  const HealthCounts counts = count(report);
  std::string text = "OK: " + std::to_string(counts.steady + counts.improved) +
                     " series steady or better on " + day_text(report.day);
  if (counts.undecided > 0) text += ", " + std::to_string(counts.undecided) + " undecided";
  return text;
}

std::string_view word(HealthVerdict verdict) {
  switch (verdict) {
    case HealthVerdict::steady:
      return "steady";
    case HealthVerdict::regressed:
      return "regressed";
    case HealthVerdict::improved:
      return "improved";
    case HealthVerdict::undecided:
      break;
  }
  return "undecided";
}

std::string_view word(UndecidedWhy why) {
  switch (why) {
    case UndecidedWhy::none:
      return "none";
    case UndecidedWhy::no_nights:
      return "no_nights";
    case UndecidedWhy::short_baseline:
      return "short_baseline";
    case UndecidedWhy::stale:
      break;
  }
  return "stale";
}

std::string_view word(Severity severity) {
  if (severity == Severity::none) return "OK";
  return severity == Severity::isolate ? "ISOLATE" : "MONITOR";
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
  return text;
}

}  // namespace hockney
