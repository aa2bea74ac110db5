#include "report/rank_scaling_table.hpp"

#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
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
