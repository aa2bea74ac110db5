#include "models/collectives/gamma_table.hpp"

#include "core/statistics.hpp"

namespace hockney::collectives {

std::optional<double> GammaTable::at(int ranks, std::int64_t bytes) const {
  if (ranks == 2) return 1;
  const auto row = ratios_.find(ranks);
  if (row == ratios_.end()) return std::nullopt;
  const auto above = row->second.lower_bound(bytes);
  if (above == row->second.end()) return row->second.rbegin()->second;
  if (above == row->second.begin() || above->first == bytes) return above->second;
  const auto below = std::prev(above);
  const double share =
      static_cast<double>(bytes - below->first) / static_cast<double>(above->first - below->first);
  return below->second + share * (above->second - below->second);
}

GammaTable measure_gammas(std::span<const Curve> curves, const std::string& mpi_library) {
  GammaTable table;
  for (const Curve& curve : curves) {
    const bool is_linear = curve.operation == "bcast" && curve.algorithm == "basic_linear" &&
                           curve.mpi_library == mpi_library;
    if (!is_linear) continue;
    std::map<Bytes, double> one;
    for (std::size_t i = 0; i < curve.works.size(); ++i) {
      const auto time = median(curve.medians_seconds[i]);
      if (time && curve.works[i].ranks == 2) one[curve.works[i].bytes] = *time;
    }
    for (std::size_t i = 0; i < curve.works.size(); ++i) {
      const auto unit = one.find(curve.works[i].bytes);
      const auto time = median(curve.medians_seconds[i]);
      if (!time || unit == one.end() || curve.works[i].ranks < 3) continue;
      table.set(curve.works[i].ranks, curve.works[i].bytes.value, *time / unit->second);
    }
  }
  return table;
}

}  // namespace hockney::collectives
