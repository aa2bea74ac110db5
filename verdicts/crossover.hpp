#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/point.hpp"
#include "core/statistics.hpp"

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

}  // namespace hockney::verdicts
