#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/fit.hpp"
#include "report/rows.hpp"
#include "report/screen.hpp"

namespace hockney::report {

class Results;

/// A point with a time.
struct CurvePoint {
  Bytes bytes{};
  double seconds = 0;
  std::optional<Interval> interval;
  BytesPerSecond rate{};  ///< 0 without bytes
};

/// One curve with its points, name and fit.
struct CurveSummary {
  const Row* row = nullptr;        ///< never null: any of its rows, for its names
  std::vector<CurvePoint> points;  ///< by size; at least one
  std::string label;               ///< escaped: distinguishes it from the others
  std::optional<models::Fit> fit;

  [[nodiscard]] const CurvePoint& peak() const;
  /// For a ping-pong the point of the smallest size; else of the smallest size above 0.
  [[nodiscard]] const CurvePoint& headline() const;
};

/// Every curve with a time of the shown rows, which must outlive it; up to 16 of them with fits.
std::vector<CurveSummary> curve_summaries(Results& results);

/// Adds the curves of one setting to a screen. A line for each curve; many curves are bundled if
/// they differ only in their pair. The line has the headline time with its interval (for ping-pongs
/// the latency), the highest bandwidth with its size, the asymptotic one, and the error of the
/// model. If Unicode blocks are allowed and fit, they draw time by size. Then the library's limits
/// between segments of up to three curves. Values are times [us] and bandwidths [GB/s]; findings
/// are points that take more than twice the time of their model.
void add_curves(Screen& screen, Results& results, const ScreenStyle& style);

}  // namespace hockney::report
