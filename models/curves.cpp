#include "models/curves.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/launch_medians.hpp"

namespace hockney::models {
namespace {

/// A curve under way.
struct Gathered {
  Curve curve;
  std::set<std::vector<int>> pairs;
  std::map<Bytes, PointLaunches> sizes;
};

/// What the series of one curve share.
Curve identity(const TimedSeries& timed, GroupBy group) {
  Curve curve{.point = timed.series->point,
              .setting = timed.setting(),
              .mpi_library = timed.record->provenance.mpi.library};
  curve.point.bytes = {};
  if (group == GroupBy::hop && curve.point.hop) curve.point.pair.clear();
  return curve;
}

/// Equal for the series of one curve and for them alone.
std::string key_of(const Curve& curve) {
  return curve_name(curve.point) + '\n' + curve.setting + '\n' + curve.mpi_library;
}

/// Curves in order of first appearance, found by key because a hop matrix has thousands of them.
class Gathering {
 public:
  Gathered& at(Curve wanted) {
    const auto [place, added] = index_.try_emplace(key_of(wanted), all_.size());
    if (added) all_.push_back({.curve = std::move(wanted)});
    return all_[place->second];
  }

  [[nodiscard]] std::vector<Gathered>& all() { return all_; }

 private:
  std::map<std::string, std::size_t> index_;
  std::vector<Gathered> all_;
};

Curve assemble(Gathered gathered) {
  Curve curve = std::move(gathered.curve);
  curve.pairs = gathered.pairs.size();
  if (curve.pairs == 1) curve.point.pair = *gathered.pairs.begin();
  std::map<std::size_t, std::vector<std::optional<double>>> rows;  // by launch
  for (const auto& [size, launches] : gathered.sizes) {
    for (const LaunchMedian& median : launches.medians()) {
      std::vector<std::optional<double>>& row = rows[median.launch];
      row.resize(gathered.sizes.size());
      row[curve.sizes.size()] = median.seconds;
    }
    curve.sizes.push_back(size);
  }
  for (auto& [launch, row] : rows) curve.medians_seconds.push_back(std::move(row));
  return curve;
}

}  // namespace

std::size_t Curve::missing_cells() const {
  std::size_t missing = 0;
  for (const auto& row : medians_seconds) {
    missing += static_cast<std::size_t>(std::ranges::count(row, std::optional<double>()));
  }
  return missing;
}

Curves collect_curves(std::span<const Record> records, GroupBy group) {
  const TimedRecords timed = timed_series(records);
  Curves result{.curves = {},
                .records_used = timed.records_used,
                .records_left_out = timed.records_left_out,
                .series_without_time = timed.series_without_time};
  Gathering gathering;
  for (const TimedSeries& one : timed.series) {
    const Point& point = one.series->point;
    Gathered& gathered = gathering.at(identity(one, group));
    keep_common_path(gathered.curve.point, point);
    gathered.pairs.insert(point.pair);
    gathered.sizes[point.bytes].add(one.launch, one.seconds);
  }
  for (Gathered& gathered : gathering.all()) result.curves.push_back(assemble(std::move(gathered)));
  return result;
}

}  // namespace hockney::models
