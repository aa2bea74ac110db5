#include "report/collective_table.hpp"

#include <algorithm>
#include <iomanip>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/number_text.hpp"

namespace hockney {
namespace {

/// "alpha 1.002 [us] (1.001 .. 1.003)"; times in us, times for each byte in ns/B.
std::string parameter_text(const FormFit& fit, const FormSegment& segment, std::size_t j) {
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

void print_segment(std::ostream& out, const FormFit& fit, const FormSegment& segment) {
  std::vector<std::string> parts;
  for (std::size_t j = 0; j < segment.parameters.size(); ++j) {
    parts.push_back(parameter_text(fit, segment, j));
  }
  out << "  " << format_bytes(segment.from) << ".." << format_bytes(segment.to) << ": "
      << join(parts, ", ") << '\n';
}

std::string title(const CollectiveCurve& curve) {
  std::string text = curve.operation + " algorithm=" + curve.algorithm.value_or("(not known)");
  if (curve.algorithm && !curve.proven) text += " (asked, not proven)";
  return inert(text + (curve.setting.empty() ? "" : " setting=" + curve.setting));
}

void print_fit(std::ostream& out, const CollectiveFit& fit) {
  const FormFit& model = fit.model;
  out << '\n'
      << title(fit.curve) << ": " << model.form.name << ", " << model.form.formula << "; p "
      << join_numbers(fit.curve.ranks(), ",") << ", launches " << fit.curve.launches() << '\n';
  for (const FormSegment& segment : model.segments) print_segment(out, model, segment);
  out << "  error: mean " << error_text(model.errors.mape) << ", max "
      << error_text(model.errors.maximum) << ", held-out p " << error_text(model.errors.held_out);
  if (const auto& worst = model.errors.held_out_worst) {
    out << " (worst " << error_text(worst->relative) << " at p " << worst->work.ranks << ", "
        << format_bytes(worst->work.bytes) << ")";
  }
  out << '\n';
  if (fit.launches.size() < samples_for_interval()) {
    out << "  note: no interval (" << fit.launches.size() << " launches; " << samples_for_interval()
        << " needed)\n";
  }
  const auto tried = strings_of(fit.candidates, [](const TriedForm& candidate) {
    return candidate.form + " " + error_text(candidate.held_out.value_or(candidate.mape));
  });
  out << "  tried: " << join(tried) << '\n';
}

void print_channels(std::ostream& out, const std::vector<Channel>& channels) {
  for (const Channel& channel : channels) {
    if (channel.seconds_per_byte <= 0) continue;
    out << "channel between sites " << inert(channel.hop)
        << " apart: " << significant(channel.seconds_per_byte * 1e9)
        << " ns/B for all messages together ("
        << "error of the replays " << error_text(channel.error_with) << ", "
        << error_text(channel.error_without) << " without)\n";
  }
}

}  // namespace

void print_collective_fits(std::ostream& out, const CollectiveFits& fits) {
  if (!fits.fits.empty()) {
    out << "\nCollectives: alpha, beta and gamma of each algorithm; forms chosen by leaving out "
           "one "
           "number of ranks at a time\n";
  }
  print_channels(out, fits.channels);
  for (const CollectiveFit& fit : fits.fits) print_fit(out, fit);
  for (const CollectiveFailure& failure : fits.failures) {
    out << '\n'
        << title(failure.curve) << ": not fitted (" << inert(failure.reason)
        << ") measure more sizes or numbers of ranks\n";
  }
}

namespace {

std::string remarks(const PredictedTime& row) {
  std::vector<std::string> parts{row.form};
  const Extrapolation& beyond = row.prediction.extrapolated;
  if (beyond.in_ranks) parts.emplace_back("extrapolated in ranks");
  if (beyond.in_bytes) parts.emplace_back("extrapolated in bytes");
  if (!row.no_interval.empty()) parts.push_back("no interval: " + row.no_interval);
  if (const auto objection = objection_to(row)) parts.push_back("forced: " + objection->why);
  return inert(join(parts, "; "));
}

}  // namespace

void print_prediction_table(std::ostream& out, const CollectiveQuestion& question,
                            const std::vector<PredictedTime>& rows) {
  const std::string algorithm = question.algorithm.empty() ? "default" : question.algorithm;
  out << inert(question.operation + " algorithm=" + algorithm) << '\n'
      << std::setw(8) << "ranks" << std::setw(12) << "bytes" << std::setw(14) << "time [us]"
      << std::setw(24) << "interval" << std::setw(14) << "held-out"
      << "  how\n";
  for (const PredictedTime& row : rows) {
    const auto& held_out = row.prediction.held_out;
    out << std::setw(8) << row.work.ranks << std::setw(12) << format_bytes(row.work.bytes)
        << std::setw(14) << significant(row.prediction.seconds * microseconds) << std::setw(24)
        << interval_text(row.prediction.interval, microseconds) << std::setw(14)
        << error_text(held_out) << "  " << remarks(row) << '\n';
  }
}

}  // namespace hockney
