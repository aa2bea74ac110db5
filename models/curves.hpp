#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/point.hpp"
#include "core/record.hpp"

namespace hockney::models {

/// Whether every pair of ranks is a curve of its own, or the pairs of one hop class are one curve.
enum class GroupBy { hop, pair };

/// One point at many sizes, seen by several launches: what a model is fitted to.
struct Curve {
  Point point;               ///< its bytes mean nothing; pair is empty when several were pooled
  std::string setting;       ///< the campaign's setting; empty outside campaigns
  std::string mpi_library;   ///< launches of different libraries never share a curve
  std::size_t pairs = 0;     ///< distinct pairs that were pooled
  std::vector<Bytes> sizes;  ///< ascending, distinct [B]
  /// launches x sizes: median time of one operation [s], > 0; nullopt where a launch has none.
  std::vector<std::vector<std::optional<double>>> medians_seconds;

  /// How many cells of the matrix are empty.
  [[nodiscard]] std::size_t missing_cells() const;
};

/// The curves of some records, and what of the records could not be used.
struct Curves {
  std::vector<Curve> curves;
  std::size_t records_used = 0;
  std::size_t records_left_out = 0;     ///< interrupted or failed launches
  std::size_t series_without_time = 0;  ///< without a launch median (core/launch_medians.hpp)
};

/// Groups the series of complete records by setting, library, operation and point without bytes, in
/// order of first appearance; each record is a launch and gives at most one row to a curve. A cell
/// is the launch median of the series that fall into it (repetitions, or pairs when grouped by
/// hop). By hop, series without a hop class still keep their pairs apart.
Curves collect_curves(std::span<const Record> records, GroupBy group = GroupBy::hop);

}  // namespace hockney::models
