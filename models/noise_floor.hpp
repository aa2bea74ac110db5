#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "models/curves.hpp"
#include "models/hockney.hpp"

namespace hockney::models {

/// Noise below this is not believed, so that the rounding of a simulator's clock is no breakpoint.
inline constexpr double least_noise_floor = 1e-3;

/// Relative standard deviation of one cell once the launch's own factor is taken out: from
/// (ln t[l,s] - ln t[m,s]) - (ln t[l,s'] - ln t[m,s']) of launches l, m and neighbouring sizes
/// s, s', whose standard deviation is twice that of a cell. What a launch does to all sizes alike,
/// or smoothly from small to large, cancels: it moves the curve and does not roughen it. Robust:
/// 1.4826 times the median magnitude. nullopt without two launches that share two sizes.
std::optional<double> cell_noise(const Curve& curve);

/// Relative scatter of a curve from size to size: each time against the line through its two
/// neighbours, in units of the standard deviation this difference has for unit relative noise
/// (Gasser, Sroka and Jennen-Steinmetz 1986), 1.4826 times the median magnitude. It needs no second
/// launch and sees what every launch repeats, such as slow odd sizes; a breakpoint spoils two
/// triples and hardly moves the median. nullopt for fewer than three sizes.
std::optional<double> size_scatter(std::span<const TimedSize> points);

/// The relative noise of a curve that is the median of `launches` launches, as a fraction: the
/// largest of the cell noise so averaged, the scatter from size to size, and least_noise_floor.
double noise_floor(std::optional<double> cell, std::size_t launches,
                   std::span<const TimedSize> pooled);

}  // namespace hockney::models
