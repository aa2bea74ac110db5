#include "models/fit_set.hpp"

#include <algorithm>

namespace hockney {

FitSet fit_curves(const Curves& curves, const FitOptions& options) {
  FitSet set{.records_used = curves.records_used,
             .records_left_out = curves.records_left_out,
             .series_without_time = curves.series_without_time};
  for (const Curve& curve : curves.curves) {
    auto outcome = fit_curve(curve, options);
    if (auto* fit = std::get_if<Fit>(&outcome)) {
      set.fits.push_back(std::move(*fit));
    } else {
      set.failures.push_back(std::get<FitFailure>(std::move(outcome)));
    }
  }
  return set;
}

std::vector<FitWarning> warnings(const Fit& fit) {
  std::vector<FitWarning> found;
  const auto lacks_interval = [](const Segment& segment) { return !segment.alpha_seconds; };
  if (std::ranges::any_of(fit.segments, lacks_interval)) found.push_back(FitWarning::few_launches);
  if (fit.confirmed_by == Confirmation::bic) found.push_back(FitWarning::unconfirmed_breakpoints);
  if (!fit.rejected.empty()) found.push_back(FitWarning::rejected_breakpoints);
  if (fit.missing_cells > 0) found.push_back(FitWarning::missing_cells);
  return found;
}

}  // namespace hockney
