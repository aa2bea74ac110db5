#include "report/fit_table.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "core/quantities.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

constexpr int parameter_name_width = 8;
constexpr int parameter_value_width = 12;
constexpr int parameter_interval_width = 24;

std::string note_text(models::LogGpWarning warning) {
  switch (warning) {
    case models::LogGpWarning::negative_latency:
      return "L is negative: the overheads alone take longer than a message, so they overlap";
    case models::LogGpWarning::gap_below_send:
      return "g is below o_s: messages in a row are sent faster than to a receiver that is late";
    case models::LogGpWarning::gap_below_receive:
      return "g is below o_r: messages in a row are received faster than those that lie there";
  }
  return {};
}

void add(Table& table, const std::string& name, const models::LogGpParameter& parameter,
         const std::string& unit) {
  table.row({name, significant(parameter.value * nanoseconds),
             interval_text(parameter.interval, nanoseconds)},
            unit);
}

void print_title(std::ostream& out, const models::LogGp& model) {
  out << "\nLogGP";
  if (!model.setting.empty()) out << " setting=" << inert(model.setting);
  if (model.hop) out << " hop=" << inert(*model.hop);
  if (model.pair.size() == 2) out << " pair=" << model.pair[0] << '-' << model.pair[1];
  out << ": " << count_text(model.launches, "launch") << ", o_s, o_r, L and g at "
      << format_bytes({model.bytes}) << " B\n";
}

}  // namespace

void print_loggp_table(std::ostream& out, const std::vector<models::LogGp>& models) {
  for (const models::LogGp& model : models) {
    print_title(out, model);
    Table table({{"", parameter_name_width, Align::left},
                 {"", parameter_value_width},
                 {"", parameter_interval_width}},
                "  ");
    add(table, "o_s", model.send_overhead_seconds, "ns");
    add(table, "o_r", model.receive_overhead_seconds, "ns");
    add(table, "L", model.latency_seconds, "ns");
    add(table, "g", model.gap_seconds, "ns");
    if (const auto& gap = model.gap_seconds_per_byte) add(table, "G", *gap, "ns/B");
    out << table;
    if (const auto& error = model.largest_error) {
      out << "  largest error over the sizes measured: " << significant(100 * *error, 2) << " %\n";
    }
    for (const models::LogGpWarning warning : model.warnings) {
      out << "  note: " << note_text(warning) << '\n';
    }
  }
}

