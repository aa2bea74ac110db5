#include "health/report/health_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <set>
#include <string_view>

#include "core/quantities.hpp"
#include "core/series_name.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "report/table.hpp"

namespace hockney::health {
namespace {

std::set<std::string> slow_hosts(const Report& report) {
  std::set<std::string> hosts;
  for (const JudgedFleet& fleet : report.fleets) {
    for (const fleet::NodeEffect& node : fleet.night.nodes) {
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
    return fleet.night.undecided == fleet::FleetUndecided::none;
  });
  const bool judged = counts.undecided < report.series.size();
  return judged || (report.series.empty() && judges_nodes) ? State::ok : State::learning;
}

fleet::Severity severity_of(const Report& report) {
  if (!report.faults.empty()) return fleet::Severity::isolate;
  fleet::Severity worst = fleet::Severity::none;
  for (const JudgedSeries& series : report.series) {
    worst = std::max(worst, series.health.severity);
  }
  for (const JudgedFleet& fleet : report.fleets) {
    for (const fleet::NodeEffect& node : fleet.night.nodes) {
      if (node.named) worst = std::max(worst, node.severity);
    }
    for (const fleet::LinkVerdict& link : fleet.links) worst = std::max(worst, link.severity);
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

namespace {

struct FigureWords {
  std::string_view figure;
  std::string_view words;
};

constexpr std::array<FigureWords, 9> figure_words{
    {{"bytes_per_second", "bandwidth"},
     {"alpha_seconds", "fitted start-up time"},
     {"beta_seconds_per_byte", "fitted time per byte"},
     {"spread", "spread between launches"},
     {"calm_share", "share of undisturbed samples"},
     {"eager_limit_bytes", "eager limit"},
     {"pss_bytes", "memory of a rank"},
     {"read_seconds", "time to read the clock"},
     {"node_ratio", "time of a node's pairs"}}};

std::string quantity_of(const SeriesName& name) {
  if (name.figure == "seconds") return name.operation == "pingpong" ? "latency" : "time";
  const auto* const found = std::ranges::find(figure_words, name.figure, &FigureWords::figure);
  if (found != figure_words.end()) return std::string(found->words);
  std::string words = name.figure;
  std::ranges::replace(words, '_', ' ');
  return words;
}

/// "8 B", "64K".
std::string size_text(const std::string& bytes) {
  const auto number = as_number<std::int64_t>(bytes);
  if (!number) return bytes;
  const std::string text = format_bytes({*number});
  return text == bytes ? text + " B" : text;
}

/// The unit that suits a value of a series: its name with the blank before it, and how many of it
/// are one of the series' own.
struct SuitedUnit {
  std::string name;
  double scale = 1;
};

SuitedUnit suited_unit(double value, const std::string& unit) {
  if (unit == "seconds") {
    if (value < 1e-3) return {" us", report::microseconds};
    return value < 1 ? SuitedUnit{" ms", 1e3} : SuitedUnit{" s", 1};
  }
  if (unit == "seconds_per_byte") return {" ns/B", report::nanoseconds};
  if (unit == "bytes_per_second") {
    return value < 1e9 ? SuitedUnit{" MB/s", 1e-6} : SuitedUnit{" GB/s", 1e-9};
  }
  if (unit == "bytes") return value < 1e6 ? SuitedUnit{" B", 1} : SuitedUnit{" MB", 1e-6};
  return {unit.empty() || unit == "ratio" ? "" : " " + unit, 1};
}

}  // namespace

std::string happening_text(const SeriesKind& kind) {
  const SeriesName name = parse_series_name(kind.name);
  if (name.figure.empty()) return kind.name;
  std::vector<std::string> place{name.operation};
  if (const std::string ranks = name.at("ranks"); !ranks.empty()) {
    place.push_back(ranks + (ranks == "1" ? " rank" : " ranks"));
  }
  if (const std::string hop = name.at("hop"); !hop.empty()) place.push_back(hop);
  for (const auto& [key, value] : name.keys) {
    const bool is_said = key == "ranks" || key == "hop" || key == "bytes" || key == "setting";
    if (!is_said) place.push_back(key + " " + value);
  }
  const std::string bytes = name.at("bytes");
  return (bytes.empty() ? "" : size_text(bytes) + " ") + quantity_of(name) + " (" + join(place) +
         ")";
}

bool is_fitted(const SeriesKind& kind) {
  const std::string figure = parse_series_name(kind.name).figure;
  return figure == "alpha_seconds" || figure == "beta_seconds_per_byte";
}

std::string figure_text(double value, const std::optional<Interval>& interval,
                        const std::string& unit) {
  const SuitedUnit suited = suited_unit(value, unit);
  std::string text = report::significant(value * suited.scale) + suited.name;
  if (interval) text += ", interval " + report::interval_text(interval, suited.scale);
  return text;
}

std::vector<const JudgedSeries*> series_with(const Report& report, Verdict verdict) {
  std::vector<const JudgedSeries*> found;
  for (const JudgedSeries& judged : report.series) {
    if (judged.health.verdict == verdict) found.push_back(&judged);
  }
  std::ranges::stable_sort(found, std::greater(), [](const JudgedSeries* one) {
    const auto& change = one->health.change;
    return change ? std::abs(std::log1p(change->change)) : 0;
  });
  return found;
}

}  // namespace hockney::health
