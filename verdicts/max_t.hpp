#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "verdicts/multiplicity.hpp"

namespace hockney::verdicts {

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

}  // namespace hockney::verdicts
