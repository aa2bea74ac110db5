#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/faults.hpp"
#include "core/json_node.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/guideline_cells.hpp"
#include "verdicts/multiplicity.hpp"

namespace hockney::verdicts {

/// What the launches say of a guideline at one size. `satisfied` is shown, not assumed.
enum class Compliance { violated, satisfied, undecided };

constexpr auto words_of(std::type_identity<Compliance>) {
  return std::to_array<std::string_view>({"violated", "satisfied", "undecided"});
}

/// Why a cell is undecided.
enum class Doubt {
  too_few_launches,  ///< no times whatever could have shown a violation
  spread,            ///< the ratio is not known well enough
  clock              ///< the difference is smaller than what the clocks can see
};

constexpr auto words_of(std::type_identity<Doubt>) {
  return std::to_array<std::string_view>({"too_few_launches", "spread", "clock"});
}

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
  /// By the test of the verdict (max_t): above 1 + delta exactly where p_adjusted <= alpha. All of
  /// the family hold at once, each end in 1 - alpha of the documents.
  std::optional<Interval> family_interval;
  double p = 1;           ///< one-sided, of the ratio lying above 1 + delta
  double p_adjusted = 1;  ///< corrected for the family
  Compliance verdict = Compliance::undecided;
  std::optional<Doubt> doubt;  ///< of undecided ones
  double clock_seconds = 0;    ///< median over launches
  /// With these launches' spread, the smallest ratio that would have been found a violation;
  /// nullopt where there are too few launches for any.
  std::optional<double> smallest_visible_ratio;
  std::optional<std::size_t> launches_needed;  ///< when there are too few

  /// What stands beside the verdict: family_interval, or where there is none ratio_interval.
  [[nodiscard]] const std::optional<Interval>& interval() const {
    return family_interval ? family_interval : ratio_interval;
  }
};

struct GuidelineSet {
  GuidelineOptions options;
  std::vector<GuidelineVerdict> verdicts;  ///< one family
  std::vector<UnmeasuredCell> unmeasured;
  std::size_t launches = 0;
  std::size_t launches_left_out = 0;
  std::vector<FaultFinding> faults;  ///< of the records, whose figures are left out
};

/// Judges every cell. Violated: p_adjusted <= alpha, and the difference of the medians exceeds what
/// the clocks can see. Satisfied: the upper end of the ratio's interval is at most 1 + delta.
/// InputError as of guideline_cells, and when alpha or delta is out of its range.
GuidelineSet judge_guidelines(std::span<const Record> records,
                              const GuidelineOptions& options = {});

/// The same of cells there are already.
GuidelineSet judge_cells(GuidelineCells cells, const GuidelineOptions& options);

/// An algorithm that a sweep found faster than the library's own choice.
struct Repair {
  std::string campaign;                       ///< of the sweep
  std::string algorithm;                      ///< its value on the axis "algorithm"
  std::map<std::string, std::string> others;  ///< where on the sweep's other axes
  Comparison against_default;                 ///< of the sweep's family: B is the algorithm
};

/// A violated guideline, and what can be had by repairing it.
struct Violation {
  const GuidelineVerdict* verdict = nullptr;
  /// Whether the right side is the fastest of those that show the same operation, point and setting
  /// to be too slow.
  bool is_fastest = false;
  std::size_t rivals = 0;        ///< violations of the same operation, point and setting
  bool was_swept = false;        ///< the sweeps measured the left side at this point
  std::optional<Repair> repair;  ///< the fastest one; nullopt where none is shown to be faster
};

/// Every violation, in order of left sides and sizes, and repairs out of the complete launches of
/// `sweep` that lie on an axis "algorithm". The set must outlive them. InputError as of
/// compare_by_axis.
std::vector<Violation> find_violations(const GuidelineSet& set, std::span<const Record> sweep);

/// The share of the left side's time that its replacement by the right one saves, with interval.
Interval saved_share(const GuidelineVerdict& verdict);

inline constexpr std::string_view guideline_baseline_schema = "hockney.guidelines-baseline/1";

/// A violation that is known, and no reason to fail.
struct KnownViolation {
  std::string guideline;
  std::optional<Bytes> bytes{};  ///< of the left side; nullopt: of any size
  std::optional<int> ranks{};    ///< nullopt: of any number
  std::string note;              ///< such as the number of a bug report

  friend bool operator==(const KnownViolation&, const KnownViolation&) = default;
};

/// Strict: InputError for whatever is unknown, missing or mistyped.
std::vector<KnownViolation> read_guideline_baseline(const JsonNode& document);

/// InputError naming the nearest guideline when one was not judged at all.
void check_known(const std::vector<KnownViolation>& known, const GuidelineSet& set,
                 const std::string& file);

bool is_known(const std::vector<KnownViolation>& known, const GuidelineVerdict& verdict);

/// Known violations of which no violated cell is left: they may have been repaired.
std::vector<KnownViolation> not_seen(const std::vector<KnownViolation>& known,
                                     const GuidelineSet& set);

inline constexpr std::string_view guidelines_schema = "hockney.guidelines/1";

/// The document of `hockney guidelines --json`; what is not known is null.
nlohmann::json to_json(const GuidelineSet& set, const std::vector<Violation>& violations,
                       const std::vector<KnownViolation>& known);

}  // namespace hockney::verdicts
