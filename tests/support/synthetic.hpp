#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

#include "core/record.hpp"

namespace hockney {

/// Random numbers that are the same with every standard library, unlike std::normal_distribution.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in (0, 1).
  double uniform() { return (static_cast<double>(engine_() >> 11U) + 0.5) * 0x1p-53; }

  /// Standard normal (Box and Muller 1958).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

  /// A stationary AR(1) series with standard normal margins: x_i = r x_{i-1} + sqrt(1-r^2) e_i.
  std::vector<double> autoregressive(std::size_t n, double correlation) {
    std::vector<double> series(n);
    double state = normal();
    for (double& value : series) {
      value = state;
      state = correlation * state + std::sqrt(1 - correlation * correlation) * normal();
    }
    return series;
  }

 private:
  std::mt19937_64 engine_;
};

/// T(n) = alpha + beta n from `from_bytes` on, up to the next segment.
struct TrueSegment {
  double from_bytes = 0;
  double alpha_seconds = 0;
  double beta_seconds_per_byte = 0;
};

/// A campaign whose truth is known. Every sample is
///   T(n) exp(launch_spread z_launch) exp(sample_spread x_i) outlier_i
/// with normal z, AR(1) x and, for an outlier_share of the samples, a factor of 3 to 50. Both
/// log-normal factors have median 1, so the truth is the median over launches.
struct SyntheticCampaign {
  std::vector<Bytes> sizes;
  std::vector<TrueSegment> truth;
  int launches = 10;
  std::size_t samples = 40;
  double launch_spread = 0.03;
  double sample_spread = 0.05;
  double correlation = 0.5;
  double outlier_share = 0.01;
};

/// The same campaign without any noise: every sample is the truth.
inline SyntheticCampaign without_noise(SyntheticCampaign campaign) {
  campaign.launch_spread = 0;
  campaign.sample_spread = 0;
  campaign.outlier_share = 0;
  return campaign;
}

inline double true_seconds(const SyntheticCampaign& campaign, double bytes) {
  const TrueSegment* segment = &campaign.truth.front();
  for (const TrueSegment& later : campaign.truth) {
    if (later.from_bytes <= bytes) segment = &later;
  }
  return segment->alpha_seconds + segment->beta_seconds_per_byte * bytes;
}

inline Series synthetic_series(const SyntheticCampaign& campaign, Bytes size, double launch_factor,
                               Noise& noise) {
  Series series{.point = {.operation = "pingpong", .bytes = size, .ranks = 2, .hop = "l3"},
                .blocks = {static_cast<int>(campaign.samples)}};
  series.point.pair = {0, 1};
  const double centre = launch_factor * true_seconds(campaign, static_cast<double>(size.value));
  for (const double x : noise.autoregressive(campaign.samples, campaign.correlation)) {
    const bool outlier = noise.uniform() < campaign.outlier_share;
    const double factor = outlier ? 3 + 47 * noise.uniform() : 1;
    series.samples_seconds.push_back(centre * std::exp(campaign.sample_spread * x) * factor);
  }
  return series;
}

/// One record per launch; equal seeds give equal records.
inline std::vector<Record> synthetic_records(const SyntheticCampaign& campaign,
                                             std::uint64_t seed) {
  Noise noise(seed);
  std::vector<Record> records;
  for (int launch = 0; launch < campaign.launches; ++launch) {
    Record& record = records.emplace_back();
    record.procedure = "pingpong";
    const double launch_factor = std::exp(campaign.launch_spread * noise.normal());
    for (const Bytes size : campaign.sizes) {
      record.series.push_back(synthetic_series(campaign, size, launch_factor, noise));
    }
  }
  return records;
}

}  // namespace hockney
