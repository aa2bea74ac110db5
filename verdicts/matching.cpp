#include "verdicts/matching.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/samples.hpp"
#include "core/statistics.hpp"

namespace hockney {
namespace {

using Pair = std::vector<int>;

/// Per launch, by its place among the records of its side, the medians of the series that fall into
/// one cell [s].
using ByLaunch = std::map<std::size_t, std::vector<double>>;

/// What one side has of one place under way.
struct SideCell {
  std::span<const Record> records;
  std::map<Pair, ByLaunch> pairs;
  std::set<std::optional<std::string>> paths;
  Absence absence = Absence::not_planned;
  std::string detail;
};

struct Cell {
  Point point;  ///< without its pair
  SideCell a;
  SideCell b;
};

/// The cells of both sides, by curve in order of appearance and by bytes.
class CellGathering {
 public:
  void add(std::span<const Record> records, SideCell Cell::*side) {
    for (std::size_t i = 0; i < records.size(); ++i) {
      const Record& record = records[i];
      if (record.status != LaunchStatus::complete) continue;
      for (const PlannedPoint& planned : record.points) plan(cell_of(planned.point).*side, planned);
      for (const Series& series : record.series) {
        SideCell& cell = cell_of(series.point).*side;
        cell.records = records;
        add(i, series, cell);
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

  static void add(std::size_t record, const Series& series, SideCell& cell) {
    cell.absence = Absence::no_time;
    const std::optional<double> time = counted(series).median_seconds;
    if (!time || *time <= 0) return;
    cell.pairs[series.point.pair][record].push_back(*time);
    cell.paths.insert(series.point.path);
  }

  /// Without a hop class nothing says that two pairs are alike, so they stay apart.
  Cell& cell_of(Point point) {
    if (point.hop) point.pair.clear();
    point.algorithm.reset();
    const std::size_t curve = curves_.try_emplace(curve_name(point), curves_.size()).first->second;
    const auto [place, is_new] = cells_.try_emplace({curve, point.bytes});
    if (is_new) place->second.point = std::move(point);
    return place->second;
  }

  std::map<std::string, std::size_t> curves_;
  std::map<std::pair<std::size_t, Bytes>, Cell> cells_;
};

bool same_pairs(const SideCell& a, const SideCell& b) {
  return std::ranges::equal(a.pairs, b.pairs, {}, &std::pair<const Pair, ByLaunch>::first,
                            &std::pair<const Pair, ByLaunch>::first);
}

/// The times of one pair, or of all pairs when there is none given.
SideTimes times_of(const SideCell& cell, const Pair* only) {
  SideTimes times{.absence = cell.absence, .detail = cell.detail};
  if (cell.paths.size() == 1) times.path = *cell.paths.begin();
  ByLaunch pooled;
  for (const auto& [pair, by_launch] : cell.pairs) {
    if (only != nullptr && pair != *only) continue;
    ++times.pairs;
    for (const auto& [record, medians] : by_launch) {
      if (const auto middle = median(medians)) pooled[record].push_back(*middle);
    }
  }
  for (const auto& [record, medians] : pooled) {
    const auto middle = median(medians);
    if (middle) times.launches.push_back({cell.records[record].campaign, record, *middle});
  }
  return times;
}

/// The pair that all times come from, if it is one.
Pair common_pair(const Cell& cell) {
  std::vector<Pair> pairs;
  for (const SideCell* side : {&cell.a, &cell.b}) {
    for (const auto& [pair, by_launch] : side->pairs) pairs.push_back(pair);
  }
  const bool one = !pairs.empty() && std::ranges::count(pairs, pairs.front()) == std::ssize(pairs);
  return one ? pairs.front() : Pair();
}

/// That of both sides, or of the one that has times.
void name_path(MatchedPoint& point) {
  point.point.path = point.a.launches.empty() ? point.b.path : point.a.path;
  if (!point.b.launches.empty() && point.b.path != point.point.path) point.point.path.reset();
}

}  // namespace

std::vector<MatchedPoint> match_points(std::span<const Record> a, std::span<const Record> b) {
  CellGathering gathering;
  gathering.add(a, &Cell::a);
  gathering.add(b, &Cell::b);
  std::vector<MatchedPoint> matched;
  for (const auto& [key, cell] : gathering.cells()) {
    MatchedPoint point{.point = cell.point};
    if (!cell.a.pairs.empty() && same_pairs(cell.a, cell.b)) {
      for (const auto& [pair, by_launch] : cell.a.pairs) {
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

}  // namespace hockney
