#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/statistics.hpp"
#include "verdicts/guideline_cells.hpp"
#include "verdicts/multiplicity.hpp"

namespace hockney {

/// What the launches say of a guideline at one size. `satisfied` is shown, not assumed.
enum class Compliance { violated, satisfied, undecided };

/// Why a cell is undecided.
enum class Doubt {
  too_few_launches,  ///< no times whatever could have shown a violation
  spread,            ///< the ratio is not known well enough
  clock              ///< the difference is smaller than what the clocks can see
};

struct GuidelineOptions {
  double alpha = 0.05;  ///< of any false violation in the whole family; in (0, 0.5]
  double delta = 0.05;  ///< d >= 0: a left side up to 1 + d times the right one is no violation
  Correction correction = Correction::max_t;
};

/// One side of a cell.
struct SideTime {
  double median_seconds = 0;  ///< of the launch medians
  std::optional<Interval> interval_seconds;
};

/// The ratio is left / (factor x right); its interval is at level 1 - alpha by itself, p_adjusted
/// holds for the whole family.
struct GuidelineVerdict {
  GuidelineCell cell;
  SideTime left;
  SideTime right;    ///< without the factor
  double ratio = 1;  ///< exp of the Hodges-Lehmann estimate over log ratios of launches
  std::optional<Interval> ratio_interval;
  double p = 1;           ///< one-sided, of the ratio lying above 1 + delta
  double p_adjusted = 1;  ///< corrected for the family
  Compliance verdict = Compliance::undecided;
  std::optional<Doubt> doubt;  ///< of undecided ones
  double clock_seconds = 0;    ///< median over launches
  /// With these launches' spread, the smallest ratio that would have been found a violation;
  /// nullopt where there are too few launches for any.
  std::optional<double> smallest_visible_ratio;
  std::optional<std::size_t> launches_needed;  ///< when there are too few
};

struct GuidelineSet {
  GuidelineOptions options;
  std::vector<GuidelineVerdict> verdicts;  ///< one family
  std::vector<UnmeasuredCell> unmeasured;
  std::size_t launches = 0;
  std::size_t launches_left_out = 0;
};

/// Judges every cell. Violated: p_adjusted <= alpha, and the difference of the medians exceeds what
/// the clocks can see. Satisfied: the upper end of the ratio's interval is at most 1 + delta.
/// InputError as of guideline_cells, and when alpha or delta is out of its range.
GuidelineSet judge_guidelines(std::span<const Record> records,
                              const GuidelineOptions& options = {});

/// The same of cells there are already.
GuidelineSet judge_cells(GuidelineCells cells, const GuidelineOptions& options);

}  // namespace hockney
