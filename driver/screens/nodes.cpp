#include "driver/screens/nodes.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/node_records.hpp"
#include "core/samples.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

constexpr std::size_t nodes_by_range = 8;  // of more, 90 % are shown and the worst one

std::string host_of(const Record& record) {
  return record.provenance.hosts.empty() ? "" : record.provenance.hosts.front().name;
}

/// The times of one point by host.
struct NodeTimes {
  const Series* series = nullptr;
  std::string curve;
  std::map<std::string, std::vector<double>> seconds;
};

/// Of the nodes together.
Point without_host(Point point) {
  point.parameters.erase(host_parameter);
  return point;
}

std::string curve_of(const TimedSeries& timed) {
  const Point& point = timed.series->point;
  std::vector<std::string> words{point.operation};
  if (point.hop) words.push_back(*point.hop);
  if (point.ranks > 2) words.push_back(fmt::format("{} ranks", point.ranks));
  if (!timed.setting().empty() && timed.setting() != "default") words.push_back(timed.setting());
  return escaped(join(words, " "));
}

/// Curve by curve, in the order of the first record that has it.
std::vector<NodeTimes> times_of(std::span<const Record> records) {
  std::vector<NodeTimes> all;
  std::map<std::tuple<std::string, std::string, Bytes>, std::size_t> places;
  for (const TimedSeries& timed : timed_series(records).series) {
    const Point& point = timed.series->point;
    const auto [place, is_new] = places.try_emplace(
        {timed.setting(), curve_name(without_host(point)), point.bytes}, all.size());
    if (is_new) all.push_back({.series = timed.series, .curve = curve_of(timed)});
    all[place->second].seconds[host_of(*timed.record)].push_back(timed.seconds);
  }
  std::map<std::string, std::size_t> order;
  for (const NodeTimes& times : all) order.try_emplace(times.curve, order.size());
  std::ranges::stable_sort(all, {}, [&](const NodeTimes& times) { return order[times.curve]; });
  return all;
}

/// The values of one figure by host.
using NodeValues = std::map<std::string, std::vector<double>>;

/// The median of each host's values, each of them as `convert` returns it.
template <class Convert>
NodesFigure figure_of(std::string label, bool is_rate, const NodeValues& by_host,
                      const Convert& convert) {
  NodesFigure figure{.label = std::move(label), .is_rate = is_rate, .nodes = by_host.size()};
  std::vector<double> values;
  for (const auto& [host, of_host] : by_host) {
    const double value = convert(median(of_host).value_or(0));
    const bool is_worst = values.empty() || (is_rate ? value < figure.worst : value > figure.worst);
    if (is_worst) {
      figure.worst = value;
      figure.worst_host = host;
    }
    values.push_back(value);
  }
  figure.median = median(values).value_or(0);
  figure.best = is_rate ? std::ranges::max(values) : std::ranges::min(values);
  const auto at = [&](double part) { return quantile(values, part).value_or(figure.median); };
  figure.usual = {.low = at(0.05), .high = at(0.95), .level = 0.9};
  return figure;
}

NodesFigure figure_of(const NodeTimes& times, bool is_rate) {
  const auto bytes = static_cast<double>(times.series->bytes_per_sample);
  return figure_of(fmt::format("{} at {}", times.curve, format_bytes(times.series->point.bytes)),
                   is_rate, times.seconds,
                   [&](double seconds) { return is_rate ? bytes / seconds : seconds; });
}

/// Figures of the machine probes, in their order on the screen.
class MachineFigures {
 public:
  explicit MachineFigures(std::span<const Record> records) {
    for (const Record& record : records) {
      for (const MachineProbe& probe : record.machine) add(host_of(record), probe);
    }
  }

  /// The memory of all cores and the copies of GPUs.
  [[nodiscard]] std::vector<NodesFigure> of_nodes() const {
    std::vector<NodesFigure> figures;
    for (const auto& [cores, values] : memory_) {
      add_rate(figures, "memory of " + count_text(static_cast<std::size_t>(cores), "core"), values);
    }
    for (const auto& [device, values] : to_devices_) {
      add_rate(figures, fmt::format("host to GPU {}", device), values);
    }
    for (const auto& [device, values] : from_devices_) {
      add_rate(figures, fmt::format("GPU {} to host", device), values);
    }
    return figures;
  }

