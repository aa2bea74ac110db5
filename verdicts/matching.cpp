#include "verdicts/matching.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <ranges>
#include <set>
#include <utility>

#include "core/faults.hpp"
#include "core/samples.hpp"
#include "core/suite_names.hpp"

namespace hockney::verdicts {
namespace {

using Pair = std::vector<int>;

/// Launch medians of one side in one cell, while they are collected.
struct SideCell {
  std::span<const Record> records;
  std::map<Pair, PointLaunches> pairs;
  std::set<std::optional<std::string>> paths;
  Absence absence = Absence::not_planned;
  std::string detail;
};

struct Cell {
  Point point;  ///< without its pair
  SideCell a;
  SideCell b;
};

/// Mean of all samples, > 0; nullopt for a faulty series.
std::optional<double> launch_mean(const Record& record, const Series& series) {
  const std::optional<double> mean = mean_of_all(series);
  return mean && *mean > 0 && !fault_of(record, series) ? mean : std::nullopt;
}

/// The cells of both sides, by curve in order of appearance and by bytes.
class CellGathering {
 public:
  explicit CellGathering(bool of_means) : of_means_(of_means) {}

  void add(std::span<const Record> records, SideCell Cell::*side) {
    for (std::size_t i = 0; i < records.size(); ++i) {
      const Record& record = records[i];
      if (record.status != LaunchStatus::complete) continue;
      for (const PlannedPoint& planned : record.points) plan(cell_of(planned.point).*side, planned);
      for (const Series& series : record.series) {
        SideCell& cell = cell_of(series.point).*side;
        cell.records = records;
        add(i, record, series, cell);
      }
    }
  }

  [[nodiscard]] const std::map<std::pair<std::size_t, Bytes>, Cell>& cells() const {
    return cells_;
  }

 private:
  static void plan(SideCell& cell, const PlannedPoint& planned) {
    if (cell.absence == Absence::not_planned) cell.absence = Absence::not_measured;
    if (cell.detail.empty()) cell.detail = planned.reason;
  }

  void add(std::size_t launch, const Record& record, const Series& series, SideCell& cell) const {
    cell.absence = Absence::no_time;
    const std::optional<double> time =
        of_means_ ? launch_mean(record, series) : launch_median(record, series);
    if (!time) {
      if (cell.detail.empty()) cell.detail = why_no_median(record, series);
      return;
    }
    cell.pairs[series.point.pair].add(launch, *time);
    cell.paths.insert(series.point.path);
  }

  /// Pairs without a hop class stay separate, because nothing shows that they are alike.
  Cell& cell_of(Point point) {
    if (point.hop) point.pair.clear();
    point.algorithm.reset();
    Point effective = point;  // a requested window is the same as an automatic one of that size
    effective.automatic.clear();
    const std::size_t curve =
        curves_.try_emplace(curve_name(effective), curves_.size()).first->second;
    const auto [place, is_new] = cells_.try_emplace({curve, point.bytes});
    if (is_new) place->second.point = std::move(point);
    return place->second;
  }

