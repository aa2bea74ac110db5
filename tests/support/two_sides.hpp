#pragma once

#include <utility>
#include <vector>

#include "tests/support/synthetic.hpp"

namespace hockney {

/// Two settings of one campaign whose launches take turns. Launch l of either side has the
/// campaign's own launch factor and the factor exp(block_spread z_l) of its block, which both
/// sides share; B takes `ratio` times as long at the first `affected` of the sizes (a fraction,
/// rounded up). All factors have median 1, so `ratio` is the truth. Besides, a `burst_fraction` of
/// the launches of either side takes 1 to 3 times as long at all points.
struct TwoSides {
  SyntheticCampaign campaign;
  double ratio = 1;
  double block_spread = 0;
  double affected = 1;
  double burst_fraction = 0;
};

/// The true ratio at the size of a place in the list of sizes.
inline double true_ratio(const TwoSides& truth, std::size_t place) {
  const auto sizes = static_cast<double>(truth.campaign.sizes.size());
  return static_cast<double>(place) < truth.affected * sizes ? truth.ratio : 1;
}

struct Sides {
  std::vector<Record> a;
  std::vector<Record> b;
};

/// `factors[i]`: of the size with place i, besides the launch's own.
inline Record synthetic_launch(const SyntheticCampaign& campaign, const CampaignPlace& place,
                               const std::vector<double>& factors, Noise& noise) {
  Record record{.procedure = "pingpong", .campaign = place};
  record.provenance.mpi.library = "synthetic";
  const double launch_factor = std::exp(campaign.launch_spread * noise.normal());
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const Bytes size = campaign.sizes[i];
    Series series = synthetic_series(campaign, size, factors[i] * launch_factor, noise);
    record.points.own().push_back({.point = series.point, .bytes_per_sample = size.value});
    record.series.push_back(std::move(series));
  }
  return record;
}

/// What all points of a launch of one side share with its block and with bad luck.
inline double shared_factor(const TwoSides& truth, double block, Noise& noise) {
  const bool is_burst = truth.burst_fraction > 0 && noise.uniform() < truth.burst_fraction;
  return block * (is_burst ? 1 + 2 * noise.uniform() : 1);
}

/// Equal seeds give equal records.
inline Sides synthetic_sides(const TwoSides& truth, std::uint64_t seed) {
  Noise noise(seed);
  Sides sides;
  for (int launch = 0; launch < truth.campaign.launches; ++launch) {
    const double block = std::exp(truth.block_spread * noise.normal());
    std::vector<double> of_a(truth.campaign.sizes.size(), shared_factor(truth, block, noise));
    std::vector<double> of_b(of_a.size(), shared_factor(truth, block, noise));
    for (std::size_t i = 0; i < of_b.size(); ++i) of_b[i] *= true_ratio(truth, i);
    sides.a.push_back(synthetic_launch(truth.campaign, {"synthetic", "a", launch}, of_a, noise));
    sides.b.push_back(synthetic_launch(truth.campaign, {"synthetic", "b", launch}, of_b, noise));
  }
  return sides;
}

}  // namespace hockney