  [[nodiscard]] std::vector<NodesFigure> all() const {
    std::vector<NodesFigure> figures;
    const auto same = [](double value) { return value; };
    if (!noise_.empty()) figures.push_back(figure_of("noise probe", false, noise_, same));
    if (!lines_.empty()) figures.push_back(figure_of("cache line", false, lines_, same));
    add_rate(figures, "copy of a rank", copies_);
    std::ranges::move(of_nodes(), std::back_inserter(figures));
    return figures;
  }

 private:
  void add(const std::string& host, const MachineProbe& probe) {
    for (const RankProbe& rank : probe.ranks) {
      noise_[host].push_back(rank.noise_probe_seconds);
      if (rank.copy_bytes_per_second) copies_[host].push_back(*rank.copy_bytes_per_second);
    }
    for (const LineProbe& line : probe.lines) lines_[host].push_back(line.seconds);
    for (const MemoryProbe& memory : probe.memory) {
      memory_[memory.cores][host].push_back(memory.bytes_per_second);
    }
    for (const DeviceProbe& device : probe.devices) {
      to_devices_[device.device][host].push_back(device.to_device_bytes_per_second);
      from_devices_[device.device][host].push_back(device.from_device_bytes_per_second);
    }
  }

  static void add_rate(std::vector<NodesFigure>& figures, std::string label,
                       const NodeValues& values) {
    if (values.empty()) return;
    figures.push_back(
        figure_of(std::move(label), true, values, [](double value) { return value; }));
  }

  NodeValues noise_;
  NodeValues lines_;
  NodeValues copies_;
  std::map<int, NodeValues> memory_;  ///< by number of cores
  std::map<int, NodeValues> to_devices_;
  std::map<int, NodeValues> from_devices_;
};

std::string text_of(const NodesFigure& figure, double value) {
  return figure.is_rate ? short_rate(BytesPerSecond{value}) : short_time(value);
}

/// "node3 +31 %".
std::string worst_text(const NodesFigure& figure) {
  const double change = figure.worst / figure.median - 1;
  return fmt::format("{} {}{} %", escaped(figure.worst_host), change < 0 ? "-" : "+",
                     significant(std::abs(per_cent * change), 2));
}

}  // namespace

bool are_of_several_nodes(std::span<const Record> records) {
  const auto is_elsewhere = [&](const Record& record) {
    return host_of(record) != host_of(records.front());
  };
  return std::ranges::any_of(records, is_elsewhere) &&
         std::ranges::all_of(records, [](const Record& one) { return is_of_each_node(one); });
}

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
  std::ranges::move(MachineFigures(records).all(), std::back_inserter(figures));
  return figures;
}

Lines memory_answer(std::span<const Record> records) {
  std::vector<std::vector<std::string>> cells;
  for (const NodesFigure& figure : MachineFigures(records).of_nodes()) {
    cells.push_back({figure.label, text_of(figure, figure.median)});
  }
  return cells.empty() ? Lines() : columns_of(cells);
}

Screen nodes_screen(std::span<const Record> records) {
  Screen screen{.header = header_of(records)};
  const std::vector<NodesFigure> figures = nodes_figures(records);
  const bool are_many = std::ranges::any_of(
      figures, [](const NodesFigure& one) { return one.nodes > nodes_by_range; });
  std::vector<std::vector<std::string>> cells{
      {"", "median", "worst node", are_many ? "5 .. 95 % of nodes" : "range"}};
  for (const NodesFigure& figure : figures) {
    const auto [low, high] = std::minmax(figure.best, figure.worst);
    const Interval shown = are_many ? figure.usual : Interval{low, high, 1};
    cells.push_back(
        {figure.label, text_of(figure, figure.median), worst_text(figure),
         fmt::format("{} .. {}", text_of(figure, shown.low), text_of(figure, shown.high))});
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
        {.what = fmt::format("{} has no figures in {} of {}: {}", escaped(host), absence.launches,
                             count_text(of_launches.size(), "launch"), escaped(absence.reason))});
  }
  return findings;
}

}  // namespace hockney::report