  bool of_means_;
  std::map<std::string, std::size_t> curves_;
  std::map<std::pair<std::size_t, Bytes>, Cell> cells_;
};

bool same_pairs(const SideCell& a, const SideCell& b) {
  return std::ranges::equal(std::views::keys(a.pairs), std::views::keys(b.pairs));
}

/// The times of one pair, or of all pairs if `only` is null.
SideTimes times_of(const SideCell& cell, const Pair* only) {
  SideTimes times{.absence = cell.absence, .detail = cell.detail};
  if (cell.paths.size() == 1) times.path = *cell.paths.begin();
  PointLaunches pooled;
  for (const auto& [pair, launches] : cell.pairs) {
    if (only != nullptr && pair != *only) continue;
    ++times.pairs;
    for (const LaunchMedian& one : launches.medians()) pooled.add(one.launch, one.seconds);
  }
  for (const LaunchMedian& one : pooled.medians()) {
    times.launches.push_back({cell.records[one.launch].campaign, one.launch, one.seconds});
  }
  return times;
}

/// The pair of all times, if they are from one pair; else empty.
Pair common_pair(const Cell& cell) {
  std::vector<Pair> pairs;
  for (const SideCell* side : {&cell.a, &cell.b}) {
    std::ranges::copy(std::views::keys(side->pairs), std::back_inserter(pairs));
  }
  const bool one = !pairs.empty() && std::ranges::count(pairs, pairs.front()) == std::ssize(pairs);
  return one ? pairs.front() : Pair();
}

/// Takes the path that both sides agree on, or that of the only side with times.
void name_path(MatchedPoint& point) {
  point.point.path = point.a.launches.empty() ? point.b.path : point.a.path;
  if (!point.b.launches.empty() && point.b.path != point.point.path) point.point.path.reset();
}

/// Everything that distinguishes points of one operation except their pairs, by name.
std::map<std::string, std::string> facts_of(const Point& point) {
  std::map<std::string, std::string> facts = point.parameters;
  std::erase_if(facts, [](const auto& fact) { return is_unsaid(fact.first, fact.second); });
  facts["bytes"] = std::to_string(point.bytes.value);
  facts["ranks"] = std::to_string(point.ranks);
  if (point.hop) facts["hop"] = *point.hop;
  return facts;
}

std::vector<Differing> differences(const Point& a, const Point& b) {
  std::map<std::string, Differing> found;
  for (const auto& [name, value] : facts_of(a)) found[name] = {name, value, ""};
  for (const auto& [name, value] : facts_of(b)) {
    Differing& one = found[name];
    one.name = name;
    one.b = value;
  }
  std::vector<Differing> in;
  for (const auto& [name, one] : found) {
    if (one.a != one.b) in.push_back(one);
  }
  return in;
}

}  // namespace

std::vector<PointDifference> point_differences(std::span<const Point> a, std::span<const Point> b) {
  std::map<std::vector<Differing>, std::size_t> counts;
  for (const Point& one : a) {
    std::optional<std::vector<Differing>> least;
    for (const Point& other : b) {
      if (other.operation != one.operation) continue;
      std::vector<Differing> in = differences(one, other);
      if (!least || in.size() < least->size()) least = std::move(in);
    }
    if (least) ++counts[*std::move(least)];
  }
  std::vector<PointDifference> found;
  for (const auto& [in, points] : counts) found.push_back({in, points});
  std::ranges::stable_sort(found, [](const PointDifference& one, const PointDifference& other) {
    return std::pair(one.in.size(), other.points) < std::pair(other.in.size(), one.points);
  });
  return found;
}

bool compares_means(std::span<const Record> a, std::span<const Record> b) {
  return std::ranges::any_of(a, is_imported) || std::ranges::any_of(b, is_imported);
}

std::vector<MatchedPoint> match_points(std::span<const Record> a, std::span<const Record> b) {
  CellGathering gathering(compares_means(a, b));
  gathering.add(a, &Cell::a);
  gathering.add(b, &Cell::b);
  std::vector<MatchedPoint> matched;
  for (const auto& [key, cell] : gathering.cells()) {
    MatchedPoint point{.point = cell.point};
    if (!cell.a.pairs.empty() && same_pairs(cell.a, cell.b)) {
      for (const auto& [pair, launches] : cell.a.pairs) {
        point.point.pair = pair;
        point.a = times_of(cell.a, &pair);
        point.b = times_of(cell.b, &pair);
        name_path(point);
        matched.push_back(point);
      }
      continue;
    }
    if (point.point.pair.empty()) point.point.pair = common_pair(cell);
    point.a = times_of(cell.a, nullptr);
    point.b = times_of(cell.b, nullptr);
    name_path(point);
    matched.push_back(point);
  }
  return matched;
}

}  // namespace hockney::verdicts
