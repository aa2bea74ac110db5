#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/quantities.hpp"
#include "core/record.hpp"
#include "report/rows.hpp"
#include "report/screens/curves.hpp"

namespace hockney::report {

// Parts of Vega-Lite specifications: C++ says which data and marks, Vega-Lite draws axes. Colours
// are those of the style of the page, so that light, dark and print need no other plot. Texts from
// elsewhere are data or names in a domain, never expressions.

inline constexpr std::size_t most_series = 8;    ///< that differ in colour, form and dash
inline constexpr std::size_t most_marks = 1000;  ///< of a plot; more are put together first
inline constexpr std::size_t heat_steps = 5;     ///< that a colour tells apart, in greyscale too

/// What all plots have in common: the `config` of Vega-Lite.
nlohmann::json plot_theme();

/// A plot over some rows, as wide as the page. `title` is read to those who do not see it.
nlohmann::json plot_of(const std::string& title, nlohmann::json values, nlohmann::json layers,
                       int height = 340);

/// The different texts of a key, in order of appearance.
std::vector<std::string> names_in(const nlohmann::json& values, const std::string& key);

/// A layer over other data than the plot's.
nlohmann::json over(nlohmann::json values, nlohmann::json layer);

/// Horizontal: sizes, logarithmic, where a size of 0 has a place of its own at the left: the key
/// `drawn_bytes`.
nlohmann::json size_channel();
/// That place [B].
double drawn_bytes(Bytes bytes);
/// Vertical: times [s] and rates [B/s], logarithmic.
nlohmann::json time_channel(const std::string& key);
nlohmann::json rate_channel(const std::string& key);
/// The same of ratios of times, which may lie along either axis.
nlohmann::json ratio_channel(const std::string& key, const std::string& title,
                             const std::string& axis = "y");
/// Evenly from 0 on: times [s], parts of a whole and amounts of data [B], along either axis.
nlohmann::json even_time_channel(const std::string& key, const std::string& title);
nlohmann::json share_channel(const std::string& key, const std::string& title);
nlohmann::json amount_channel(const std::string& key, const std::string& title);
/// Horizontal: numbers of ranks, logarithmic; told are those of `values`.
nlohmann::json ranks_channel(const std::string& key, const nlohmann::json& values);
/// Names, in this order.
nlohmann::json name_channel(const std::string& key, const std::string& title,
                            const std::vector<std::string>& names);

/// What tells up to most_series names of a key apart.
nlohmann::json series_color(const std::string& key, const std::vector<std::string>& names);
nlohmann::json series_shape(const std::string& key, const std::vector<std::string>& names);
nlohmann::json series_dash(const std::string& key, const std::vector<std::string>& names);

/// Up to heat_steps parts of a whole, from light to dark.
nlohmann::json part_color(const std::string& key, const std::vector<std::string>& names);

/// Values in up to heat_steps ranges of even ratio.
class HeatScale {
 public:
  /// Of values above 0; `text_of` is how people read one.
  HeatScale(const std::vector<double>& values, std::string (*text_of)(double));

  /// The text of the range that a value lies in.
  [[nodiscard]] const std::string& range_of(double value) const;
  /// The colour of a text that stands on the colour of a value.
  [[nodiscard]] std::string ink_on(double value) const;
  /// Colour of a key that holds such texts.
  [[nodiscard]] nlohmann::json color(const std::string& key, const std::string& title) const;

 private:
  [[nodiscard]] std::size_t place_of(double value) const;

  double low_ = 1;
  double step_ = 1;  ///< ratio of a range's ends
  std::vector<std::string> ranges_;
};

/// Adds what every mark of a row says, to eyes and ears.
nlohmann::json telling(nlohmann::json encoding);

/// What is drawn against size.
enum class CurveQuantity { seconds, rate };

/// The vertical channel of a quantity.
nlohmann::json channel_of(CurveQuantity quantity, const std::string& key);

// Layers of a plot; none where there is nothing to draw.

/// Models where they hold: each segment from its first to its last measured size.
nlohmann::json model_layers(const CurvePanel& panel, CurveQuantity quantity);

/// Where models change: bands from the last size before to the first behind, with what they stand
/// for. A name stands beside a band that no limit of limit_layers() explains.
nlohmann::json breakpoint_layers(const CurvePanel& panel, std::span<const Record> records);

/// The limits of the library among the sizes, with their names.
nlohmann::json limit_layers(const CurvePanel& panel, std::span<const Record> records);

/// What the machine does without MPI, as far as it is among the rows.
nlohmann::json floor_layers(std::span<const Row> rows);

}  // namespace hockney::report
