#include "driver/screens/models.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "core/text.hpp"
#include "models/tables/collective_tables.hpp"
#include "models/tables/fit_table.hpp"
#include "report/screen.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

constexpr std::size_t summary_rows = 10;
constexpr std::string_view segments = "alpha: of the first segment; 1/beta: of the last one";

/// "8K,64K"; unknown without sizes.
Value sizes_value(const std::vector<Bytes>& sizes) {
  return sizes.empty() ? Value() : Value(join(strings_of(sizes, format_bytes), ","));
}

/// A model of a curve or of a collective in one line.
struct ModelLine {
  std::string name;
  std::size_t segments = 0;
  std::optional<double> alpha_seconds;     ///< of the first segment
  std::optional<double> bytes_per_second;  ///< of the last one
  double error = 0;
  std::optional<double> held_out;
  Value off;  ///< sizes where the errors are more than noise
};

ModelLine line_of(const models::Fit& fit) {
  return {.name = model_title(fit.point, fit.setting),
          .segments = fit.segments.size(),
          .alpha_seconds = fit.segments.front().line.alpha_seconds,
          .bytes_per_second = models::asymptotic_bandwidth(fit),
          .error = fit.errors.mape,
          .held_out = fit.errors.held_out,
          .off = sizes_value(fit.errors.off)};
}

ModelLine line_of(const collectives::Fit& fit) {
  std::set<Bytes> off;
  for (const collectives::WorkError& error : off_works(fit)) off.insert(error.work.bytes);
  return {.name = collective_title(fit.curve),
          .segments = fit.model.segments.size(),
          .alpha_seconds = std::nullopt,
          .bytes_per_second = std::nullopt,
          .error = fit.model.errors.mape,
          .held_out = fit.model.errors.held_out,
          .off = sizes_value({off.begin(), off.end()})};
}

Columns<ModelLine> columns_of_models() {
  using Row = ModelLine;
  return {{{"model", "model of"}, &Row::name},
          {{"alpha_seconds", "alpha", Unit::micros}, &Row::alpha_seconds},
          {{"bytes_per_second", "1/beta", Unit::byte_rate}, &Row::bytes_per_second},
          {{"segments", "segments", Unit::count}, &Row::segments},
          {{"mape", "error", Unit::share}, &Row::error},
          {{"held_out_mape", "held-out", Unit::share}, &Row::held_out},
          {{"off", "error above noise at [B]"}, &Row::off}};
}

/// Adds rows, at most `summary_rows` in all. The common words of several names, and a single name,
/// stand above them, so that figures have room.
void add_lines(View& view, std::vector<ModelLine> lines) {
  const std::vector<std::string> names =
      strings_of(lines, [](const ModelLine& line) { return line.name; });
  lines.resize(std::min(lines.size(), summary_rows - std::min(summary_rows, view.rows.size())));
  if (lines.empty()) return;
  const std::vector<std::string> labels = labels_of(names);
  const std::string common = common_words(names);
  const bool are_reported_apart = std::ranges::none_of(labels, &std::string::empty);
  if (names.size() == 1) {
    view.add_text(names.front());
    lines.front().name.clear();
  } else if (!common.empty() && are_reported_apart) {
    view.add_text(common);
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i].name = "  " + labels[i];
  }
  const Columns<ModelLine> columns = columns_of_models();
  for (const ModelLine& line : lines) view.rows.push_back(row_of(columns, line));
}

template <class Fit>
std::vector<ModelLine> lines_of(const std::vector<Fit>& fits) {
  std::vector<ModelLine> lines;
  lines.reserve(fits.size());
  for (const Fit& fit : fits) lines.push_back(line_of(fit));
  return lines;
}

}  // namespace

View summary_of(const models::FitSet& set, const std::vector<models::LogGp>& loggp,
                const collectives::Fits& fits) {
  View view = make_view(columns_of_models(), {});
  add_lines(view, lines_of(set.fits));
  add_lines(view, lines_of(fits.fits));
  const auto has_several = [](const models::Fit& fit) { return fit.segments.size() > 1; };
  if (std::ranges::any_of(set.fits, has_several)) view.add_text(std::string(segments));
  const std::size_t models = set.fits.size() + fits.fits.size();
  if (models > summary_rows) {
    view.add_text(fmt::format("... {}: --all", count_text(models - summary_rows, "more model")));
  }
  if (!loggp.empty()) {
    view.add_text(fmt::format("LogGP of {}: --all", count_text(loggp.size(), "pair")));
  }
  const std::size_t failures = set.failures.size() + fits.failures.size();
  if (failures > 0) view.add_text(count_text(failures, "curve") + " could not be fitted: --all");
  return view;
}

std::vector<SummaryRow> model_rows(const models::FitSet& set) {
  constexpr double gigabytes = 1e-9;
  std::vector<SummaryRow> rows;
  for (const models::Fit& fit : set.fits) {
    const std::string name = model_title(fit.point, fit.setting);
    const auto& first = fit.segments.front();
    std::optional<Interval> alpha = first.alpha_seconds;
    if (alpha) alpha->low *= microseconds, alpha->high *= microseconds;
    rows.push_back({.label = name + " alpha",
                    .value = first.line.alpha_seconds * microseconds,
                    .interval = alpha,
                    .unit = "us",
                    .mark = {}});
    const auto rate = models::asymptotic_bandwidth(fit);
    if (!rate) continue;
    const auto& beta = fit.segments.back().beta_seconds_per_byte;
    std::optional<Interval> rates;
    if (beta && beta->low > 0) {
      rates = Interval{gigabytes / beta->high, gigabytes / beta->low, beta->level};
    }
    rows.push_back({.label = name + " asymptotic bandwidth",
                    .value = *rate * gigabytes,
                    .interval = rates,
                    .unit = "GB/s",
                    .mark = {}});
  }
  return rows;
}

}  // namespace hockney::report
