#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_functions.hpp"
#include "core/record.hpp"
#include "core/statistics.hpp"

namespace hockney::verdicts {

/// How often something happened. The interval of the probability is exact for independent trials
/// (Clopper and Pearson 1934), at 95 %; nullopt without trials.
struct Rate {
  int hits = 0;
  int trials = 0;

  [[nodiscard]] std::optional<double> share() const;
  [[nodiscard]] std::optional<Interval> interval() const;

  friend bool operator==(const Rate&, const Rate&) = default;
};

/// Results of clock synchronisation between ranks that read the same clock: the true offset is 0.
struct ClockTruth {
  Rate within;  ///< results whose |estimate| does not exceed the bound
  std::optional<double> median_error_seconds;   ///< |estimate|, over checks with a result
  std::optional<double> largest_error_seconds;  ///< the same
  std::optional<double> median_bound_seconds;   ///< the same

  friend bool operator==(const ClockTruth&, const ClockTruth&) = default;
};

ClockTruth judge_clock(std::span<const ClockSelfTest> findings);

/// The results of all launches together, or the reason why there are none.
struct ClockVerdict {
  std::optional<ClockTruth> truth;
  std::string reason;  ///< reason why there are none; else empty

  friend bool operator==(const ClockVerdict&, const ClockVerdict&) = default;
};

ClockVerdict judge_clocks(std::span<const Record> launches);

/// Verdicts on one variant compared with the variant "a".
struct VariantVerdicts {
  std::string variant;          ///< "b" differs in name only; "slow-10" is 10 % slower
  double planted = 0;           ///< 0.1 for "slow-10"
  Rate different;               ///< comparisons with a verdict, each alone at 5 %
  Rate any;                     ///< sub-campaigns with any verdict, their points judged as a family
  std::optional<double> ratio;  ///< median over comparisons

  friend bool operator==(const VariantVerdicts&, const VariantVerdicts&) = default;
};

/// MPI libraries, hosts and dates of the launches: each text once, in alphabetical order.
struct MeasuredOn {
  std::vector<std::string> mpi_libraries;
  std::vector<std::string> hosts;
  std::vector<int> ranks;  ///< per launch
  std::string first_utc;   ///< start of the first launch
  std::string last_utc;    ///< start of the last launch

  friend bool operator==(const MeasuredOn&, const MeasuredOn&) = default;
};

/// Verdicts on a campaign with known differences.
struct SelfTest {
  int launches = 0;                       ///< complete ones
  int launches_each = 0;                  ///< in one sub-campaign
  std::vector<VariantVerdicts> variants;  ///< "b" gives the false alarms, the others give the power
  Rate covered_at_random;  ///< intervals of random sub-campaigns that contain the campaign's median
  Rate covered_in_blocks;  ///< the same for consecutive launches, which include drift
  ClockVerdict clock;
  MeasuredOn measured;

  friend bool operator==(const SelfTest&, const SelfTest&) = default;
};

/// Cuts the launches at random into sub-campaigns of `launches_each`, and compares every variant of
/// every point with its variant "a" in each. Checks whether the intervals contain the median of all
/// launches, and judges the clock by all launches' checks. InputError for records without variants,
/// or fewer launches than two sub-campaigns need.
SelfTest evaluate_self_test(std::span<const Record> records, int launches_each, std::uint64_t seed);

inline constexpr std::string_view self_test_schema = "hockney.self-test/1";

/// The document of `hockney self-test`; unknown values are null.
nlohmann::json to_json(const SelfTest& test);

/// Strict: InputError for any unknown, missing, mistyped or contradictory value. Its line names
/// file and key.
SelfTest read_self_test(const JsonNode& document);

}  // namespace hockney::verdicts
