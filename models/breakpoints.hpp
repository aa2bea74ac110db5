#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/words.hpp"
#include "models/curves.hpp"
#include "models/hockney.hpp"

namespace hockney::models {

/// Distinct sizes every segment must have when there is more than one: two parameters and at least
/// two residuals to judge them by.
inline constexpr std::size_t sizes_per_segment = 4;

/// A division of the sizes of a curve into runs, each with its own line.
struct Segmentation {
  std::vector<std::size_t> starts;  ///< index of the first size of each segment; starts[0] == 0
  double cost = 0;                  ///< sum of squared relative residuals

  [[nodiscard]] std::size_t segments() const { return starts.size(); }
  /// One past the last size of segment k of a curve with `sizes` sizes.
  [[nodiscard]] std::size_t end(std::size_t k, std::size_t sizes) const {
    return k + 1 < starts.size() ? starts[k + 1] : sizes;
  }
};

/// The best division into 1, 2, ... `most` segments (fewer when the sizes do not suffice): exact
/// dynamic programming over the segment neighbourhood, D[k][e] = min_s D[k-1][s] + cost(s, e)
/// (Bellman 1961; Bai and Perron 2003), O(most n^2). Empty for fewer than two sizes.
std::vector<Segmentation> best_segmentations(const LineCosts& costs, std::size_t most);

/// n ln(max(cost/n, floor^2)) + (3k - 1) ln n: two parameters a segment and one place a breakpoint.
/// No division scores below what the noise `floor` (relative, as a fraction) leaves undecided.
double information_criterion(const Segmentation& segmentation, std::size_t sizes, double floor);

/// The candidate with the lowest criterion, the one with fewer segments when two are equal.
/// `candidates` must not be empty.
const Segmentation& choose_segmentation(const std::vector<Segmentation>& candidates,
                                        std::size_t sizes, double floor);

/// A change of protocol somewhere between two neighbouring sizes of the grid.
struct Breakpoint {
  std::size_t place = 0;  ///< index of the first size after it
  /// Share of the replicates that have a breakpoint within one grid step; nullopt for one launch.
  std::optional<double> recurrence;

  friend bool operator==(const Breakpoint&, const Breakpoint&) = default;
};

/// What stands behind the accepted breakpoints of a fit.
enum class Confirmation { none_needed, bic, launches };

constexpr auto words_of(std::type_identity<Confirmation>) {
  return std::to_array<std::string_view>({"none_needed", "bic", "launches"});
}

struct Segments {
  std::vector<std::size_t> starts;  ///< index of the first size of each segment; starts[0] == 0
  double noise_floor = 0;           ///< relative, as a fraction
  Confirmation confirmed_by = Confirmation::none_needed;
  std::vector<Breakpoint> accepted;
  std::vector<Breakpoint> rejected;  ///< preferred by the criterion, but not recurring
};

/// The least recurrence with which a breakpoint is accepted.
inline constexpr double least_recurrence = 0.8;

/// Finds the segments of a curve of at least two sizes: the information criterion on the pooled
/// curve proposes breakpoints, and those that recur in at least least_recurrence of the replicates
/// stay where they are. A replicate is a random half of the launches, pooled and segmented by
/// itself with its own noise floor; halves come in complementary pairs (Shah and Samworth 2013),
/// because a bootstrap would repeat the noise of the very launches that proposed the breakpoint.
/// The draw is seeded, so equal curves give equal segments. With one launch the criterion alone
/// decides.
Segments find_segments(const Curve& curve, std::size_t most);

}  // namespace hockney::models
