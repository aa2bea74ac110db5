#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "report/rows.hpp"
#include "report/screens/curves.hpp"

namespace hockney::report {

/// Curves of one operation that a plot can tell apart.
struct CurvePanel {
  std::string operation;
  std::vector<CurveSummary> curves;  ///< most_series at most
  std::size_t bundled = 0;           ///< curves that were put together, of more than that; else 0

  [[nodiscard]] std::vector<std::string> labels() const;
};

/// A panel for each operation, in order of appearance. Of more curves than a plot can tell apart
/// those of a hop class become one: at each size the median of their medians, and for its interval
/// the fastest and the slowest of them.
std::vector<CurvePanel> curve_panels(std::span<const CurveSummary> curves);

/// What is drawn against size.
enum class CurveQuantity { seconds, rate };

/// The vertical channel of a quantity.
nlohmann::json channel_of(CurveQuantity quantity, const std::string& key);

// Layers of a plot; none where there is nothing to draw.

/// Models where they hold: each segment from its first to its last measured size.
nlohmann::json model_layers(const CurvePanel& panel, CurveQuantity quantity);

/// The limits of the library among the sizes, with their names.
nlohmann::json limit_layers(const CurvePanel& panel, std::span<const Record> records);

/// What the machine does without MPI, as far as it is among the rows.
nlohmann::json floor_layers(std::span<const Row> rows);

}  // namespace hockney::report
