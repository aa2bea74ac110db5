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
#include "core/json_functions.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/guideline_cells.hpp"
#include "verdicts/multiplicity.hpp"

namespace hockney::verdicts {

/// Verdict on a guideline at one size. `satisfied` needs evidence too.
enum class Compliance { violated, satisfied, undecided };

constexpr auto words_of(std::type_identity<Compliance>) {
  return std::to_array<std::string_view>({"violated", "satisfied", "undecided"});
}

/// Why a cell is undecided.
enum class Doubt {
  too_few_launches,  ///< so few could not show any violation
  spread,            ///< the interval of the ratio is too wide
  clock              ///< the difference is below the clocks' resolution
};

constexpr auto words_of(std::type_identity<Doubt>) {
  return std::to_array<std::string_view>({"too_few_launches", "spread", "clock"});
}

struct GuidelineOptions {
  double alpha = 0.05;  ///< chance of any false violation in the family; in (0, 0.5]
  double delta = 0.05;  ///< d >= 0: the left side may take up to 1 + d times the right side's time
  Correction correction = Correction::max_t;
};

/// One side of a cell.
struct SideTime {
  double median_seconds = 0;  ///< of the launch medians
  std::optional<Interval> interval_seconds;
};

/// The ratio is left / (factor x right). Its interval is at level 1 - alpha for this cell alone;
/// p_adjusted holds for the whole family.
struct GuidelineVerdict {
  GuidelineCell cell;
  SideTime left;
  SideTime right;    ///< without the factor
  double ratio = 1;  ///< exp of the Hodges-Lehmann estimate over log ratios of launches
  std::optional<Interval> ratio_interval;
  /// Set with max_t. Its lower end is above 1 + delta exactly if p_adjusted <= alpha. The lower
  /// ends of the family hold simultaneously with probability 1 - alpha; the upper ends likewise.
  std::optional<Interval> family_interval;
  double p = 1;           ///< one-sided, for a ratio above 1 + delta
  double p_adjusted = 1;  ///< corrected for the family
  Compliance verdict = Compliance::undecided;
  std::optional<Doubt> doubt;  ///< set if undecided
  double clock_seconds = 0;    ///< median over launches
  /// The smallest ratio that these launches' spread would have shown as a violation; nullopt if too
  /// few launches could show any.
  std::optional<double> smallest_visible_ratio;
  std::optional<std::size_t> launches_needed;  ///< set if there are too few

  /// The interval printed beside the verdict: family_interval, else ratio_interval.
  [[nodiscard]] const std::optional<Interval>& interval() const {
    return family_interval ? family_interval : ratio_interval;
  }
};

struct GuidelineSet {
  GuidelineOptions options;
  std::vector<GuidelineVerdict> verdicts;  ///< one family
  std::vector<UnmeasuredCell> unmeasured;
  std::size_t launches = 0;
  std::size_t nodes = 0;  ///< that measured themselves (--each-node)
  std::size_t launches_left_out = 0;
  std::vector<FaultFinding> faults;  ///< of the records; their figures are left out
};

/// Judges every cell. Violated: p_adjusted <= alpha, and the medians differ by more than the
/// clocks' resolution. Satisfied: the upper end of the ratio's interval is at most 1 + delta.
/// InputError as of guideline_cells, and if alpha or delta is out of range.
GuidelineSet judge_guidelines(std::span<const Record> records,
                              const GuidelineOptions& options = {});

/// Judges cells that are already collected.
GuidelineSet judge_cells(GuidelineCells cells, const GuidelineOptions& options);

/// An algorithm that a sweep found faster than the library's own choice.
struct Repair {
  std::string campaign;                       ///< of the sweep
  std::string algorithm;                      ///< its value on the axis "algorithm"
  std::map<std::string, std::string> others;  ///< values on the sweep's other axes
  Comparison against_default;                 ///< from the sweep's family; B is the algorithm
};

/// A violated guideline, and the gain from repairing it.
struct Violation {
  const GuidelineVerdict* verdict = nullptr;
  /// Whether the right side is the fastest among the violations of the same operation, point and
  /// setting.
  bool is_fastest = false;
  std::size_t rivals = 0;        ///< violations of the same operation, point and setting
  bool was_swept = false;        ///< the sweeps measured the left side at this point
  std::optional<Repair> repair;  ///< the fastest one; nullopt if none is shown to be faster
};

/// Every violation, in order of left sides and sizes. Repairs come from the complete launches of
/// `sweep` that have an axis "algorithm". `set` must outlive the result. InputError as of
/// compare_by_axis.
std::vector<Violation> find_violations(const GuidelineSet& set, std::span<const Record> sweep);

/// Share of the left side's time that its replacement by the right side saves, with interval.
Interval saved_share(const GuidelineVerdict& verdict);

inline constexpr std::string_view guideline_baseline_schema = "hockney.guidelines-baseline/1";

/// A known violation, which does not fail the check.
struct KnownViolation {
  std::string guideline;
  std::optional<Bytes> bytes{};  ///< of the left side; nullopt: any size
  std::optional<int> ranks{};    ///< nullopt: any number
  std::string note;              ///< such as the number of a bug report

  friend bool operator==(const KnownViolation&, const KnownViolation&) = default;
};

void read_into(const JsonNode& node, KnownViolation& known);
void to_json(nlohmann::json& json, const KnownViolation& known);

/// Strict: InputError for any unknown, missing or mistyped key.
std::vector<KnownViolation> read_guideline_baseline(const JsonNode& document);

/// InputError if a known guideline was not judged at all; it names the nearest one judged.
void check_known(const std::vector<KnownViolation>& known, const GuidelineSet& set,
                 const std::string& file);

bool is_known(const std::vector<KnownViolation>& known, const GuidelineVerdict& verdict);

/// Known violations without a violated cell in `set`: perhaps repaired.
std::vector<KnownViolation> not_seen(const std::vector<KnownViolation>& known,
                                     const GuidelineSet& set);

}  // namespace hockney::verdicts

template <>
inline constexpr bool hockney::has_json_functions<hockney::verdicts::KnownViolation> = true;
