#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "models/fit.hpp"
#include "report/rows.hpp"
#include "report/screen.hpp"

namespace hockney::report {

class Evaluation;

/// A point with a time.
struct CurvePoint {
  Bytes bytes{};
  double seconds = 0;
  std::optional<Interval> interval;
  BytesPerSecond rate{};  ///< 0 without bytes
  std::size_t launches = 0;
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

/// Every curve with a time; up to 16 of them with the fits of `records`. `rows` must be made from
/// these records, with each curve's rows adjacent and by size. They must outlive the result.
std::vector<CurveSummary> curve_summaries(std::span<const Row> rows, Evaluation& records);

/// Curves of one operation, few enough to distinguish in a diagram.
struct CurvePanel {
  std::string operation;
  std::string part;  ///< escaped: its part of the curves, "memory=cuda"; empty: all
  std::vector<CurveSummary> curves;
  std::size_t bundled = 0;  ///< number of bundled curves; 0 without bundles

  [[nodiscard]] std::string name() const;  ///< escaped: "bandwidth, memory=cuda"
  [[nodiscard]] std::vector<std::string> labels() const;
};

/// A panel for each operation, in order of appearance. With more than `most` curves, those that
/// differ only in their pair are bundled. A bundle has the median of their medians at each size;
/// its interval reaches from the fastest to the slowest. If more than `most` are left, panels split
/// them by their differences (memory, window, setting ...).
std::vector<CurvePanel> curve_panels(std::span<const CurveSummary> curves, std::size_t most);

/// Name of a breakpoint of a curve's model. "eager limit" if limits were searched; else from the
/// library's settings, "near btl_vader_eager_limit 4096 (stated)". Empty if unknown.
std::string limit_text(const models::FittedBreakpoint& breakpoint, const CurveSummary& curve,
                       const Settings& settings);

/// Settings of the first complete launch; empty without one.
Settings settings_of(std::span<const Record> records);

/// A line for each curve of one setting; many curves are bundled if they differ only in their pair.
/// The line has the headline time with its interval (for ping-pongs the latency), the highest
/// bandwidth with its size, the asymptotic one, and the error of the model. If Unicode blocks are
/// allowed and fit, they draw time by size. Then the library's limits between segments of up to
/// three curves.
Lines curves_answer(Evaluation& records, const ScreenStyle& style);

/// The same figures as values: time [us], highest and asymptotic bandwidth [GB/s].
std::vector<SummaryRow> curve_rows(Evaluation& records);

/// The point of each curve that takes more than twice the time of its model.
std::vector<Finding> curve_findings(Evaluation& records);

/// One line: headline time and highest bandwidth of up to three curves.
std::string curves_verdict(Evaluation& records);

}  // namespace hockney::report
