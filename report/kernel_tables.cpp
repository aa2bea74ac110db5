#include "report/kernel_tables.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/samples.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "report/row_columns.hpp"
#include "report/table.hpp"
#include "report/view.hpp"

namespace hockney::report {
namespace {

std::string parameter(const Point& point, const std::string& key) {
  const auto found = point.parameters.find(key);
  return found == point.parameters.end() ? "" : found->second;
}

Point without_way(Point point) {
  point.parameters.erase(way_parameter);
  point.parameters.erase(work_parameter);
  return point;
}

/// The median of every counted block, by epoch.
Replicates blocks_of(const Series& series) {
  Replicates replicates;
  const std::vector<bool> counts = counted_blocks(series);
  auto begin = series.samples_seconds.begin();
  for (std::size_t block = 0; block < series.blocks.size(); ++block) {
    const auto end = begin + series.blocks[block];
    const auto seconds = median(std::vector<double>(begin, end));
    if (counts[block] && seconds && *seconds > 0) replicates[block] = *seconds;
    begin = end;
  }
  return replicates;
}

Replicates launches_of(const Row& row) {
  Replicates replicates;
  for (const LaunchMedian& launch : row.launches) replicates[launch.launch] = launch.seconds;
  return replicates;
}

Replicates replicates_of(const Row& row, std::span<const Record> records, Replicate kind) {
  if (kind != Replicate::block) return launches_of(row);
  for (const std::size_t place : row.records) {
    for (const Series& series : records[place].series) {
      if (series.point == row.point) return blocks_of(series);
    }
  }
  return {};
}

Replicate replicate_of(const Row& row, std::span<const Record> records, std::size_t launches) {
  const auto is_simulated = [&](std::size_t place) {
    return records[place].sync && records[place].sync->scheme == "simulated";
  };
  if (std::ranges::all_of(row.records, is_simulated)) return Replicate::simulation;
  const auto has_samples = [&](std::size_t place) {
    return std::ranges::none_of(records[place].series,
                                [](const Series& series) { return series.counted.has_value(); });
  };
  const bool has_blocks = launches == 1 && std::ranges::all_of(row.records, has_samples);
  return has_blocks ? Replicate::block : Replicate::launch;
}

Estimate estimate(const std::vector<double>& values, double level) {
  return {median(values), quantile_interval(values, 0.5, level)};
}

std::vector<double> values_of(const Replicates& replicates) {
  std::vector<double> values;
  for (const auto& [number, seconds] : replicates) values.push_back(seconds);
  return values;
}

std::vector<double> ratios(const Replicates& times, const Replicates& references) {
  std::vector<double> values;
  for (const auto& [number, seconds] : times) {
    const auto reference = references.find(number);
    if (reference != references.end()) values.push_back(seconds / reference->second);
  }
  return values;
}

/// 1 - ratio.
std::vector<double> shares_left(std::vector<double> values) {
  for (double& value : values) value = 1 - value;
  return values;
}

KernelPoint& point_of(std::vector<KernelPoint>& all, const Row& row, Replicate kind) {
  const Point key = without_way(row.point);
  const auto found = std::ranges::find_if(all, [&](const KernelPoint& known) {
    return known.setting == row.setting && known.point == key;
  });
  if (found != all.end()) return *found;
  return all.emplace_back(KernelPoint{
      .setting = row.setting, .point = key, .replicate = kind, .ways = {}, .fastest = {}});
}

KernelWay& way_of(KernelPoint& point, const std::string& name) {
  const auto found = std::ranges::find(point.ways, name, &KernelWay::way);
  if (found != point.ways.end()) return *found;
  KernelWay& way = point.ways.emplace_back();
  way.way = name;
  return way;
}

/// Computes the estimates of one way from its times.
void judge_way(KernelWay& way, double level) {
  const Replicates& after = way.works["after"];
  const Replicates& during = way.works["during"];
  const Replicates& alone = way.works["alone"];
  const auto after_seconds = median(values_of(after));
  const auto during_seconds = median(values_of(during));
  if (after_seconds) way.best = "after";
  if (during_seconds && (!after_seconds || *during_seconds < *after_seconds)) way.best = "during";
  if (!way.best.empty()) way.seconds = estimate(values_of(way.works[way.best]), level);
  way.in_mpi = estimate(shares_left(ratios(alone, after)), level);
  way.won = estimate(shares_left(ratios(during, after)), level);
  way.balance = estimate(ratios(way.works["none"], alone), level);
}

void judge(KernelPoint& point, double level) {
  for (KernelWay& way : point.ways) judge_way(way, level);
  for (std::size_t i = 0; i < point.ways.size(); ++i) {
    const auto& seconds = point.ways[i].seconds.value;
    if (!seconds) continue;
    if (!point.fastest || seconds < point.ways[*point.fastest].seconds.value) point.fastest = i;
  }
  if (!point.fastest) return;
  const Replicates fastest = point.ways[*point.fastest].works[point.ways[*point.fastest].best];
  for (KernelWay& way : point.ways) {
    if (!way.best.empty()) way.to_fastest = estimate(ratios(way.works[way.best], fastest), level);
  }
}

/// Sentences of the summary and below the tables.
namespace words {

constexpr std::string_view kernel_without_interval = " (no interval: too few {})";
constexpr std::string_view fastest = "fastest: {}";
constexpr std::string_view shortest = "shortest: {}{}";
constexpr std::string_view no_difference = "no difference shown of {} from {}";
constexpr std::string_view first = "{} takes {} times as long{}";
constexpr std::string_view in_mpi = "in MPI: {} of {}'s time";
constexpr std::string_view wins_nothing = "overlap wins nothing";
constexpr std::string_view wins = "overlap wins at most {}, of {}'s{}";
constexpr std::string_view no_gain = "no gain by overlap shown: at most {} %, of {}'s";
constexpr std::string_view ratio = "messages alone take {} times as long as computing alone";
constexpr std::string_view turn = "turns from bound by {} to bound by {} between";
constexpr std::string_view works =
    "# none: messages alone; alone: computing alone; after: one after the other; during: at the "
    "same time";
constexpr std::string_view shares =
    "# MPI: 1 - alone / after; won: 1 - during / after; x fastest: of the better of after and "
    "during";
constexpr std::string_view of_simulator = "# no intervals: a simulator repeats its times";
constexpr std::string_view of_launches = "# intervals: over launches";
constexpr std::string_view of_blocks =
    "# intervals: inside this launch; launches differ by more: hockney run halo, hockney compare "
    "--by way";

}  // namespace words

/// Name that distinguishes a point of one operation, such as "points=64x64".
std::string name_of(const KernelPoint& point) {
  const std::string name = point.setting.empty() ? "" : "setting " + point.setting + "  ";
  return escaped(name + curve_name(point.point));
}

std::string in_brackets(const std::optional<Interval>& interval, double scale, int digits) {
  return interval ? " (" + interval_text(interval, scale, digits) + ")" : "";
}

std::string percent_words(const Estimate& share) {
  return significant(share.value, per_cent, 3) + " %" + in_brackets(share.interval, per_cent, 3);
}

std::string_view unit_of(const KernelPoint& point) {
  return point.replicate == Replicate::block ? "blocks" : "launches";
}

std::string no_interval_words(const KernelPoint& point) {
  return fmt::format(words::kernel_without_interval, unit_of(point));
}

/// Whether the way is significantly slower than the fastest.
bool is_shown_slower(const KernelPoint& point, const KernelWay& way) {
  if (point.replicate == Replicate::simulation) return way.to_fastest.value > 1;
  return way.to_fastest.interval && way.to_fastest.interval->low > 1;
}

std::string fastest_words(const KernelPoint& point, const KernelWay& fastest) {
  if (!fastest.seconds.value) return "";
  std::vector<std::string> equals;
  for (const KernelWay& way : point.ways) {
    const bool is_equal = &way != &fastest && way.to_fastest.value && !is_shown_slower(point, way);
    if (is_equal) equals.push_back(escaped(way.way));
  }
  const std::string time =
      fmt::format("{}, computing {}: {}", escaped(fastest.way), fastest.best,
                  short_time(*fastest.seconds.value, fastest.seconds.interval));
  if (equals.empty()) return fmt::format(words::fastest, time);
  if (fastest.seconds.interval) return fmt::format(words::no_difference, join(equals), time);
  return fmt::format(words::shortest, time, no_interval_words(point));
}

/// Relative time of the first way; empty if it is not significantly slower.
std::string first_words(const KernelPoint& point) {
  const KernelWay& first = point.ways.front();
  if (&first == point.fastest_way() || !first.to_fastest.value) return "";
  if (!is_shown_slower(point, first)) return "";
  return fmt::format(words::first, escaped(first.way), significant(first.to_fastest.value, 1, 3),
                     in_brackets(first.to_fastest.interval, 1, 3));
}

/// The way with the largest gain by overlap.
const KernelWay* most_won(const KernelPoint& point) {
  const KernelWay* most = nullptr;
  for (const KernelWay& way : point.ways) {
    if (!way.won.value) continue;
    if (most == nullptr || way.won.value > most->won.value) most = &way;
  }
  return most;
}

std::vector<double> work_seconds(const KernelWay& way, const std::string& work) {
  std::vector<double> seconds;
  const auto found = way.works.find(work);
  if (found == way.works.end()) return seconds;
  for (const auto& [number, time] : found->second) seconds.push_back(time);
  return seconds;
}

/// Summary of points without computing beside messages: times of messages alone, for the fastest
/// way; else of computing alone.
std::string alone_words(const KernelPoint& point) {
  for (const auto& [work, what] : {std::pair{"none", "messages"}, {"alone", "computing"}}) {
    std::vector<double> least;
    std::string way;
    for (const KernelWay& each : point.ways) {
      std::vector<double> seconds = work_seconds(each, work);
      if (seconds.empty() || (!least.empty() && median(seconds) >= median(least))) continue;
      least = std::move(seconds);
      way = each.way;
    }
    if (least.empty()) continue;
    return fmt::format("{} alone: {}, {}", what, escaped(way),
                       short_time(*median(least), quantile_interval(least)));
  }
  return "";
}

std::string share_words(const KernelPoint& point) {
  const KernelWay& first = point.ways.front();
  if (!first.in_mpi.value) return "";
  return fmt::format(words::in_mpi, percent_words(first.in_mpi), escaped(first.way));
}

std::string overlap_words(const KernelPoint& point) {
  const KernelWay* const most = most_won(point);
  if (most == nullptr) return "";
  const Estimate& won = most->won;
  const bool is_simulated = point.replicate == Replicate::simulation;
  const bool is_known = won.interval && !is_simulated;
  if (is_known ? won.interval->high <= 0 : won.value <= 0) return std::string(words::wins_nothing);
  if (is_known && won.interval->low <= 0) {
    return fmt::format(words::no_gain, significant(per_cent * won.interval->high, 2),
                       escaped(most->way));
  }
  return fmt::format(words::wins, percent_words(won), escaped(most->way),
                     is_known || is_simulated ? "" : no_interval_words(point));
}

std::string bound_words(const KernelPoint& point, const KernelWay& fastest) {
  if (!fastest.balance.value) return "";
  const std::string ratio = fmt::format(words::ratio, significant(fastest.balance.value, 1, 3));
  const bool is_simulated = point.replicate == Replicate::simulation;
  if (!fastest.balance.interval && !is_simulated) return ratio + no_interval_words(point);
  const std::string bound = bound_of(point);
  return fmt::format("bound by {}: {}{}", bound.empty() ? "neither" : bound, ratio,
                     in_brackets(fastest.balance.interval, 1, 3));
}

/// Appends the non-empty sentences, both on one line if they fit.
void add_sentences(std::vector<std::string>& lines, const std::string& first,
                   const std::string& second) {
  constexpr std::size_t widest = 92;
  const bool fit = first.size() + second.size() <= widest && !first.empty() && !second.empty();
  if (fit) return lines.push_back("    " + first + "; " + second);
  for (const std::string& sentence : {first, second}) {
    if (!sentence.empty()) lines.push_back("    " + sentence);
  }
}

void add_answer(std::vector<std::string>& lines, const KernelPoint& point) {
  lines.push_back(name_of(point));
  const KernelWay* const fastest = point.fastest_way();
  if (fastest == nullptr) return add_sentences(lines, alone_words(point), "");
  add_sentences(lines, fastest_words(point, *fastest), first_words(point));
  add_sentences(lines, share_words(point), overlap_words(point));
  add_sentences(lines, bound_words(point, *fastest), "");
}

std::optional<double> work_median(const KernelWay& way, const std::string& work) {
  return median(work_seconds(way, work));
}

Column<KernelWay> time_column(const std::string& work) {
  return {{work + "_seconds", work, Unit::micros},
          [work](const KernelWay& way) { return work_median(way, work); }};
}

Columns<KernelWay> way_columns() {
  using Way = KernelWay;
  return {
      {{"way", "way"}, &Way::way},
      time_column("none"),
      time_column("alone"),
      time_column("after"),
      time_column("during"),
      {{"to_fastest", "x fastest", Unit::number},
       [](const Way& way) { return way.to_fastest.value; }},
      interval_column<Way>("to_fastest_ci", Unit::number,
                           [](const Way& way) { return way.to_fastest.interval; }),
      {{"in_mpi", "MPI", Unit::share}, [](const Way& way) { return way.in_mpi.value; }},
      {{"won", "won", Unit::share}, [](const Way& way) { return way.won.value; }},
      interval_column<Way>("won_ci", Unit::share, [](const Way& way) { return way.won.interval; }),
      {{"reason", ""},
       [](const Way& way) { return way.reason.empty() ? Value() : Value(way.reason); }}};
}

/// Appends the two points between which the bound changes; nothing if it never changes.
void add_turn(std::vector<std::string>& lines, std::span<const KernelPoint> points) {
  const KernelPoint* before = nullptr;
  for (const KernelPoint& point : points) {
    const std::string bound = bound_of(point);
    if (bound.empty()) continue;
    if (before != nullptr && bound_of(*before) != bound) {
      lines.push_back(fmt::format(words::turn, bound_of(*before), bound));
      lines.push_back("    " + name_of(*before));
      lines.push_back("    " + name_of(point));
      return;
    }
    before = &point;
  }
}

std::string_view interval_note(Replicate replicate) {
  switch (replicate) {
    case Replicate::simulation:
      return words::of_simulator;
    case Replicate::launch:
      return words::of_launches;
    case Replicate::block:
      break;
  }
  return words::of_blocks;
}

}  // namespace

bool is_of_kernel(const Point& point) {
  return point.parameters.contains(way_parameter) && point.parameters.contains(work_parameter);
}

std::vector<KernelPoint> kernel_points(std::span<const Row> rows, std::span<const Record> records,
                                       double level) {
  std::map<std::string, std::size_t> launches;  // of each setting
  for (const Row& row : rows) {
    launches[row.setting] = std::max(launches[row.setting], row.records.size());
  }
  std::vector<KernelPoint> all;
  for (const Row& row : rows) {
    if (!is_of_kernel(row.point)) continue;
    const Replicate kind = replicate_of(row, records, launches[row.setting]);
    KernelWay& way = way_of(point_of(all, row, kind), parameter(row.point, way_parameter));
    way.works[parameter(row.point, work_parameter)] = replicates_of(row, records, kind);
    if (way.reason.empty()) way.reason = row.reason;
  }
  for (KernelPoint& point : all) judge(point, level);
  return all;
}

std::string bound_of(const KernelPoint& point) {
  const KernelWay* const fastest = point.fastest_way();
  if (fastest == nullptr || !fastest->balance.value) return "";
  Interval range{.low = *fastest->balance.value, .high = *fastest->balance.value};
  if (point.replicate != Replicate::simulation) {
    if (!fastest->balance.interval) return "";
    range = *fastest->balance.interval;
  }
  if (range.low > 1) return "communication";
  return range.high < 1 ? "computing" : "";
}

std::vector<std::string> kernel_answer(std::span<const KernelPoint> points) {
  std::vector<std::string> lines;
  for (const KernelPoint& point : points) add_answer(lines, point);
  add_turn(lines, points);
  return lines;
}

nlohmann::json kernels_list(std::span<const KernelPoint> points) {
  nlohmann::json list = nlohmann::json::array();
  const Columns<Point> place = chosen(point_columns(Form::json),
                                      {"operation", "bytes", "ranks", "hop", "pair", "parameters"});
  for (const KernelPoint& point : points) {
    for (const KernelWay& way : point.ways) {
      nlohmann::json object = json_of(place, point.point);
      object.update(json_of(way_columns(), way));
      object["setting"] = point.setting;
      object["bound"] = bound_of(point);
      list.push_back(std::move(object));
    }
  }
  return list;
}

void print_kernel_tables(std::ostream& out, std::span<const KernelPoint> points) {
  if (points.empty()) return;
  for (const std::string& line : kernel_answer(points)) out << line << '\n';
  out << '\n';
  for (const KernelPoint& point : points) {
    print_view(out, name_of(point), make_view(way_columns(), point.ways));
  }
  out << words::works << '\n'
      << words::shares << '\n'
      << interval_note(points.front().replicate) << '\n';
}

}  // namespace hockney::report
