#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/statistics.hpp"
#include "core/text.hpp"

namespace hockney::verdicts {

/// What is promised of a family of tests: of each by itself, that at most alpha of the families
/// have any false discovery (Holm; max_t, which exchanges whole launches), or that at most alpha of
/// the discoveries are false (Benjamini and Hochberg).
enum class Correction { none, holm, benjamini_hochberg, max_t };

/// In options and documents.
constexpr auto words_of(std::type_identity<Correction>) {
  return std::to_array<std::string_view>({"none", "holm", "bh", "max-t"});
}

inline constexpr std::array corrections{Correction::max_t, Correction::holm,
                                        Correction::benjamini_hochberg, Correction::none};

/// As in a sentence: "corrected by Holm".
std::string_view describe(Correction correction);

/// Holm (1979), for any dependence: max over j <= i of min(1, (m-j+1) p(j)), in the order given.
std::vector<double> holm(std::span<const double> p);

/// Benjamini and Hochberg (1995), for independent or positively dependent tests: min over j >= i of
/// min(1, m/j p(j)), in the order given.
std::vector<double> benjamini_hochberg(std::span<const double> p);

/// By p-values alone, of which max_t is none.
std::vector<double> adjust(std::span<const double> p, Correction correction);

// Many points judged together by exchanging whole launches (Westfall and Young 1993, step-down
// max-T). Where A and B are alike, the sign of a pair's difference is as likely to be the other
// one, for all points of the launch at once; and launches that are no pairs could as well have been
// of the other side. Points of one launch move together, so a family of them costs little, and the
// smallest p is that of a point by itself. Launches are the unit: nothing within them is exchanged.

/// What one launch says of a point.
struct LaunchLog {
  std::size_t launch = 0;  ///< a pair's number; where there are no pairs, which one of its side
  double value = 0;        ///< log seconds, or log B - log A of a pair
};

/// What launches say of B against A at one point.
struct Contrast {
  std::vector<LaunchLog> a;  ///< empty where launches are pairs
  std::vector<LaunchLog> b;  ///< the pairs, where they are
  std::size_t sides = 0;     ///< without pairs: launches of the same two sides change together
};

/// Which alternatives are tested: B beyond A by more than a margin, or either beyond the other.
enum class Alternative { greater, either };

/// p-values of a family, in the order of its contrasts.
struct FamilyTest {
  std::vector<double> p;           ///< each by itself
  std::vector<double> p_adjusted;  ///< corrected for the family; never below p
  std::vector<double> largest;     ///< the largest statistic of each rearrangement, ascending
};

/// Tests whether `b` lies above `a` by more than margin >= 0 (or, for `either`, one beyond the
/// other by more). The statistic of a point is sum(d) / sqrt(sum(d^2)) over its differences less
/// the margin, a monotone form of Student's t, after differences beyond 3 times their median size
/// are drawn in to it; of sides without pairs its pooled two-sample form. All rearrangements up to
/// 4096, or 9999 drawn ones beside the real one; the draws are the same each time.
FamilyTest max_t(std::span<const Contrast> family, double margin, Alternative alternative);

/// The statistic of B lying above A by more than `margin`, which may be negative, in the launches
/// as they are. Of A above B it is the same with another sign.
double statistic_of(const Contrast& contrast, double margin);

/// p-values of a family: by max_t, or those that ranks gave, `by_ranks`, corrected.
FamilyTest test_family(std::span<const Contrast> family, std::span<const double> by_ranks,
                       Correction correction, double margin, Alternative alternative);

/// Draws values far from 0 in to 3 times their median size, and makes ties 0. A launch with a burst
/// has its say, and no more than that. Sizes alone decide, so exchanging signs changes nothing.
void draw_in(std::vector<double>& values);

/// 1 / C(a + b, b): the chance of one way to say which launches are those of B.
double chance_of_labels(std::size_t of_a, std::size_t of_b);

// Intervals that agree with the verdicts of a family. Each holds the shifts (logarithms of ratios)
// at which the statistic of max_t does not exceed what the family reaches by chance. So all of them
// hold their true values at once in at least 1 - alpha of the campaigns, and one lies wholly beyond
// the margin exactly where a difference is shown. Chance is taken twice, and the larger counts: as
// the test does, without any difference, and around the differences found, since those make the
// launches of the test larger than their noise.

/// What the family says of one contrast.
enum class Shown { nothing, above, below };

/// The same interval, drawn to the verdict where the discreteness of few launches parts them: of
/// what is shown it ends at the margin, and of what is not it reaches the margin.
Interval agreeing(Interval shifts, double margin, Shown shown);

/// In the order of the family; nullopt where so few launches leave every shift possible. O(family x
/// rearrangements). `test` is that of the same family and alternative,
/// with any margin.
std::vector<std::optional<Interval>> family_intervals(std::span<const Contrast> family,
                                                      const FamilyTest& test, double alpha,
                                                      Alternative alternative);

// What users say of verdicts, as every subcommand spells it. InputError names the option.

/// --alpha: the chance of a false alarm, above 0 and at most 0.5.
double parse_alpha(const std::string& text);

/// A difference in per cent, "5%", as a fraction, 0 or more; `meaning` says of what.
double parse_margin(const std::string& option, const std::string& text, const std::string& meaning);

/// --correction: max-t, holm, bh or none.
Correction parse_correction(const std::string& text);

}  // namespace hockney::verdicts
