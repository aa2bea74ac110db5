#pragma once

#include <cstddef>
#include <random>
#include <span>

namespace hockney {

/// No deviation counts for more, so that a spike is no level and correlates with nothing [noise].
inline constexpr double most_deviation = 3;

/// Autocorrelation of values next to each other, within [0, 0.9]: deviations from `centre` are
/// clipped to `most_deviation` times `noise` > 0, and the bias of short series is corrected by
/// (1 + 3 rho) / n (Kendall 1954). 0 without values.
double lag_one_autocorrelation(std::span<const double> values, double centre, double noise);

/// Length of blocks that keep the dependence of n values: the optimum of Politis and White (2004)
/// for an AR(1) series, (sqrt(6) rho / (1 - rho^2))^(2/3) n^(1/3), within 1 and n / 3.
std::size_t block_length(double autocorrelation, std::size_t n);

/// Fills `out` with runs of `block` >= 1 consecutive values from random places of `values`, of
/// which there must be some (moving blocks: Kuensch 1989).
void resample_blocks(std::span<const double> values, std::size_t block, std::mt19937_64& random,
                     std::span<double> out);

}  // namespace hockney
