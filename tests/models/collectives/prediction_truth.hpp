#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "models/collectives/collective_fit.hpp"

/// Times of collectives whose law is known, with noise, fitted at some numbers of ranks and
/// predicted at a larger one.
namespace hockney::collectives {

/// The time [s] of one message of `bytes` among `ranks`.
using MessageTime = std::function<double(double ranks, double bytes)>;

/// One algorithm under a known law.
struct Truth {
  std::string name;
  std::string operation;
  std::string algorithm;
  MessageTime message;
  double call_seconds = 0;  ///< added once to each call
  /// Each number of ranks and size has its own factor: the standard deviation of its logarithm.
  double roughness = 0;
  double rank_roughness = 0;  ///< the same of each number of ranks, at all sizes
};

/// What is measured, and what is asked for.
struct Sweep {
  std::vector<int> ranks{2, 4, 8};
  std::vector<std::int64_t> sizes{8, 1024, 8192, 65536, 262144};
  int requested = 16;
  int launches = 6;
  double launch_noise = 0.04;  ///< standard deviation of the logarithm, of all times of a launch
  double cell_noise = 0.04;    ///< of each time
};

/// Noise-free time [s]: messages of the algorithm that runs, each as long as the law says. `world`
/// draws what is rough.
inline double true_seconds(const Truth& truth, const schedules::Workload& work,
                           std::uint64_t world) {
  const auto runs = algorithm_that_runs(truth.operation, truth.algorithm, work);
  const Costs costs = closed_forms(truth.operation, *runs).front().costs(work);
  std::seed_seq seed{world, static_cast<std::uint64_t>(work.ranks),
                     static_cast<std::uint64_t>(work.bytes.value)};
  std::mt19937_64 engine(seed);
  std::seed_seq seed_of_ranks{world, static_cast<std::uint64_t>(work.ranks)};
  std::mt19937_64 engine_of_ranks(seed_of_ranks);
  std::normal_distribution<double> normal;
  const double rough =
      std::exp(truth.roughness * normal(engine) + truth.rank_roughness * normal(engine_of_ranks));
  return rough *
         (truth.call_seconds +
          costs.alpha_count * truth.message(work.ranks, costs.beta_bytes / costs.alpha_count));
}

inline Curve measured_curve(const Truth& truth, const Sweep& sweep, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  Curve curve{.operation = truth.operation,
              .algorithm = truth.algorithm,
              .proven = true,
              .setting = "",
              .mpi_library = "known",
              .works = {},
              .medians_seconds = {}};
  for (const int ranks : sweep.ranks) {
    std::vector<double> factors;
    for (int launch = 0; launch < sweep.launches; ++launch) {
      factors.push_back(std::exp(sweep.launch_noise * normal(engine)));
    }
    for (const std::int64_t bytes : sweep.sizes) {
      const schedules::Workload work{.ranks = ranks, .bytes = {bytes}, .element_bytes = 8};
      curve.works.push_back(work);
      auto& row = curve.medians_seconds.emplace_back();
      for (const double factor : factors) {
        row.push_back(true_seconds(truth, work, seed) * factor *
                      std::exp(sweep.cell_noise * normal(engine)));
      }
    }
  }
  return curve;
}

/// Of the predictions of one truth.
struct PredictionQuality {
  int predictions = 0;
  int covered = 0;
  double error = 0;  ///< mean |T - t|/t
  double width = 0;  ///< geometric mean of the upper over the lower end
};

inline PredictionQuality study(const Truth& truth, const Sweep& sweep, int trials) {
  PredictionQuality quality;
  double log_width = 0;
  Sweep requested = sweep;
  requested.ranks = {sweep.requested};
  for (int trial = 1; trial <= trials; ++trial) {
    const auto seed = static_cast<std::uint64_t>(trial);
    const Fits fits = fit_collectives({measured_curve(truth, sweep, seed)});
    const Curve measured = measured_curve(truth, requested, seed);
    for (std::size_t i = 0; i < measured.works.size(); ++i) {
      const schedules::Workload& work = measured.works[i];
      const double median_of_launches = median_of_some(measured.medians_seconds[i]);
      const auto found = predict(fits.fits.at(0), work);
      const Interval interval = found->interval.value();
      ++quality.predictions;
      if (interval.low <= median_of_launches && median_of_launches <= interval.high) {
        ++quality.covered;
      }
      quality.error += std::abs(found->seconds / true_seconds(truth, work, seed) - 1);
      log_width += std::log(interval.high / interval.low);
    }
  }
  quality.error /= quality.predictions;
  quality.width = std::exp(log_width / quality.predictions);
  return quality;
}

/// alpha + beta m.
inline double straight(double /*ranks*/, double bytes) { return 0.8e-6 + 0.3e-9 * bytes; }

/// No line: short messages are copied, long ones stream.
inline double bent(double /*ranks*/, double bytes) {
  return 0.7e-6 * (1 + std::pow(bytes / 300, 0.7));
}

/// Long messages have another protocol.
inline double two_protocols(double /*ranks*/, double bytes) {
  return bytes <= 4096 ? 0.8e-6 + 0.8e-9 * bytes : 6e-6 + 0.2e-9 * bytes;
}

/// Memory that ranks share: long messages take a tenth longer with each doubling of the ranks.
inline double shared_memory(double ranks, double bytes) {
  const double share = bytes / (bytes + 4096);
  return bent(ranks, bytes) * std::pow(1 + 0.1 * share, std::log2(ranks));
}

inline std::vector<Truth> truths() {
  std::vector<Truth> all;
  for (const auto& [operation, algorithm] :
       {std::pair{"allreduce", "ring"}, std::pair{"allreduce", "recursive_doubling"},
        std::pair{"allreduce", "rabenseifner"}, std::pair{"alltoall", "pairwise"},
        std::pair{"bcast", "binomial"}}) {
    const std::string name = std::string(" ") + algorithm;
    all.push_back({"straight" + name, operation, algorithm, straight});
    all.push_back({"bent" + name, operation, algorithm, bent});
    all.push_back({"two protocols" + name, operation, algorithm, two_protocols});
    all.push_back({"shared memory" + name, operation, algorithm, shared_memory});
    all.push_back({"dear call" + name, operation, algorithm, bent, 0.5e-6});
    all.push_back({"rough" + name, operation, algorithm, shared_memory, 0, 0.1});
    all.push_back({"rough ranks" + name, operation, algorithm, shared_memory, 0, 0.05, 0.08});
  }
  return all;
}

}  // namespace hockney::collectives
