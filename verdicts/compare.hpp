#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/faults.hpp"
#include "core/point.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "verdicts/core_distances.hpp"
#include "verdicts/matching.hpp"
#include "verdicts/multiplicity.hpp"

namespace hockney::verdicts {

/// Side shown to be faster at a size.
enum class Winner { a, b, no_rank };

/// Launch medians of both sides in one round.
struct TimePair {
  double a_seconds = 0;
  double b_seconds = 0;
};

/// The verdict at one size, with the times of both sides.
struct SizeEvidence {
  Bytes bytes{};
  Winner winner = Winner::no_rank;
  std::vector<TimePair> launches;  ///< in the same order at every size
};

/// A change of the winner from one size to a larger one.
struct Crossing {
  Winner above = Winner::no_rank;          ///< faster side at larger sizes
  Bytes from{};                            ///< last size at which the other side is faster
  Bytes to{};                              ///< first size at which this side is faster
  double bytes = 0;                        ///< size of equal times [B]: median over launches
  std::optional<Interval> interval_bytes;  ///< over launches, to measured sizes; needs six launches
  std::size_t launches = 0;
};

/// Where two curves cross.
struct Crossover {
  Point point;                      ///< of the curve; `bytes` is unused
  std::vector<Crossing> crossings;  ///< by size
  std::string reason;  ///< if `crossings` has not exactly one element: the reason; else empty
};

/// Finds crossings between the last size won by one side and the first size won by the other. Sizes
/// without a winner between them belong to the gap. Each launch has one crossing. It lies between
/// the two sizes whose split separates the leads best, on the line through both differences of
/// times. The interval is exact over launches and widened to measured sizes, because the curves
/// between them are unmeasured. `sizes` ascend.
Crossover find_crossings(const Point& curve, std::span<const SizeEvidence> sizes,
                         double level = default_level);

struct MatchedPoint;
struct Comparison;

/// Verdict on B relative to A. `no_evidence` does not prove that they are equal.
enum class Verdict { faster, slower, no_evidence };

constexpr auto words_of(std::type_identity<Verdict>) {
  return std::to_array<std::string_view>({"faster", "slower", "no evidence"});
}

/// Reason for no evidence. `too_few_launches`: so few could not show even the largest difference.
enum class NoEvidence { too_few_launches, not_significant };

constexpr auto words_of(std::type_identity<NoEvidence>) {
  return std::to_array<std::string_view>({"too_few_launches", "not_significant"});
}

/// `paired`: the launches of each round of one campaign, with intervals of the signed-rank test.
/// `unpaired`: all launches of A and all of B, with intervals of the rank-sum test.
enum class Design { paired, unpaired };

constexpr auto words_of(std::type_identity<Design>) {
  return std::to_array<std::string_view>({"paired", "unpaired"});
}

/// `one_campaign`: A and B are settings whose launches alternated in the rounds of one campaign.
/// `apart`: they were measured separately, so the difference includes drift of the machine.
enum class Origin { one_campaign, apart };

/// Whether to pair launches of one round where both sides have times in the same rounds.
enum class Pairing { where_possible, never };

struct CompareOptions {
  double alpha = 0.05;  ///< in (0, 0.5]
  double at_least = 0;  ///< d >= 0: ratios within [1/(1+d), 1+d] are not differences
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
  std::optional<std::string> path;           ///< as verified in all launches
};

/// One point on both sides. `interval_seconds` and `ratio_interval` are at level 1 - alpha for this
/// point alone. `family_interval` and `p_adjusted` hold for the whole family.
struct Comparison {
  Point point;
  Design design = Design::unpaired;
  Absolute a;
  Absolute b;
  /// B/A. The ratio of the medians if it lies in the interval, or without an interval. Otherwise
  /// the medians contain drift between blocks; then exp of the Hodges-Lehmann estimate over
  /// logarithms of launch medians.
  double ratio = 1;
  std::optional<Interval> ratio_interval;
  double p = 1;           ///< two-sided, for a ratio beyond at_least
  double p_adjusted = 1;  ///< corrected for the family
  double smallest_p = 1;  ///< the smallest p possible with this number of launches
  Verdict verdict = Verdict::no_evidence;
  std::optional<NoEvidence> reason;  ///< set if the verdict is no_evidence
  std::size_t family = 1;            ///< comparisons judged together
  /// Lies beyond at_least exactly if a difference is shown. The intervals of a family hold
  /// simultaneously. nullopt with bh, and if few launches leave every ratio possible.
  std::optional<Interval> family_interval;
  /// Launches on each side. With too few launches: the number that could show any difference.
  /// Otherwise, with max_t: the number that would show this one in 80 % of cases
  /// (verdicts/rank_tests.hpp). Always more than measured.
  std::optional<std::size_t> launches_needed;
  Contrast contrast;  ///< launches that the test compares

  /// The interval printed beside the verdict: family_interval, else ratio_interval.
  [[nodiscard]] const std::optional<Interval>& interval() const {
    return family_interval ? family_interval : ratio_interval;
  }
  /// Whether interval() holds for this point alone, although the family has more points.
  [[nodiscard]] bool interval_is_alone() const {
    return !family_interval && ratio_interval && family > 1;
  }
};

/// A point that one side lacks, with the reason.
struct LonePoint {
  Point point;
  Absence absence = Absence::not_planned;  ///< reason on the side that lacks it
  std::string detail;
};

/// Launches of one side.
struct ComparedSide {
  std::string source;  ///< as the user named it
  std::string setting;
  std::string mpi_library;
  std::size_t launches = 0;           ///< complete ones (count_launches)
  std::size_t nodes = 0;              ///< that measured themselves in them; 0 without --each-node
  std::size_t launches_left_out = 0;  ///< interrupted or failed
  bool is_imported = false;           ///< whether its figures are another suite's means
};

struct CompareSet {
  CompareOptions options;
  ComparedSide a;
  ComparedSide b;
  bool of_means = false;  ///< of all samples (compares_means); else medians of undisturbed ones
  std::vector<Comparison> comparisons;
  std::size_t family = 0;  ///< comparisons judged together: these, or more
  std::vector<LonePoint> only_in_a;
  std::vector<LonePoint> only_in_b;
  std::vector<LonePoint> in_neither;  ///< planned, but without a time on either side
  std::vector<Crossover> crossovers;  ///< of each curve of two or more sizes
  std::vector<FaultFinding> faults;   ///< of both sides; their figures are left out
  std::string oversubscribed;  ///< launches whose ranks share CPUs (core/record.hpp), or empty
  std::optional<DifferentCores> cores;  ///< if the ranks of one side were farther apart
};

/// Compares every point that both sides measured; each record is a launch. A difference needs
/// p_adjusted <= alpha and a ratio beyond at_least. Curves cross where the faster side changes.
/// InputError if alpha or at_least is out of range.
CompareSet compare(std::span<const Record> a, std::span<const Record> b,
                   const CompareOptions& options = {});

/// Two sides; each record is a launch.
struct SideRecords {
  std::span<const Record> a;
  std::span<const Record> b;
};

/// Judges comparisons together: sets p, p_adjusted, verdicts and family intervals. On entry `p` is
/// the p-value by ranks; with max_t it is replaced by that of exchanged launches.
void judge_family(std::span<Comparison* const> comparisons, const CompareOptions& options);

/// Compares several pairs of sides, in their order, as one family: p_adjusted and verdicts hold for
/// all their points together.
std::vector<CompareSet> compare_family(std::span<const SideRecords> family,
                                       const CompareOptions& options);

}  // namespace hockney::verdicts
