#include "verdicts/health/yearly_rate.hpp"

#include <boost/math/distributions/chi_squared.hpp>

namespace hockney {

std::optional<double> YearlyRate::per_year() const {
  if (!(series_years > 0)) return std::nullopt;
  return static_cast<double>(events) / series_years;
}

std::optional<Interval> YearlyRate::interval() const {
  if (!(series_years > 0)) return std::nullopt;
  using ChiSquared = boost::math::chi_squared_distribution<double>;
  constexpr double tail = 0.025;
  const auto n = static_cast<double>(events);
  const double low = events == 0 ? 0 : boost::math::quantile(ChiSquared(2 * n), tail) / 2;
  const double high = boost::math::quantile(ChiSquared(2 * n + 2), 1 - tail) / 2;
  return Interval{low / series_years, high / series_years, 1 - 2 * tail};
}

}  // namespace hockney