namespace {

constexpr double gigabytes = 1e-9;

std::string percent_text(const std::optional<double>& fraction) { return error_text(fraction, 1); }

/// 1/beta [GB/s]: the ends change places, and one that is not positive leaves it unbounded.
std::string bandwidth_interval(const std::optional<Interval>& beta) {
  if (!beta) return "-";
  const auto end = [](double slope) {
    return slope > 0 ? significant(gigabytes / slope) : std::string("unbounded");
  };
  return end(beta->high) + " .. " + end(beta->low);
}

/// An alpha that no launch lets leave its bound is not known without error: no line fits there.
std::string alpha_interval(const std::optional<Interval>& alpha) {
  if (alpha && alpha->low == 0 && alpha->high == 0) return "at its bound";
  return interval_text(alpha, microseconds);
}

void add(Table& table, const models::Segment& segment) {
  const double alpha = segment.line.alpha_seconds;
  const double beta = segment.line.beta_seconds_per_byte;
  table.row({format_bytes(segment.from), format_bytes(segment.to),
             significant(alpha * microseconds), alpha_interval(segment.alpha_seconds),
             beta > 0 ? significant(gigabytes / beta) : "-",
             bandwidth_interval(segment.beta_seconds_per_byte), significant(beta * nanoseconds),
             beta > 0 ? significant(alpha / beta) : "-"});
}

std::string title(const Point& point, const std::string& setting) {
  return inert(curve_name(point) + (setting.empty() ? "" : " setting=" + setting));
}

std::string places(const std::vector<models::FittedBreakpoint>& breakpoints) {
  std::vector<std::string> parts;
  for (const models::FittedBreakpoint& breakpoint : breakpoints) {
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
             ? "no interval (" + count_text(launches, "launch") + "; " + needed + " needed)"
             : "no interval where fewer than " + needed + " launches have half of the sizes";
}

std::string warning_text(const models::Fit& fit, models::FitWarning warning) {
  switch (warning) {
    case models::FitWarning::few_launches:
      return few_launches_text(fit.launches);
    case models::FitWarning::unconfirmed_breakpoints:
      return "breakpoints rest on one launch (nothing shows that they recur)";
    case models::FitWarning::rejected_breakpoints:
      return "not accepted as breakpoints, recurring in too few halves of the launches: " +
             places(fit.rejected);
    case models::FitWarning::missing_cells:
      return std::to_string(fit.missing_cells) + " of " + std::to_string(fit.launches * fit.sizes) +
             " launch medians are missing";
    case models::FitWarning::lines_off:
      return "alpha and beta are off by more than " + significant(models::most_noise_floors, 1) +
             " x the noise floor at " + join(strings_of(fit.errors.off, format_bytes)) + " B; " +
             (fit.curve_held_out ? "predictions follow a curve through the sizes, held-out sizes " +
                                       percent_text(fit.curve_held_out)
                                 : "measure more sizes for a curve");
  }
  return {};
}

void add(Table& table, const models::Fit& fit) {
  table.text("\n" + title(fit.point, fit.setting) + ": " + fit.model() + ", " +
             count_text(fit.launches, "launch") + ", " + count_text(fit.sizes, "size") +
             (fit.pairs > 1 ? ", median of " + std::to_string(fit.pairs) + " pairs" : ""));
  for (const models::Segment& segment : fit.segments) add(table, segment);
  const models::FitErrors& errors = fit.errors;
  table.text("  error: mean " + percent_text(errors.mape) + ", max " +
             percent_text(errors.maximum) + ", held-out sizes " + percent_text(errors.held_out) +
             ", held-out launches " + percent_text(errors.held_out_launch) + "; noise floor " +
             percent_text(fit.noise_floor));
  if (!fit.breakpoints.empty()) table.text("  breakpoints: " + places(fit.breakpoints));
  for (const models::FitWarning warning : warnings(fit)) {
    table.text("  note: " + warning_text(fit, warning));
  }
}

void add(Table& table, const models::FitFailure& failure) {
  const std::vector<std::string> sizes = strings_of(failure.sizes, format_bytes);
  table.text("\n" + title(failure.point, failure.setting) + ": not fitted (" +
             count_text(sizes.size(), "size") + ": " + join(sizes) + "; " +
             std::to_string(models::sizes_per_fit) + " needed) measure more sizes");
}

}  // namespace

void print_fit_table(std::ostream& out, const models::FitSet& set) {
  Table table({{"from [B]", bytes_width, Align::right, true},
               {"to [B]", bytes_width, Align::right, true},
               {"alpha [us]", time_width},
               {"interval", 20},
               {"1/beta [GB/s]", 15},
               {"interval", 24},
               {"beta [ns/B]", 13},
               {"n_half [B]", 12}});
  table.header();
  for (const models::Fit& fit : set.fits) add(table, fit);
  for (const models::FitFailure& failure : set.failures) add(table, failure);
  if (set.records_left_out > 0) {
    table.text("\nnote: " + count_text(set.records_left_out, "record") +
               " left out (interrupted or failed launches)");
  }
  out << table;
}

std::string collective_title(const collectives::Curve& curve) {
  std::string text = curve.operation + " algorithm=" + curve.algorithm.value_or("(not known)");
  if (curve.algorithm && !curve.proven) text += " (asked, not proven)";
  return inert(text + (curve.setting.empty() ? "" : " setting=" + curve.setting));
}

namespace {

/// "alpha 1.002 [us] (1.001 .. 1.003)"; times in us, times for each byte in ns/B.
std::string parameter_text(const collectives::FormFit& fit, const collectives::FormSegment& segment,
                           std::size_t j) {
  const std::string& full = fit.form.parameters[j];
  const std::string name = full.substr(0, full.find("_seconds"));
  if (std::ranges::count(segment.inseparable, j) > 0) return name + " not separable";
  const bool per_byte = full.ends_with("_per_byte");
  const bool bare = full == name;
  const double scale = bare ? 1 : per_byte ? 1e9 : 1e6;
  std::string text = name + " " + significant(scale * segment.parameters[j]);
  if (!bare) text += per_byte ? " ns/B" : " us";
  if (segment.intervals[j]) text += " (" + interval_text(segment.intervals[j], scale) + ")";
  return text;
}

void print_segment(std::ostream& out, const collectives::FormFit& fit,
                   const collectives::FormSegment& segment) {
  std::vector<std::string> parts;
  for (std::size_t j = 0; j < segment.parameters.size(); ++j) {
    parts.push_back(parameter_text(fit, segment, j));
  }
  out << "  " << format_bytes(segment.from) << ".." << format_bytes(segment.to) << ": "
      << join(parts, ", ") << '\n';
}

/// "33 % at p 8, 8K; 21 % at p 8, 64K".
std::string works_text(const std::vector<collectives::WorkError>& works) {
  return join(strings_of(works,
                         [](const collectives::WorkError& error) {
                           return error_text(error.relative) + " at p " +
                                  std::to_string(error.work.ranks) + ", " +
                                  format_bytes(error.work.bytes);
                         }),
              "; ");
}

/// The notes of a fit, each a line.
std::vector<std::string> notes_of(const collectives::Fit& fit) {
  std::vector<std::string> notes;
  if (fit.model.factors.bend() != models::Bend::none) {
    notes.push_back("the segments alone are off by " + error_text(fit.unbent_mape) +
                    " on average; the model multiplies them by a measured curve");
  }
  if (const auto off = off_works(fit); !off.empty()) {
    notes.push_back("off by more than " + significant(collectives::most_noise_floors, 1) +
                    " x the noise floor " + error_text(fit.noise_floor) + ": " + works_text(off));
  }
  if (!fit.curve.oversubscribed_ranks.empty()) {
    notes.push_back("left out, because these ranks share CPUs: p " +
                    join_numbers(fit.curve.oversubscribed_ranks, ","));
  }
  if (!fit.replaced.empty()) {
    notes.push_back("left out, because libraries run an unknown algorithm in its place: " +
                    join(strings_of(fit.replaced,
                                    [](const schedules::Workload& work) {
                                      return "p " + std::to_string(work.ranks) + ", " +
                                             format_bytes(work.bytes);
                                    }),
                         "; "));
  }
  if (fit.launches.size() < samples_for_interval()) {
    notes.push_back("no interval (" + std::to_string(fit.launches.size()) + " launches; " +
                    std::to_string(samples_for_interval()) + " needed)");
  }
  return notes;
}

void print_fit(std::ostream& out, const collectives::Fit& fit) {
  const collectives::FormFit& model = fit.model;
  out << '\n'
      << collective_title(fit.curve) << ": " << model.name() << ", " << model.form.formula << "; p "
      << join_numbers(fit.curve.ranks(), ",") << ", launches " << fit.curve.launches() << '\n';
  for (const collectives::FormSegment& segment : model.segments) print_segment(out, model, segment);
  out << "  error: mean " << error_text(model.errors.mape) << ", max "
      << error_text(model.errors.maximum) << ", held-out p " << error_text(model.errors.held_out);
  if (const auto& worst = model.errors.held_out_worst) {
    out << " (worst " << error_text(worst->relative) << " at p " << worst->work.ranks << ", "
        << format_bytes(worst->work.bytes) << ")";
  }
  out << '\n';
  for (const std::string& note : notes_of(fit)) out << "  note: " << note << '\n';
  const auto tried = strings_of(fit.candidates, [](const collectives::TriedForm& candidate) {
    return candidate.form + " " + error_text(candidate.held_out.value_or(candidate.mape));
  });
  out << "  tried: " << join(tried) << '\n';
}

void print_channels(std::ostream& out, const std::vector<collectives::Channel>& channels) {
  for (const collectives::Channel& channel : channels) {
    if (channel.seconds_per_byte <= 0) continue;
    out << "channel between sites " << inert(channel.hop)
        << " apart: " << significant(channel.seconds_per_byte * 1e9)
        << " ns/B for all messages together ("
        << "error of the replays " << error_text(channel.error_with) << ", "
        << error_text(channel.error_without) << " without)\n";
  }
}

}  // namespace

void print_collective_fits(std::ostream& out, const collectives::Fits& fits) {
  if (!fits.fits.empty()) {
    out << "\nCollectives: alpha, beta and gamma of each algorithm; chosen is the form that best "
           "predicts larger numbers of ranks from smaller ones\n";
  }
  print_channels(out, fits.channels);
  for (const collectives::Fit& fit : fits.fits) print_fit(out, fit);
  for (const collectives::Failure& failure : fits.failures) {
    out << '\n'
        << collective_title(failure.curve) << ": not fitted (" << inert(failure.reason)
        << ") measure more sizes or numbers of ranks\n";
  }
}

namespace {

std::string remarks(const collectives::PredictedTime& row) {
  std::vector<std::string> parts{row.form};
  const collectives::Extrapolation& beyond = row.prediction.extrapolated;
  if (beyond.in_ranks) parts.emplace_back("extrapolated in ranks");
  if (beyond.in_bytes) parts.emplace_back("extrapolated in bytes");
  if (!row.oversubscribed_ranks.empty()) {
    parts.push_back("without p " + join_numbers(row.oversubscribed_ranks, ",") +
                    ", whose ranks share CPUs");
  }
  if (!row.no_interval.empty()) parts.push_back("no interval: " + row.no_interval);
  if (const auto objection = objection_to(row)) parts.push_back("forced: " + objection->why);
  return inert(join(parts, "; "));
}

}  // namespace

void print_prediction_table(std::ostream& out, const collectives::Question& question,
                            const std::vector<collectives::PredictedTime>& rows) {
  const std::string algorithm = question.algorithm.empty() ? "default" : question.algorithm;
  Table table({{"ranks", 8}, {"bytes", 12}, {"time [us]", 14}, {"interval", 24}, {"held-out", 14}});
  table.header("how");
  for (const collectives::PredictedTime& row : rows) {
    table.row(
        {std::to_string(row.work.ranks), format_bytes(row.work.bytes),
         significant(row.prediction.seconds * microseconds),
         interval_text(row.prediction.interval, microseconds), error_text(row.prediction.held_out)},
        remarks(row));
  }
  out << inert(question.operation + " algorithm=" + algorithm) << '\n' << table;
}

namespace {

constexpr std::size_t summary_rows = 10;
constexpr double bytes_in_gigabyte = 1e9;

/// " (off at 8K,64K)", where the errors are more than noise.
std::string off_text(const std::vector<Bytes>& sizes) {
  if (sizes.empty()) return "";
  return " (off at " + join(strings_of(sizes, format_bytes), ",") + ")";
}

std::string name_of(const models::Fit& fit) {
  return inert(curve_name(fit.point) + (fit.setting.empty() ? "" : " setting=" + fit.setting)) +
         off_text(fit.errors.off);
}

std::vector<std::string> cells_of(const models::Fit& fit) {
  const double beta = fit.segments.back().line.beta_seconds_per_byte;
  return {name_of(fit),
          significant(fit.segments.front().line.alpha_seconds * microseconds, 3),
          beta > 0 ? significant(1 / beta / bytes_in_gigabyte, 3) : "-",
          std::to_string(fit.segments.size()),
          error_text(fit.errors.mape, 1),
          error_text(fit.errors.held_out, 1)};
}

std::vector<std::string> cells_of(const collectives::Fit& fit) {
  std::set<Bytes> off;
  for (const collectives::WorkError& error : off_works(fit)) off.insert(error.work.bytes);
  return {collective_title(fit.curve) + off_text({off.begin(), off.end()}),
          "",
          "",
          std::to_string(fit.model.segments.size()),
          error_text(fit.model.errors.mape, 1),
          error_text(fit.model.errors.held_out, 1)};
}

}  // namespace

void print_fit_summary(std::ostream& out, const models::FitSet& set,
                       const std::vector<models::LogGp>& loggp, const collectives::Fits& fits) {
  Table table({{"model of", 0, Align::left},
               {"first alpha [us]"},
               {"last 1/beta [GB/s]"},
               {"segments"},
               {"error"},
               {"held-out"}});
  table.header();
  std::size_t rows = 0;
  const auto add = [&](const auto& fit) {
    if (++rows <= summary_rows) table.row(cells_of(fit));
  };
  for (const models::Fit& fit : set.fits) add(fit);
  for (const collectives::Fit& fit : fits.fits) add(fit);
  out << table;
  if (rows > summary_rows) {
    out << "... " << count_text(rows - summary_rows, "more model") << ": --all\n";
  }
  if (!loggp.empty()) out << "LogGP of " << count_text(loggp.size(), "pair") << ": --all\n";
  const std::size_t failures = set.failures.size() + fits.failures.size();
  if (failures > 0) out << count_text(failures, "curve") << " could not be fitted: --all\n";
}

namespace {

constexpr double kibibytes_per_byte = 1.0 / 1024;

double scale_of(collectives::ScalingUnit unit) {
  return unit == collectives::ScalingUnit::seconds ? microseconds : kibibytes_per_byte;
}

std::string unit_name(collectives::ScalingUnit unit) {
  return unit == collectives::ScalingUnit::seconds ? "us" : "KiB";
}

std::string term_text(const collectives::ScalingTerm& term, double scale) {
  if (!term.is_separable) return "not separable";
  std::string text = significant(scale * term.value);
  if (term.interval) text += " (" + interval_text(term.interval, scale) + ")";
  return text;
}

std::string title_of(const collectives::ScalingCurve& curve) {
  return inert(curve.quantity + (curve.setting.empty() ? "" : " setting=" + curve.setting) + " (" +
               curve.mpi_library + ")");
}

void print_scaling(std::ostream& out, const collectives::Scaling& scaling) {
  const double scale = scale_of(scaling.curve.unit);
  out << title_of(scaling.curve) << " [" << unit_name(scaling.curve.unit) << "]; p "
      << join_numbers(scaling.curve.ranks, ",") << ", launches " << scaling.curve.launches()
      << "\n  ";
  for (const collectives::ScalingTerm& term : scaling.terms) {
    const bool is_first = &term == &scaling.terms.front();
    out << (is_first ? "" : ", ") << term.name << ' ' << term_text(term, scale);
  }
  out << "\n  error: max " << error_text(scaling.max_relative_error) << ", held-out p "
      << error_text(scaling.held_out_error) << '\n';
  if (scaling.curve.launches() < samples_for_interval()) {
    out << "  note: no interval (" << scaling.curve.launches() << " launches; "
        << samples_for_interval() << " needed)\n";
  }
}

}  // namespace

void print_rank_scalings(std::ostream& out, const std::vector<collectives::Scaling>& scalings) {
  if (scalings.empty()) return;
  out << "\nStarting, by number of ranks p: constant + log2 x log2 p + linear x p\n";
  for (const collectives::Scaling& scaling : scalings) print_scaling(out, scaling);
}

}  // namespace hockney::report
