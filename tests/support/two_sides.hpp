#pragma once

#include <utility>
#include <vector>

#include "tests/support/synthetic.hpp"

namespace hockney {

/// Two settings of one campaign whose launches take turns. Launch l of either side has the
/// campaign's own launch factor and the factor exp(block_spread z_l) of its block, which both
/// sides share; B takes `ratio` times as long. All factors have median 1, so `ratio` is the truth.
struct TwoSides {
  SyntheticCampaign campaign;
  double ratio = 1;
  double block_spread = 0;
};

struct Sides {
  std::vector<Record> a;
  std::vector<Record> b;
};

inline Record synthetic_launch(const SyntheticCampaign& campaign, const CampaignPlace& place,
                               double factor, Noise& noise) {
  Record record{.procedure = "pingpong", .campaign = place};
  record.provenance.mpi.library = "synthetic";
  const double launch_factor = factor * std::exp(campaign.launch_spread * noise.normal());
  for (const Bytes size : campaign.sizes) {
    Series series = synthetic_series(campaign, size, launch_factor, noise);
    record.points.push_back({.point = series.point, .bytes_per_sample = size.value});
    record.series.push_back(std::move(series));
  }
  return record;
}

/// Equal seeds give equal records.
inline Sides synthetic_sides(const TwoSides& truth, std::uint64_t seed) {
  Noise noise(seed);
  Sides sides;
  for (int launch = 0; launch < truth.campaign.launches; ++launch) {
    const double block = std::exp(truth.block_spread * noise.normal());
    sides.a.push_back(synthetic_launch(truth.campaign, {"synthetic", "a", launch}, block, noise));
    sides.b.push_back(
        synthetic_launch(truth.campaign, {"synthetic", "b", launch}, block * truth.ratio, noise));
  }
  return sides;
}

}  // namespace hockney
