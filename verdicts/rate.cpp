#include "verdicts/rate.hpp"

#include <boost/math/distributions/binomial.hpp>

namespace hockney {

std::optional<double> Rate::share() const {
  if (trials == 0) return std::nullopt;
  return static_cast<double>(hits) / trials;
}

std::optional<Interval> Rate::interval() const {
  if (trials == 0) return std::nullopt;
  using Binomial = boost::math::binomial_distribution<double>;
  constexpr double tail = 0.025;
  return Interval{Binomial::find_lower_bound_on_p(trials, hits, tail),
                  Binomial::find_upper_bound_on_p(trials, hits, tail), 1 - 2 * tail};
}

}  // namespace hockney
