#pragma once

namespace hockney {

// Distributions of Boost.Math with doubles and its default policies, in one source because their
// templates take seconds to compile. P is a probability from 0 to 1. Each function throws
// std::domain_error for an argument outside its range, and std::overflow_error where the result is
// infinite.

/// P(Z <= z) of the standard normal distribution.
double normal_cdf(double z);

/// P(T > t) of Student's t distribution. `freedom`: degrees of freedom, above 0.
double student_above(double freedom, double t);
/// The t with P(T <= t) = p.
double student_quantile(double freedom, double p);
/// The t with P(T > t) = tail, precise for small tails.
double student_upper_quantile(double freedom, double tail);

/// The x with P(X <= x) = p of the chi-squared distribution. `freedom`: degrees of freedom, above
/// 0.
double chi_squared_quantile(double freedom, double p);

/// P(K <= k) of the successes K in `trials` independent trials. `chance`: the probability of a
/// success; k from 0 to `trials`.
double binomial_cdf(double trials, double chance, double k);
/// P(K > k).
double binomial_above(double trials, double chance, double k);
/// A whole number of successes k at the quantile p, rounded outwards: down below p = 1/2, else up.
double binomial_quantile(double trials, double chance, double p);
/// Lower end of the interval of Clopper and Pearson (1934): the smallest chance with
/// P(K >= successes) = tail. 0 for no successes.
double binomial_lower_chance(double trials, double successes, double tail);
/// Its upper end: the largest chance with P(K <= successes) = tail. 1 if all trials succeeded.
double binomial_upper_chance(double trials, double successes, double tail);

}  // namespace hockney
