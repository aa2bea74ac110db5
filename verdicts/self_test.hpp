#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_node.hpp"
#include "core/record.hpp"
#include "core/statistics.hpp"

namespace hockney::verdicts {

/// How often something happened, with the exact interval of the probability (Clopper and Pearson
/// 1934) at 95 %, as if trials were independent; nullopt without trials.
struct Rate {
  int hits = 0;
  int trials = 0;

  [[nodiscard]] std::optional<double> share() const;
  [[nodiscard]] std::optional<Interval> interval() const;

  friend bool operator==(const Rate&, const Rate&) = default;
};

/// What clock synchronisation found between ranks that read the same clock, where the truth is 0.
struct ClockTruth {
  Rate within;  ///< findings whose |estimate| does not exceed the bound
  std::optional<double> median_error_seconds;   ///< |estimate|; of those that found anything
  std::optional<double> largest_error_seconds;  ///< the same
  std::optional<double> median_bound_seconds;   ///< the same

  friend bool operator==(const ClockTruth&, const ClockTruth&) = default;
};

ClockTruth judge_clock(std::span<const ClockSelfTest> findings);

/// The findings of all launches together, or why there are none.
struct ClockVerdict {
  std::optional<ClockTruth> truth;
  std::string reason;  ///< why there is none; empty otherwise

  friend bool operator==(const ClockVerdict&, const ClockVerdict&) = default;
};

ClockVerdict judge_clocks(std::span<const Record> launches);

/// What was said of one variant compared with the variant "a".
struct VariantVerdicts {
  std::string variant;          ///< "b" differs in name only; "slow-10" is 10 % slower
  double planted = 0;           ///< 0.1 for "slow-10"
  Rate different;               ///< comparisons with a verdict, each at 5 % by itself
  Rate any;                     ///< sub-campaigns with any verdict, their points judged as a family
  std::optional<double> ratio;  ///< median over comparisons

  friend bool operator==(const VariantVerdicts&, const VariantVerdicts&) = default;
};

/// What was measured, where and when: each text once, in order of the alphabet.
struct MeasuredOn {
  std::vector<std::string> mpi_libraries;
  std::vector<std::string> hosts;
  std::vector<int> ranks;  ///< of a launch
  std::string first_utc;   ///< start of the first launch
  std::string last_utc;    ///< start of the last launch

  friend bool operator==(const MeasuredOn&, const MeasuredOn&) = default;
};

/// What the tool finds in a campaign whose truth is known.
struct SelfTest {
  int launches = 0;                       ///< complete ones
  int launches_each = 0;                  ///< in one sub-campaign
  std::vector<VariantVerdicts> variants;  ///< "b" gives false alarms, the others power
  Rate covered_at_random;  ///< intervals of random sub-campaigns that hold the campaign's median
  Rate covered_in_blocks;  ///< the same of consecutive launches: drift shows here
  ClockVerdict clock;
  MeasuredOn measured;

  friend bool operator==(const SelfTest&, const SelfTest&) = default;
};

/// Cuts the launches at random into sub-campaigns of `launches_each`, compares every variant of
/// every point with its variant "a" inside each, and looks whether their intervals hold the median
/// of all launches; judges the clock by the checks of all of them. InputError for records without
/// variants, or fewer launches than two sub-campaigns need.
SelfTest evaluate_self_test(std::span<const Record> records, int launches_each, std::uint64_t seed);

inline constexpr std::string_view self_test_schema = "hockney.self-test/1";

/// The document of `hockney self-test`; what is not known is null.
nlohmann::json to_json(const SelfTest& test);

/// Strict: InputError of one line naming file and key for whatever is unknown, missing, mistyped or
/// contradicts itself.
SelfTest read_self_test(const JsonNode& document);
SelfTest load_self_test(const std::string& file);

}  // namespace hockney::verdicts
