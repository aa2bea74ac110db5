#pragma once

#include <array>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/faults.hpp"
#include "core/words.hpp"
#include "verdicts/crossover.hpp"
#include "verdicts/matching.hpp"
#include "verdicts/max_t.hpp"

namespace hockney::verdicts {

/// What is said of B, relative to A. `no_evidence` is no proof that they are equal.
enum class Verdict { faster, slower, no_evidence };

constexpr auto words_of(std::type_identity<Verdict>) {
  return std::to_array<std::string_view>({"faster", "slower", "no evidence"});
}

/// Why there is no evidence: `too_few_launches` could not have shown any difference, however large.
enum class NoEvidence { too_few_launches, not_significant };

constexpr auto words_of(std::type_identity<NoEvidence>) {
  return std::to_array<std::string_view>({"too_few_launches", "not_significant"});
}

/// `paired`: launch by launch of one campaign; intervals are of the signed-rank test. `unpaired`:
/// the launches of A against those of B; intervals are of the rank-sum test.
enum class Design { paired, unpaired };

constexpr auto words_of(std::type_identity<Design>) {
  return std::to_array<std::string_view>({"paired", "unpaired"});
}

/// Whether A and B are settings of one campaign, whose launches took turns in its blocks, or were
/// measured apart, so that drift of the machine is part of the difference.
enum class Origin { one_campaign, apart };

/// Whether launches of one block are paired, where both sides have a time in the same blocks.
enum class Pairing { where_possible, never };

struct CompareOptions {
  double alpha = 0.05;  ///< in (0, 0.5]
  double at_least = 0;  ///< d >= 0: only ratios beyond [1/(1+d), 1+d] are differences
  Correction correction = Correction::max_t;
  Origin origin = Origin::apart;
  Pairing pairing = Pairing::where_possible;
};

/// One side of one comparison.
struct Absolute {
  std::size_t launches = 0;
  std::size_t pairs = 0;                     ///< pairs of ranks that were pooled
  double median_seconds = 0;                 ///< of the launch medians
  std::optional<Interval> interval_seconds;  ///< exact, over launches
  std::optional<std::string> path;           ///< proven in all launches
};

/// One point on both sides. Intervals are at level 1 - alpha each by itself, but family_interval;
/// p_adjusted holds for the whole family.
struct Comparison {
  Point point;
  Design design = Design::unpaired;
  Absolute a;
  Absolute b;
  double ratio = 1;  ///< B/A: exp of the Hodges-Lehmann estimate over logarithms of launch medians
  std::optional<Interval> ratio_interval;
  double p = 1;           ///< two-sided, of the ratio lying beyond at_least
  double p_adjusted = 1;  ///< corrected for the family
  double smallest_p = 1;  ///< the smallest p that so many launches can give
  Verdict verdict = Verdict::no_evidence;
  std::optional<NoEvidence> reason;  ///< of no evidence
  std::size_t family = 1;            ///< comparisons judged together
  /// By the test of the verdict: beyond at_least exactly where a difference is shown; all of the
  /// family hold at once. nullopt where few launches leave every ratio possible, and with bh.
  std::optional<Interval> family_interval;
  /// On each side: that could show any difference, when there are too few; else, of max_t, that
  /// would show this one four times of five (verdicts/power.hpp). Never as few as there are.
  std::optional<std::size_t> launches_needed;
  Contrast contrast;  ///< what is tested

  /// What stands beside the verdict: family_interval, or where there is none ratio_interval.
  [[nodiscard]] const std::optional<Interval>& interval() const {
    return family_interval ? family_interval : ratio_interval;
  }
  /// Whether that holds of this point alone, although others are judged with it.
  [[nodiscard]] bool interval_is_alone() const {
    return !family_interval && ratio_interval && family > 1;
  }
};

/// A point that lacks a side, and why.
struct LonePoint {
  Point point;
  Absence absence = Absence::not_planned;  ///< of the side that lacks it
  std::string detail;
};

/// Launches of one side.
struct ComparedSide {
  std::string source;  ///< what the user called it
  std::string setting;
  std::string mpi_library;
  std::size_t launches = 0;           ///< complete ones
  std::size_t launches_left_out = 0;  ///< interrupted or failed
};

struct CompareSet {
  CompareOptions options;
  ComparedSide a;
  ComparedSide b;
  std::vector<Comparison> comparisons;
  std::size_t family = 0;  ///< comparisons judged together: these, or more
  std::vector<LonePoint> only_in_a;
  std::vector<LonePoint> only_in_b;
  std::vector<LonePoint> in_neither;  ///< planned, and without a time on both sides
  std::vector<Crossover> crossovers;  ///< of each curve of two or more sizes
  std::vector<FaultFinding> faults;   ///< of both sides, whose figures are left out
  std::string oversubscribed;  ///< launches whose ranks share CPUs (core/cpu_sharing.hpp); or empty
};

/// Compares every point that both sides measured; each record is a launch. A verdict needs
/// p_adjusted <= alpha and a ratio beyond at_least. Curves cross where verdicts do. InputError when
/// alpha or at_least is out of its range.
CompareSet compare(std::span<const Record> a, std::span<const Record> b,
                   const CompareOptions& options = {});

/// Two sides; each record is a launch.
struct SideRecords {
  std::span<const Record> a;
  std::span<const Record> b;
};

/// Judges comparisons together: p, p_adjusted, verdicts and what goes with them. `p` is given by
/// ranks, and with max_t taken from the exchange of launches.
void judge_family(std::span<Comparison* const> comparisons, const CompareOptions& options);

/// The same for several pairs of sides, in their order, whose points are one family: p_adjusted
/// and verdicts hold for all of them together.
std::vector<CompareSet> compare_family(std::span<const SideRecords> family,
                                       const CompareOptions& options);

inline constexpr std::string_view compare_schema = "hockney.compare/1";

/// The document of `hockney compare --json`; what is not known is null.
nlohmann::json to_json(const CompareSet& set);

}  // namespace hockney::verdicts
