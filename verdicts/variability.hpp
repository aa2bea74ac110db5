#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/record.hpp"
#include "core/statistics.hpp"

namespace hockney::verdicts {

/// What makes times of one operation differ, from one call to the next up to from day to day.
enum class Cause {
  repetition,  ///< calls of one measurement block
  block,       ///< blocks of one launch
  launch,      ///< launches of one job, and what they make of one place
  place,       ///< pairs of nodes, or of ranks where all are on the same nodes
  job,         ///< jobs of one day
  day
};

constexpr auto words_of(std::type_identity<Cause>) {
  return std::to_array<std::string_view>(
      {"repetitions", "blocks", "launches", "places", "jobs", "days"});
}

/// How much of the variance a cause has.
struct CauseShare {
  Cause cause = Cause::repetition;
  double share = 0;                    ///< of 1
  std::optional<Interval> interval{};  ///< nullopt for fewer than six of the outermost units
};

/// Where the spread of one point's times comes from.
struct VarianceSplit {
  Point point;          ///< without pair, path and algorithm
  std::string setting;  ///< of the campaign
  std::size_t launches = 0;
  double spread = 0;               ///< standard deviation of one call's time, relative to it
  std::vector<CauseShare> shares;  ///< of the causes that can be told, by Cause
  std::vector<Cause> untold;       ///< causes with one unit, or the same units as a finer one
};

/// Splits the variance of the logarithm of the times that count (core/samples.hpp), of every point
/// of complete launches with their samples. Each launch is of the job that its environment names
/// (SLURM_JOB_ID) and of the day on which it started (UTC). Intervals are jackknifed over the
/// outermost of days, jobs and launches of which there are six or more, on the arcsine of the root
/// of the share: of known truths the intervals at 95 % hold 88 to 97 %
/// (tests/verdicts/variability_test.cpp). Points whose variances cannot be told apart are left out.
std::vector<VarianceSplit> split_variance(std::span<const Record> records);

}  // namespace hockney::verdicts
