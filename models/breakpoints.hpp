#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/words.hpp"
#include "models/curves.hpp"
#include "models/piecewise.hpp"

namespace hockney {

/// A change of protocol somewhere between two neighbouring sizes of the grid.
struct Breakpoint {
  std::size_t place = 0;  ///< index of the first size after it
  /// Share of the replicates that have a breakpoint within one grid step; nullopt for one launch.
  std::optional<double> recurrence;

  friend bool operator==(const Breakpoint&, const Breakpoint&) = default;
};

/// What stands behind the accepted breakpoints of a fit.
enum class Confirmation { none_needed, bic, launches };

template <>
inline constexpr std::array<std::string_view, 3> enum_words<Confirmation>{"none_needed", "bic",
                                                                          "launches"};

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

}  // namespace hockney
