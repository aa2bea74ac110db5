#include "report/screens/nodes.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "core/samples.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {

namespace {

std::string host_of(const Record& record) {
  return record.provenance.hosts.empty() ? "" : record.provenance.hosts.front().name;
}

}  // namespace

bool is_of_each_node(std::span<const Record> records) {
  const auto has_option = [](const Record& record) {
    const std::vector<std::string>& words = record.provenance.command_line;
    return std::ranges::find(words, "--each-node") != words.end();
  };
  const auto is_elsewhere = [&](const Record& record) {
    return host_of(record) != host_of(records.front());
  };
  return std::ranges::any_of(records, is_elsewhere) && std::ranges::all_of(records, has_option);
}

namespace {

/// The times of one point by host.
struct NodeTimes {
  const Series* series = nullptr;
  std::string curve;
  std::map<std::string, std::vector<double>> seconds;
};

std::string curve_of(const TimedSeries& timed) {
  const Point& point = timed.series->point;
  std::vector<std::string> words{point.operation};
  if (point.hop) words.push_back(*point.hop);
  if (point.ranks > 2) words.push_back(fmt::format("{} ranks", point.ranks));
  if (!timed.setting().empty() && timed.setting() != "default") words.push_back(timed.setting());
  return inert(join(words, " "));
}

/// In the order of the first record, then of others.
std::vector<NodeTimes> times_of(std::span<const Record> records) {
  std::vector<NodeTimes> all;
  std::map<std::tuple<std::string, std::string, Bytes>, std::size_t> places;
  for (const TimedSeries& timed : timed_series(records).series) {
    const Point& point = timed.series->point;
    const auto [place, is_new] =
        places.try_emplace({timed.setting(), curve_name(point), point.bytes}, all.size());
    if (is_new) all.push_back({.series = timed.series, .curve = curve_of(timed)});
    all[place->second].seconds[host_of(*timed.record)].push_back(timed.seconds);
  }
  return all;
}

NodesFigure figure_of(const NodeTimes& times, bool is_rate) {
  NodesFigure figure{
      .label = fmt::format("{} at {}", times.curve, format_bytes(times.series->point.bytes)),
      .is_rate = is_rate,
      .nodes = times.seconds.size()};
  const auto bytes = static_cast<double>(times.series->bytes_per_sample);
  std::vector<double> values;
  for (const auto& [host, seconds] : times.seconds) {
    const double median_seconds = median(seconds).value_or(0);
    const double value = is_rate ? bytes / median_seconds : median_seconds;
    const bool is_worst = values.empty() || (is_rate ? value < figure.worst : value > figure.worst);
    if (is_worst) {
      figure.worst = value;
      figure.worst_host = host;
    }
    values.push_back(value);
  }
  figure.median = median(values).value_or(0);
  figure.best = is_rate ? std::ranges::max(values) : std::ranges::min(values);
  return figure;
}

std::string text_of(const NodesFigure& figure, double value) {
  return figure.is_rate ? short_rate(BytesPerSecond{value}) : short_time(value);
}

/// "node3 +31 %".
std::string worst_text(const NodesFigure& figure) {
  const double change = figure.worst / figure.median - 1;
  return fmt::format("{} {}{} %", inert(figure.worst_host), change < 0 ? "-" : "+",
                     significant(std::abs(per_cent * change), 2));
}

}  // namespace

std::vector<NodesFigure> nodes_figures(std::span<const Record> records) {
  const std::vector<NodeTimes> all = times_of(records);
  std::vector<NodesFigure> figures;
  for (auto first = all.begin(); first != all.end();) {
    const auto last = std::find_if_not(
        first, all.end(), [&](const NodeTimes& one) { return one.curve == first->curve; });
    const auto bytes_of = [](const NodeTimes& one) { return one.series->point.bytes; };
    const auto [least, most] = std::ranges::minmax_element(first, last, {}, bytes_of);
    figures.push_back(figure_of(*least, false));
    if (least != most && most->series->bytes_per_sample > 0) {
      figures.push_back(figure_of(*most, true));
    }
    first = last;
  }
  return figures;
}

Screen nodes_screen(std::span<const Record> records) {
  Screen screen{.header = header_of(records)};
  std::vector<std::vector<std::string>> cells{{"", "median of nodes", "range", "worst node"}};
  for (const NodesFigure& figure : nodes_figures(records)) {
    const auto [low, high] = std::minmax(figure.best, figure.worst);
    cells.push_back({figure.label, text_of(figure, figure.median),
                     fmt::format("{} .. {}", text_of(figure, low), text_of(figure, high)),
                     worst_text(figure)});
    screen.rows.push_back({.label = figure.label,
                           .value = figure.median,
                           .interval = Interval{low, high, 1},
                           .unit = figure.is_rate ? "B/s" : "s",
                           .mark = "worst " + worst_text(figure)});
  }
  screen.answer = columns_of(cells);
  std::set<std::string> hosts;
  for (const Record& record : records) hosts.insert(host_of(record));
  screen.verdict = fmt::format("{} nodes measured at the same time, each by itself", hosts.size());
  screen.answer.insert(screen.answer.begin(), {screen.verdict, ""});
  return screen;
}

std::vector<Finding> missing_findings(const std::vector<std::vector<MissingNode>>& of_launches) {
  struct Absence {
    std::size_t launches = 0;
    std::string reason;
  };
  std::map<std::string, Absence> absences;
  for (const std::vector<MissingNode>& launch : of_launches) {
    for (const MissingNode& node : launch) {
      Absence& absence = absences[node.host];
      ++absence.launches;
      absence.reason = node.reason;
    }
  }
  std::vector<std::pair<std::string, Absence>> sorted(absences.begin(), absences.end());
  std::ranges::stable_sort(sorted, std::greater(),
                           [](const auto& one) { return one.second.launches; });
  std::vector<Finding> findings;
  findings.reserve(sorted.size());
  for (const auto& [host, absence] : sorted) {
    findings.push_back(
        {.what = fmt::format("{} has no figures in {} of {}: {}", inert(host), absence.launches,
                             count_text(of_launches.size(), "launch"), inert(absence.reason))});
  }
  return findings;
}

}  // namespace hockney::report
