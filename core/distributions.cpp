#include "core/distributions.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace hockney {
namespace {

using Binomial = boost::math::binomial_distribution<double>;
using ChiSquared = boost::math::chi_squared_distribution<double>;
using Normal = boost::math::normal_distribution<double>;
using Student = boost::math::students_t_distribution<double>;

}  // namespace

double normal_cdf(double z) { return cdf(Normal(), z); }

double student_above(double freedom, double t) { return cdf(complement(Student(freedom), t)); }

double student_quantile(double freedom, double p) { return quantile(Student(freedom), p); }

double student_upper_quantile(double freedom, double tail) {
  return quantile(complement(Student(freedom), tail));
}

double chi_squared_quantile(double freedom, double p) { return quantile(ChiSquared(freedom), p); }

double binomial_cdf(double trials, double chance, double k) {
  return cdf(Binomial(trials, chance), k);
}

double binomial_above(double trials, double chance, double k) {
  return cdf(complement(Binomial(trials, chance), k));
}

double binomial_quantile(double trials, double chance, double p) {
  return quantile(Binomial(trials, chance), p);
}

double binomial_lower_chance(double trials, double successes, double tail) {
  return Binomial::find_lower_bound_on_p(trials, successes, tail);
}

double binomial_upper_chance(double trials, double successes, double tail) {
  return Binomial::find_upper_bound_on_p(trials, successes, tail);
}

}  // namespace hockney
