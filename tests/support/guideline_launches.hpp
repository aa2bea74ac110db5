#pragma once

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/launches.hpp"
#include "tests/support/synthetic.hpp"
#include "verdicts/guidelines.hpp"

namespace hockney {

inline Guideline slow_not_above_fast(const std::string& name = "slow <= fast") {
  return {.name = name,
          .left = {.operation = "slow", .parameters = {}},
          .right = {.operation = "fast", .parameters = {}}};
}

/// Launches 0, 1, ... of both sides at sizes 1, 2, ..., in which the fast side takes 10 us and the
/// slow one `ratios[size]` times as long; a launch is slower than the one before, alike for both.
inline std::vector<Record> exact_launches(const std::vector<double>& ratios, int launches,
                                          const Guideline& guideline = slow_not_above_fast()) {
  std::vector<Record> records;
  for (int launch = 0; launch < launches; ++launch) {
    Record record = launch_of("default");
    record.campaign->launch = launch;
    record.guidelines = {guideline};
    const double fast = 10e-6 * (1 + 0.1 * launch);
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      const auto bytes = static_cast<std::int64_t>(i + 1);
      add_measured(record, simple_point("slow", bytes), ratios[i] * fast);
      add_measured(record, simple_point("fast", bytes), fast);
    }
    records.push_back(std::move(record));
  }
  return records;
}

/// A campaign of guidelines whose truth is known. Every sample is
///   side exp(launch_spread z_launch) exp(visit_spread z_side) exp(sample_spread x_i) outlier_i
/// where z_launch is of the launch, so that both sides share it, z_side of one side at one size in
/// one launch, x autoregressive, and outlier_i 3 to 50 for an outlier_share of the samples. The
/// slow side's median is `ratio` times that of the fast one at every size.
struct SyntheticGuidelines {
  int cells = 10;  ///< sizes
  double ratio = 1;
  int launches = 16;
  std::size_t samples = 20;
  double launch_spread = 0.1;
  double visit_spread = 0.02;
  double sample_spread = 0.05;
  double correlation = 0.5;
  double outlier_share = 0.02;
};

inline Series synthetic_side(const SyntheticGuidelines& truth, const Point& point, double centre,
                             Noise& noise) {
  Series series{.point = point, .samples_seconds = {}, .blocks = {static_cast<int>(truth.samples)}};
  for (const double x : noise.autoregressive(truth.samples, truth.correlation)) {
    const bool is_outlier = noise.uniform() < truth.outlier_share;
    series.samples_seconds.push_back(centre * std::exp(truth.sample_spread * x) *
                                     (is_outlier ? 3 + 47 * noise.uniform() : 1));
  }
  return series;
}

/// Equal seeds give equal records.
inline std::vector<Record> synthetic_guidelines(const SyntheticGuidelines& truth,
                                                std::uint64_t seed) {
  Noise noise(seed);
  std::vector<Record> records;
  for (int launch = 0; launch < truth.launches; ++launch) {
    Record record = launch_of("default");
    record.campaign->launch = launch;
    record.guidelines = {slow_not_above_fast()};
    const double shared = std::exp(truth.launch_spread * noise.normal());
    for (int cell = 1; cell <= truth.cells; ++cell) {
      for (const auto& [name, factor] : {std::pair{"slow", truth.ratio}, std::pair{"fast", 1.0}}) {
        const Point point = simple_point(name, cell);
        const double own = std::exp(truth.visit_spread * noise.normal());
        record.points.own().push_back({.point = point, .bytes_per_sample = cell});
        record.series.push_back(synthetic_side(truth, point, 10e-6 * shared * own * factor, noise));
      }
    }
    records.push_back(std::move(record));
  }
  return records;
}

/// How the verdicts of many campaigns came out.
struct GuidelineCounts {
  int campaigns = 0;
  int alarmed = 0;  ///< campaigns with a violation
  int cells = 0;
  int violated = 0;
  int satisfied = 0;
  int undecided = 0;
  int covered = 0;  ///< ratio intervals that hold the truth
};

inline void count(GuidelineCounts& counts, const verdicts::GuidelineSet& set, double ratio) {
  const int before = counts.violated;
  for (const verdicts::GuidelineVerdict& verdict : set.verdicts) {
    ++counts.cells;
    counts.violated += verdict.verdict == verdicts::Compliance::violated;
    counts.satisfied += verdict.verdict == verdicts::Compliance::satisfied;
    counts.undecided += verdict.verdict == verdicts::Compliance::undecided;
    const auto& interval = verdict.ratio_interval;
    counts.covered += interval && interval->low <= ratio && ratio <= interval->high;
  }
  ++counts.campaigns;
  counts.alarmed += counts.violated > before;
}

/// Judges campaigns with seeds first_seed, first_seed + 1, ...
inline GuidelineCounts judge_many(const SyntheticGuidelines& truth, int campaigns,
                                  std::uint64_t first_seed = 1) {
  GuidelineCounts counts;
  for (int i = 0; i < campaigns; ++i) {
    const auto records = synthetic_guidelines(truth, first_seed + static_cast<std::uint64_t>(i));
    count(counts, verdicts::judge_guidelines(records), truth.ratio);
  }
  return counts;
}

}  // namespace hockney
