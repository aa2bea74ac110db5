#include "report/fit_table.hpp"

#include <algorithm>
#include <array>
#include <iomanip>
#include <sstream>
#include <string_view>

#include "core/quantities.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "report/number_text.hpp"

namespace hockney {
namespace {

constexpr int parameter_name_width = 8;
constexpr int parameter_value_width = 12;
constexpr int parameter_interval_width = 24;

std::string_view text_of(LogGpWarning warning) {
  switch (warning) {
    case LogGpWarning::negative_latency:
      return "L is negative: the overheads alone take longer than a message, so they overlap";
    case LogGpWarning::gap_below_send:
      return "g is below o_s: messages in a row are sent faster than to a receiver that is late";
    case LogGpWarning::gap_below_receive:
      break;
  }
  return "g is below o_r: messages in a row are received faster than those that lie there";
}

void print_parameter(std::ostream& out, std::string_view name, const LogGpParameter& parameter,
                     std::string_view unit) {
  out << "  " << std::left << std::setw(parameter_name_width) << name << std::right
      << std::setw(parameter_value_width) << significant(parameter.value * nanoseconds)
      << std::setw(parameter_interval_width) << interval_text(parameter.interval, nanoseconds)
      << "  " << unit << '\n';
}

void print_title(std::ostream& out, const LogGp& model) {
  out << "\nLogGP";
  if (!model.setting.empty()) out << " setting=" << inert(model.setting);
  if (model.hop) out << " hop=" << inert(*model.hop);
  if (model.pair.size() == 2) out << " pair=" << model.pair[0] << '-' << model.pair[1];
  out << ": " << model.launches << (model.launches == 1 ? " launch" : " launches")
      << ", o_s, o_r, L and g at " << format_bytes({model.bytes}) << " B\n";
}

}  // namespace

void print_loggp_table(std::ostream& out, const std::vector<LogGp>& models) {
  for (const LogGp& model : models) {
    print_title(out, model);
    print_parameter(out, "o_s", model.send_overhead_seconds, "ns");
    print_parameter(out, "o_r", model.receive_overhead_seconds, "ns");
    print_parameter(out, "L", model.latency_seconds, "ns");
    print_parameter(out, "g", model.gap_seconds, "ns");
    if (const auto& gap = model.gap_seconds_per_byte) print_parameter(out, "G", *gap, "ns/B");
    if (const auto& error = model.largest_error) {
      out << "  largest error over the sizes measured: " << significant(100 * *error, 2) << " %\n";
    }
    for (const LogGpWarning warning : model.warnings) out << "  note: " << text_of(warning) << '\n';
  }
}

namespace {

constexpr double gigabytes = 1e-9;

std::string percent_text(const std::optional<double>& fraction) {
  if (!fraction) return "-";
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << 100 * *fraction << " %";
  return text.str();
}

/// Writes cells right-aligned in the fixed columns of the table.
void print_fit_cells(std::ostream& out, std::initializer_list<std::string> cells) {
  constexpr std::array<int, 8> widths{9, 9, 12, 20, 15, 24, 13, 12};
  std::size_t column = 0;
  for (const std::string& cell : cells) out << std::setw(widths.at(column++)) << cell;
  out << '\n';
}

/// 1/beta [GB/s]: the ends change places, and one that is not positive leaves it unbounded.
std::string bandwidth_interval(const std::optional<Interval>& beta) {
  if (!beta) return "-";
  const auto end = [](double slope) {
    return slope > 0 ? significant(gigabytes / slope) : std::string("unbounded");
  };
  return end(beta->high) + " .. " + end(beta->low);
}

void print_segment(std::ostream& out, const Segment& segment) {
  const double alpha = segment.line.alpha_seconds;
  const double beta = segment.line.beta_seconds_per_byte;
  print_fit_cells(
      out, {format_bytes(segment.from), format_bytes(segment.to), significant(alpha * microseconds),
            interval_text(segment.alpha_seconds, microseconds),
            beta > 0 ? significant(gigabytes / beta) : "-",
            bandwidth_interval(segment.beta_seconds_per_byte), significant(beta * nanoseconds),
            beta > 0 ? significant(alpha / beta) : "-"});
}

std::string title(const Point& point, const std::string& setting) {
  return inert(curve_name(point) + (setting.empty() ? "" : " setting=" + setting));
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : noun == "launch" ? "es" : "s");
}

std::string places(const std::vector<FittedBreakpoint>& breakpoints) {
  std::vector<std::string> parts;
  for (const FittedBreakpoint& breakpoint : breakpoints) {
    std::string part = format_bytes(breakpoint.after) + ".." + format_bytes(breakpoint.before);
    if (breakpoint.recurrence) part += " (" + percent_text(breakpoint.recurrence) + ")";
    if (const auto& names = breakpoint.names) {
      part += names->empty() ? " unexplained" : " = " + inert(join(*names, ", "));
    }
    parts.push_back(part);
  }
  return join(parts, "; ");
}

std::string few_launches_text(std::size_t launches) {
  const std::string needed = std::to_string(samples_for_interval());
  return launches < samples_for_interval()
             ? "no interval (" + counted(launches, "launch") + "; " + needed + " needed)"
             : "no interval where fewer than " + needed + " launches have half of the sizes";
}

std::string warning_text(const Fit& fit, FitWarning warning) {
  switch (warning) {
    case FitWarning::few_launches:
      return few_launches_text(fit.launches);
    case FitWarning::unconfirmed_breakpoints:
      return "breakpoints rest on one launch (nothing shows that they recur)";
    case FitWarning::rejected_breakpoints:
      return "not accepted as breakpoints, recurring in too few halves of the launches: " +
             places(fit.rejected);
    case FitWarning::missing_cells:
      return std::to_string(fit.missing_cells) + " of " + std::to_string(fit.launches * fit.sizes) +
             " launch medians are missing";
  }
  return {};
}

void print_fit(std::ostream& out, const Fit& fit) {
  out << '\n'
      << title(fit.point, fit.setting) << ": " << fit.model() << ", "
      << counted(fit.launches, "launch") << ", " << counted(fit.sizes, "size");
  if (fit.pairs > 1) out << ", median of " << fit.pairs << " pairs";
  out << '\n';
  for (const Segment& segment : fit.segments) print_segment(out, segment);
  const FitErrors& errors = fit.errors;
  out << "  error: mean " << percent_text(errors.mape) << ", max " << percent_text(errors.maximum)
      << ", held-out sizes " << percent_text(errors.held_out) << ", held-out launches "
      << percent_text(errors.held_out_launch) << "; noise floor " << percent_text(fit.noise_floor)
      << '\n';
  if (!fit.breakpoints.empty()) out << "  breakpoints: " << places(fit.breakpoints) << '\n';
  for (const FitWarning warning : warnings(fit)) {
    out << "  note: " << warning_text(fit, warning) << '\n';
  }
}

void print_failure(std::ostream& out, const FitFailure& failure) {
  std::vector<std::string> sizes;
  sizes.reserve(failure.sizes.size());
  for (const Bytes size : failure.sizes) sizes.push_back(format_bytes(size));
  out << '\n'
      << title(failure.point, failure.setting) << ": not fitted (" << counted(sizes.size(), "size")
      << ": " << join(sizes) << "; " << sizes_per_fit << " needed) measure more sizes\n";
}

}  // namespace

void print_fit_table(std::ostream& out, const FitSet& set) {
  print_fit_cells(out, {"from [B]", "to [B]", "alpha [us]", "interval", "1/beta [GB/s]", "interval",
                        "beta [ns/B]", "n_half [B]"});
  for (const Fit& fit : set.fits) print_fit(out, fit);
  for (const FitFailure& failure : set.failures) print_failure(out, failure);
  if (set.records_left_out > 0) {
    out << "\nnote: " << counted(set.records_left_out, "record")
        << " left out (interrupted or failed launches)\n";
  }
}

}  // namespace hockney
