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
#include "core/point.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "verdicts/matching.hpp"
#include "verdicts/multiplicity.hpp"

namespace hockney::verdicts {

/// Who is shown to be faster at a size.
enum class Winner { a, b, nobody };

/// The times of both sides in launches of one block.
struct TimePair {
  double a_seconds = 0;
  double b_seconds = 0;
};

/// What is known of A and B at one size.
struct SizeEvidence {
  Bytes bytes{};
  Winner winner = Winner::nobody;
  std::vector<TimePair> launches;  ///< in the same order at every size
};

/// A change of the winner from one size to a larger one.
struct Crossing {
  Winner above = Winner::nobody;           ///< who is faster at larger sizes
  Bytes from{};                            ///< the last size that the other one won
  Bytes to{};                              ///< the first size that this one won
  double bytes = 0;                        ///< where the times are equal: median over launches [B]
  std::optional<Interval> interval_bytes;  ///< over launches, to measured sizes; needs six
  std::size_t launches = 0;
};

/// Where two curves cross.
struct Crossover {
  Point point;                      ///< of the curve; its bytes mean nothing
  std::vector<Crossing> crossings;  ///< by size
  std::string reason;               ///< why there is not exactly one; empty when there is
};

/// Winners say which crossings there are; a size without a winner ends no stretch. Between the last
/// size of one winner and the first one of the next, each launch has its own crossing: where the
/// sizes before and after are told apart best, between two sizes on the line through both
/// differences of times. The interval is the exact one over launches, widened to measured sizes, as
/// nobody knows how the curves go between them. `sizes` ascend.
Crossover find_crossings(const Point& curve, std::span<const SizeEvidence> sizes,
                         double level = default_level);

struct MatchedPoint;
struct Comparison;

/// A crossover for every curve that was compared at two sizes or more, with intervals at `level`.
/// `points` are those of `comparisons`, in the same order. Where launches were not paired there are
/// no crossings, for that reason.
std::vector<Crossover> find_crossovers(std::span<const MatchedPoint> points,
                                       std::span<const Comparison> comparisons, double level);

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
  /// would show this one four times of five (verdicts/rank_tests.hpp). Never as few as there are.
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
  std::string oversubscribed;  ///< launches whose ranks share CPUs (core/record.hpp); or empty
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
