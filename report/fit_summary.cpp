#include "core/text.hpp"
#include "report/fit_table.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

constexpr std::size_t summary_rows = 10;
constexpr double bytes_in_gigabyte = 1e9;

std::string name_of(const models::Fit& fit) {
  return inert(curve_name(fit.point) + (fit.setting.empty() ? "" : " setting=" + fit.setting));
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
  return {collective_title(fit.curve),
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

}  // namespace hockney::report
