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

/// Error rate of a family of tests. `none`: each test alone is at level alpha. `holm`, `max_t`: at
/// most alpha of the families have any false discovery; max_t exchanges whole launches.
/// `benjamini_hochberg`: at most alpha of the discoveries are false.
enum class Correction { none, holm, benjamini_hochberg, max_t };

/// As spelt in options and documents.
constexpr auto words_of(std::type_identity<Correction>) {
  return std::to_array<std::string_view>({"none", "holm", "bh", "max-t"});
}

inline constexpr std::array corrections{Correction::max_t, Correction::holm,
                                        Correction::benjamini_hochberg, Correction::none};

/// As worded in a sentence: "corrected by Holm".
std::string_view describe(Correction correction);

/// Holm (1979), for any dependence: max over j <= i of min(1, (m-j+1) p(j)), in the order given.
std::vector<double> holm(std::span<const double> p);

/// Benjamini and Hochberg (1995), for independent or positively dependent tests: min over j >= i of
/// min(1, m/j p(j)), in the order given.
std::vector<double> benjamini_hochberg(std::span<const double> p);

/// Adjusts p-values for every correction except max_t, which needs the launches.
std::vector<double> adjust(std::span<const double> p, Correction correction);

// Judges many points together by exchanging whole launches (Westfall and Young 1993, step-down
// max-T). If A and B are alike, a pair's difference is as likely to have the opposite sign, for all
// points of the launch together. Launches without pairs could as well belong to the other side.
// Points of one launch vary together, so a large family loses little power. The smallest p of a
// family equals that of a single point. Only whole launches are exchanged.

/// The value of one launch at a point.
struct LaunchLog {
  std::size_t launch = 0;  ///< number of the pair; without pairs, index within the side
  double value = 0;        ///< log seconds, or log B - log A of a pair
};

std::vector<double> values_of(std::span<const LaunchLog> launches);

/// The launches of B against those of A at one point.
struct Contrast {
  std::vector<LaunchLog> a;  ///< empty for pairs
  std::vector<LaunchLog> b;  ///< for pairs: all of them
  std::size_t sides = 0;     ///< without pairs: equal `sides` exchange the same launches
};

/// Tested alternatives. `greater`: B exceeds A by more than the margin. `either`: one exceeds the
/// other.
enum class Alternative { greater, either };

/// p-values of a family, in the order of its contrasts.
struct FamilyTest {
  std::vector<double> p;           ///< each test alone
  std::vector<double> p_adjusted;  ///< corrected for the family; never below p
  std::vector<double> largest;     ///< the largest statistic of each rearrangement, ascending
};

/// Tests whether `b` exceeds `a` by more than margin >= 0; with `either`, whether one exceeds the
/// other. The statistic is sum(d) / sqrt(sum(d^2)) over the differences minus the margin, a
/// monotone form of Student's t. Differences beyond 3 times their median size are first limited to
/// it. Sides without pairs use the pooled two-sample form. Up to 4096 rearrangements are all
/// counted; otherwise 9999 drawn ones and the real one. The draws are the same each time.
FamilyTest max_t(std::span<const Contrast> family, double margin, Alternative alternative);

/// The statistic for B above A by more than `margin`, which may be negative, without rearrangement.
/// For A above B its sign is opposite.
double statistic_of(const Contrast& contrast, double margin);

/// p-values of a family: by max_t, or `by_ranks` (p-values of rank tests) corrected.
FamilyTest test_family(std::span<const Contrast> family, std::span<const double> by_ranks,
                       Correction correction, double margin, Alternative alternative);

/// Limits values to 3 times their median size, and sets ties to 0. So a launch with a burst has a
/// limited effect. Only sizes count, so exchanging signs changes nothing.
void draw_in(std::vector<double>& values);

/// 1 / C(a + b, b): the probability of one assignment of launches to A and B.
double chance_of_labels(std::size_t of_a, std::size_t of_b);

// Intervals that agree with the verdicts of a family. Each contains the shifts (logarithms of
// ratios) at which the statistic of max_t stays within its chance range. All of them contain their
// true values together in at least 1 - alpha of the campaigns. An interval lies wholly beyond the
// margin exactly if a difference is shown. The chance range is the larger of two: without any
// difference, as in the test, and around the differences found. Real differences widen the test's
// range beyond the noise.

/// Verdict of the family on one contrast.
enum class Shown { nothing, above, below };

/// The verdict on a ratio: significant at alpha and beyond [1/(1+d), 1+d] for d = `least`.
Shown shown_by(double p_adjusted, double alpha, double ratio, double least);

/// Adapts an interval to the verdict, since few launches make both discrete. If a difference is
/// shown, the interval ends at the margin; otherwise it reaches the margin.
Interval agreeing(Interval shifts, double margin, Shown shown,
                  Alternative alternative = Alternative::either);

/// In the order of the family; nullopt if so few launches leave every shift possible. `test`
/// belongs to the same family and alternative, with any margin. O(family x rearrangements).
std::vector<std::optional<Interval>> family_intervals(std::span<const Contrast> family,
                                                      const FamilyTest& test, double alpha,
                                                      Alternative alternative);

// Options about verdicts, spelt the same in every subcommand. InputError names the option.

/// --alpha: the chance of a false alarm, above 0 and at most 0.5.
double parse_alpha(const std::string& text);

/// A difference in per cent, "5%", as a fraction >= 0. Errors quote `meaning`.
double parse_margin(const std::string& option, const std::string& text, const std::string& meaning);

/// InputError unless `alpha` is above 0 and at most 0.5, and the margin, which the message calls
/// `name`, a fraction of at least 0.
void check_family_options(double alpha, std::string_view name, double margin);

/// --correction: max-t, holm, bh or none.
Correction parse_correction(const std::string& text);

}  // namespace hockney::verdicts
