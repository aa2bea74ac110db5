#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/text.hpp"
#include "core/time.hpp"
#include "health/report/health_report.hpp"
#include "report/fault_lines.hpp"
#include "report/table.hpp"

namespace hockney::health {
namespace {

/// The regressed series that is worst: what was measured before coefficients of models, then by
/// severity, then by the size of its change.
const JudgedSeries* worst_series(const Report& report) {
  const JudgedSeries* worst = nullptr;
  const auto rank = [](const JudgedSeries& series) {
    const double change = series.health.change ? series.health.change->change : 0;
    return std::tuple(!is_fitted(series.kind), series.health.severity,
                      std::abs(std::log1p(change)));
  };
  for (const JudgedSeries& series : report.series) {
    if (series.health.verdict != Verdict::regressed) continue;
    if (worst == nullptr || rank(*worst) < rank(series)) worst = &series;
  }
  return worst;
}

/// The named node that is slowest.
const fleet::NodeEffect* worst_node(const Report& report) {
  const fleet::NodeEffect* worst = nullptr;
  for (const JudgedFleet& fleet : report.fleets) {
    for (const fleet::NodeEffect& node : fleet.night.nodes) {
      if (node.named && (worst == nullptr || worst->effect < node.effect)) worst = &node;
    }
  }
  return worst;
}

const fleet::LinkVerdict* worst_link(const Report& report) {
  const fleet::LinkVerdict* worst = nullptr;
  for (const JudgedFleet& fleet : report.fleets) {
    for (const fleet::LinkVerdict& link : fleet.links) {
      if (worst == nullptr || worst->effect < link.effect) worst = &link;
    }
  }
  return worst;
}

/// "night 2 of 15": of the series that has come furthest.
std::string progress_of_learning(const Report& report) {
  std::size_t nights = 0;
  std::size_t needed = 0;
  for (const JudgedSeries& series : report.series) {
    if (!is_learning(series.health) || series.health.nights < nights) continue;
    nights = series.health.nights;
    needed = series.health.nights_needed;
  }
  return "night " + std::to_string(nights) + " of " + std::to_string(needed);
}

std::string series_count(std::size_t number) { return std::to_string(number) + " series"; }

std::string stale_text(const HealthCounts& counts) {
  const std::size_t stale = counts.undecided - counts.learning;
  return stale > 0 ? series_count(stale) + " not measured lately" : "";
}

std::string learning_text(const Report& report, const HealthCounts& counts) {
  if (report.series.empty()) return "no series was measured; nothing can be judged yet";
  if (counts.learning == 0) return "nothing can be judged (" + stale_text(counts) + ")";
  const std::string stale = stale_text(counts);
  return progress_of_learning(report) + " needed; nothing can be judged yet (" +
         series_count(counts.learning) + (stale.empty() ? "" : ", " + stale) + ")";
}

std::string steady_text(const Report& report, const HealthCounts& counts) {
  std::vector<std::string> parts;
  if (counts.steady > 0) parts.push_back(series_count(counts.steady) + " steady");
  if (counts.improved > 0) parts.push_back(series_count(counts.improved) + " improved");
  if (report.series.empty()) parts.emplace_back("no slow node or link");
  std::string text = join(parts) + " over " + report::count_text(report.nights, "night");
  if (counts.learning > 0) {
    text += "; " + series_count(counts.learning) + " still learning, " +
            progress_of_learning(report) + " needed";
  }
  const std::string stale = stale_text(counts);
  return stale.empty() ? text : text + "; " + stale;
}

/// "; that day: mpi.library Open MPI v4.1.4 -> Open MPI v5.0.9 and 3 more facts"
std::string environment_text(const JudgedSeries& series) {
  std::vector<FactChange> facts;
  for (const NamedChange& change : series.environment) {
    facts.insert(facts.end(), change.facts.begin(), change.facts.end());
  }
  if (facts.empty()) return "";
  const auto library = std::ranges::find(facts, "mpi.library", &FactChange::fact);
  const FactChange& first = library != facts.end() ? *library : facts.front();
  std::string text = "; that day: " + first.fact + " " + first.before + " -> " + first.after;
  if (facts.size() > 1) text += " and " + report::count_text(facts.size() - 1, "more fact");
  return text;
}

std::string regressed_text(const Report& report, const HealthCounts& counts) {
  std::vector<std::string> parts;
  if (counts.slow_nodes > 0) parts.push_back(report::count_text(counts.slow_nodes, "slow node"));
  if (counts.slow_links > 0) parts.push_back(report::count_text(counts.slow_links, "slow link"));
  if (const JudgedSeries* worst = worst_series(report)) {
    parts.push_back(std::to_string(counts.regressed) + " of " + series_count(report.series.size()) +
                    ", " + happening_text(worst->kind) + " " + change_text(worst->health) +
                    environment_text(*worst));
  }
  return join(parts, "; ");
}

/// The faults, then what the figures without them say.
std::string corrupt_text(const Report& report, const HealthCounts& counts) {
  const std::string faults = join(report::fault_lines(report.faults), "; ");
  return has_regression(report) ? faults + "; " + regressed_text(report, counts) : faults;
}

std::string with_future(std::string text, const Report& report) {
  const std::string future = future_text(report);
  return future.empty() ? text : std::move(text) + "; " + future;
}

std::vector<std::string> findings(const Report& report) {
  std::vector<std::string> parts = report::fault_lines(report.faults);
  if (const fleet::NodeEffect* node = worst_node(report)) {
    const std::size_t others = count(report).slow_nodes - 1;
    parts.push_back("node " + node->host + " " + signed_percent(node->effect) +
                    (node->day ? " on " + day_text(*node->day) : "") +
                    (others > 0 ? " and " + report::count_text(others, "more node") : ""));
  }
  if (const fleet::LinkVerdict* link = worst_link(report)) {
    const std::size_t others = count(report).slow_links - 1;
    parts.push_back("link " + link->a + "-" + link->b + " " + signed_percent(link->effect) +
                    (others > 0 ? " and " + report::count_text(others, "more link") : ""));
  }
  if (const JudgedSeries* series = worst_series(report)) {
    const std::size_t others = count(report).regressed - 1;
    parts.push_back(series->kind.name + " " + change_text(series->health) +
                    (others > 0 ? " and " + std::to_string(others) + " more series" : ""));
  }
  return parts;
}

}  // namespace

std::string headline(const Report& report) {
  const HealthCounts counts = count(report);
  const auto line = [&](State state, const std::string& text) {
    constexpr std::size_t width = 10;
    std::string begin(word(state));
    begin.resize(width, ' ');
    return begin + inert(with_future(text, report));
  };
  switch (const State state = state_of(report)) {
    case State::ok:
      return line(state, steady_text(report, counts));
    case State::learning:
      return line(state, learning_text(report, counts));
    case State::regressed:
      return line(state, regressed_text(report, counts));
    case State::corrupt:
      break;
  }
  return line(State::corrupt, corrupt_text(report, counts));
}

std::string reason_line(const Report& report) {
  const std::vector<std::string> parts = findings(report);
  if (!parts.empty()) {
    return std::string(word(std::max(severity_of(report), fleet::Severity::monitor))) + ": " +
           inert(with_future(join(parts, "; "), report));
  }
  const HealthCounts counts = count(report);
  if (state_of(report) == State::learning) {
    return std::string(word(State::learning)) + ": " +
           with_future(learning_text(report, counts), report);
  }
  std::string text = "OK: " + std::to_string(counts.steady + counts.improved) +
                     " series steady or better on " + day_text(report.day);
  if (counts.undecided > 0) text += ", " + std::to_string(counts.undecided) + " undecided";
  return with_future(std::move(text), report);
}

}  // namespace hockney::health
