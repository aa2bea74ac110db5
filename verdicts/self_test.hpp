#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"

namespace hockney {

/// How often something happened, with the exact interval of the probability (Clopper and Pearson
/// 1934) at 95 %, as if trials were independent; nullopt without trials.
struct Rate {
  int hits = 0;
  int trials = 0;

  [[nodiscard]] std::optional<double> share() const;
  [[nodiscard]] std::optional<Interval> interval() const;
};

/// What was said of one variant compared with the variant "a".
struct VariantVerdicts {
  std::string variant;          ///< "b" differs in name only; "slow-10" is 10 % slower
  double planted = 0;           ///< 0.1 for "slow-10"
  Rate different;               ///< comparisons with a verdict, each at 5 % by itself
  std::optional<double> ratio;  ///< median over comparisons
};

/// What the tool finds in a campaign whose truth is known.
struct SelfTest {
  int launches = 0;                       ///< complete ones
  int launches_each = 0;                  ///< in one sub-campaign
  std::vector<VariantVerdicts> variants;  ///< "b" gives false alarms, the others power
  Rate covered_at_random;  ///< intervals of random sub-campaigns that hold the campaign's median
  Rate covered_in_blocks;  ///< the same of consecutive launches: drift shows here
};

/// Cuts the launches at random into sub-campaigns of `launches_each`, compares every variant of
/// every point with its variant "a" inside each, and looks whether their intervals hold the median
/// of all launches. InputError for records without variants, or fewer launches than two
/// sub-campaigns need.
SelfTest evaluate_self_test(std::span<const Record> records, int launches_each, std::uint64_t seed);

}  // namespace hockney
