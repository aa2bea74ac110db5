#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/quantities.hpp"
#include "report/page/page.hpp"

namespace hockney::report {

// Data and scales of plots. The looks are in charts/*.json (report/page/chart.hpp), with the
// colours of page.css, so that light, dark and print need no other plot.

inline constexpr std::size_t most_series = 8;    ///< that differ in colour, shape and dash
inline constexpr std::size_t most_marks = 1000;  ///< of a plot; more are combined first
inline constexpr std::size_t heat_steps = 5;     ///< of colour, distinct also in grey

/// Draws charts/NAME.json over `values`: sets the plot of a picture, and puts the caption of the
/// chart before its own. A chart can use these facts of the table's column "ratio":
/// - "$columns.ratio.title": the title of the column
/// - "columns.ratio.any": whether any row has a value, for "$if"
/// - "$columns.ratio.names", ".color", ".shape", ".dash": its texts and their series_of()
/// - "$columns.ratio.counts": its whole numbers, ascending
void draw(Picture& picture, std::string_view name, nlohmann::json values,
          nlohmann::json bindings = nlohmann::json::object());

/// The different texts of a key, in order of appearance.
std::vector<std::string> names_in(const nlohmann::json& values, const std::string& key);

/// Whether a key has a value in any row: "low", the end of an interval.
bool has_any(const nlohmann::json& values, const std::string& key);

/// Position on the axis of message sizes [B]. The axis is logarithmic; size 0 stands at its left.
double drawn_bytes(Bytes bytes);

/// Channels "color", "shape" and "dash" that distinguish up to most_series names of a key.
nlohmann::json series_of(const std::string& key, const std::vector<std::string>& names);

/// Colours of up to heat_steps parts of a whole, from light to dark.
nlohmann::json part_color(const std::vector<std::string>& names);

/// Values in up to heat_steps ranges of even ratio.
class HeatScale {
 public:
  /// Values must be above 0. `text_of` writes one for people.
  HeatScale(const std::vector<double>& values, std::string (*text_of)(double));

  /// Sets "range", the text of a value's range, and "ink", the colour of text on it.
  void mark(nlohmann::json& row, double value) const;
  /// From the texts of ranges to colours.
  [[nodiscard]] nlohmann::json scale() const;

 private:
  [[nodiscard]] std::size_t place_of(double value) const;

  double low_ = 1;
  double step_ = 1;  ///< ratio of a range's ends
  std::vector<std::string> ranges_;
};

}  // namespace hockney::report
