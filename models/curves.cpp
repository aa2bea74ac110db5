#include "models/curves.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/samples.hpp"
#include "core/statistics.hpp"

namespace hockney {
namespace {

/// A curve under way: per launch and size, the medians of the series that fall into the cell.
struct Gathered {
  Curve curve;
  std::set<std::vector<int>> pairs;
  std::map<std::size_t, std::map<Bytes, std::vector<double>>> launches;
};

/// What the series of one curve share.
Curve identity(const Series& series, const Record& record, GroupBy group) {
  Curve curve{.point = series.point, .mpi_library = record.provenance.mpi.library};
  if (record.campaign) curve.setting = record.campaign->setting;
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
  std::set<Bytes> sizes;
  for (const auto& [launch, cells] : gathered.launches) {
    for (const auto& [size, medians] : cells) sizes.insert(size);
  }
  curve.sizes.assign(sizes.begin(), sizes.end());
  for (const auto& [launch, cells] : gathered.launches) {
    auto& row = curve.medians_seconds.emplace_back();
    for (const Bytes size : curve.sizes) {
      const auto cell = cells.find(size);
      row.push_back(cell == cells.end() ? std::nullopt : median(cell->second));
    }
  }
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
  Curves result;
  Gathering gathering;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) {
      ++result.records_left_out;
      continue;
    }
    const std::size_t launch = result.records_used++;
    for (const Series& series : record.series) {
      const std::optional<double> time = counted(series).median_seconds;
      if (!time || *time <= 0) {
        ++result.series_without_time;
        continue;
      }
      Gathered& gathered = gathering.at(identity(series, record, group));
      keep_common_path(gathered.curve.point, series.point);
      gathered.pairs.insert(series.point.pair);
      gathered.launches[launch][series.point.bytes].push_back(*time);
    }
  }
  for (Gathered& gathered : gathering.all()) result.curves.push_back(assemble(std::move(gathered)));
  return result;
}

}  // namespace hockney
