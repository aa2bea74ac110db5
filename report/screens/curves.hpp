#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "models/fit.hpp"
#include "report/rows.hpp"
#include "report/screens/screen.hpp"

namespace hockney::report {

class Evaluation;

/// A point that has a time.
struct CurvePoint {
  Bytes bytes{};
  double seconds = 0;
  std::optional<Interval> interval;
  BytesPerSecond rate{};  ///< 0 without bytes
  std::size_t launches = 0;
};

/// One curve and what is known of it.
struct CurveSummary {
  const Row* row = nullptr;        ///< never null: any of its rows, for its names
  std::vector<CurvePoint> points;  ///< by size; at least one
  std::string label;               ///< inert: what tells it from the others
  std::optional<models::Fit> fit;

  [[nodiscard]] const CurvePoint& peak() const;
  /// Of a ping-pong that of its smallest size; else of the smallest that moves any data.
  [[nodiscard]] const CurvePoint& headline() const;
};

/// Every curve that has a time anywhere; up to 16 of them with the fits of `records`. The rows,
/// which are made of these and have each curve's together and by size, must outlive the result.
std::vector<CurveSummary> curve_summaries(std::span<const Row> rows, Evaluation& records);

/// Curves of one operation that somebody can tell apart.
struct CurvePanel {
  std::string operation;
  std::string part;  ///< inert: which of its curves, "memory=cuda"; empty: all
  std::vector<CurveSummary> curves;
  std::size_t bundled = 0;  ///< curves that were put together, of too many; else 0

  [[nodiscard]] std::string name() const;  ///< inert: "bandwidth, memory=cuda"
  [[nodiscard]] std::vector<std::string> labels() const;
};

/// A panel for each operation, in order of appearance. Of more than `most` curves those that differ
/// in their pair alone become one: at each size the median of their medians, and for its interval
/// the fastest and the slowest of them. Where more than `most` are left, panels part them by what
/// they differ in (memory, window, setting ...).
std::vector<CurvePanel> curve_panels(std::span<const CurveSummary> curves, std::size_t most);

/// What a breakpoint of a curve's model stands for: "eager limit" where limits were searched; "near
/// btl_vader_eager_limit 4096 (stated)" by the settings of the library where nobody searched; empty
/// where nothing is known.
std::string limit_text(const models::FittedBreakpoint& breakpoint, const CurveSummary& curve,
                       const Settings& settings);

/// Of the first complete launch; none without one.
Settings settings_of(std::span<const Record> records);

/// A line for each curve of one setting, or of too many for those that differ in their pair alone:
/// its time at the smallest size that moves data with the interval, which of a ping-pong is the
/// latency; its highest bandwidth, and where; its model; and, where blocks of Unicode may be drawn
/// and there is room for them, how the time grows with the size. Then the models of up to three
/// curves in segments, with the limits of the library that part them.
Lines curves_answer(Evaluation& records, const ScreenStyle& style);

/// Of up to three curves the time at the smallest size and the highest bandwidth, in one line.
std::string curves_verdict(Evaluation& records);

}  // namespace hockney::report
