#include "report/guideline_text.hpp"

#include "core/inert_text.hpp"
#include "core/sizes.hpp"
#include "report/number_text.hpp"

namespace hockney {
namespace {

constexpr int guideline_digits = 3;

std::string time_text(double seconds) { return significant(seconds * microseconds) + " us"; }

std::string ratio_text(double ratio, const std::optional<Interval>& interval) {
  return significant(ratio, guideline_digits) + " (" +
         interval_text(interval, 1, guideline_digits) + ")";
}

/// What the right side is called: the operation, and at which size or on how many ranks.
std::string right_text(const GuidelineCell& cell) {
  std::string text = cell.factor == 1 ? "" : significant(cell.factor) + " times ";
  text += cell.right.operation;
  for (const auto& [key, value] : cell.guideline.right.parameters) text += " " + key + "=" + value;
  if (cell.right.bytes != cell.left.bytes) text += " at " + format_bytes(cell.right.bytes);
  if (cell.right.ranks != cell.left.ranks) {
    text += " on " + std::to_string(cell.right.ranks) + " ranks";
  }
  return text;
}

std::string repair_text(const Violation& violation) {
  if (!violation.was_swept) return "no sweep of its algorithms is among the records";
  if (!violation.repair) return "no algorithm of the sweep is shown to be faster";
  const Repair& repair = *violation.repair;
  const Comparison& row = repair.against_default;
  std::string text = "algorithm " + repair.algorithm;
  for (const auto& [axis, value] : repair.others) text += ", " + axis + " " + value;
  return text + " takes " + ratio_text(row.ratio, row.ratio_interval) + " of the default, " +
         time_text(row.b.median_seconds) + " instead of " + time_text(row.a.median_seconds) +
         " (sweep " + repair.campaign + ")";
}

}  // namespace

std::string place_text(const GuidelineCell& cell) {
  std::string text = cell.setting.empty() ? "" : "setting " + cell.setting + ", ";
  text += std::to_string(cell.left.ranks) + (cell.left.ranks == 1 ? " rank" : " ranks");
  if (cell.left.hop) text += ", " + *cell.left.hop;
  if (!cell.left.pair.empty() && cell.left.pair.size() == 2) {
    text += ", pair " + std::to_string(cell.left.pair[0]) + "-" + std::to_string(cell.left.pair[1]);
  }
  return inert(text);
}

std::string violation_text(const Violation& violation) {
  const GuidelineVerdict& verdict = *violation.verdict;
  const GuidelineCell& cell = verdict.cell;
  const Interval saved = saved_share(verdict);
  std::string text = cell.left.operation;
  for (const auto& [key, value] : cell.guideline.left.parameters) text += " " + key + "=" + value;
  text += " at " + format_bytes(cell.left.bytes) + ", " + place_text(cell) + ": " +
          time_text(verdict.left.median_seconds) + ", " +
          ratio_text(verdict.ratio, verdict.ratio_interval) + " times as long as " +
          right_text(cell) + " (" + time_text(cell.factor * verdict.right.median_seconds) +
          "), which saves " + interval_text(saved, per_cent, guideline_digits) + " %";
  if (violation.is_fastest && violation.rivals > 1) {
    text += " and is the fastest of " + std::to_string(violation.rivals);
  }
  return inert(text + "; repair: " + repair_text(violation));
}

std::string doubt_text(const GuidelineVerdict& verdict) {
  const std::string visible =
      verdict.smallest_visible_ratio
          ? "; of " + significant(*verdict.smallest_visible_ratio, guideline_digits) +
                " on it would have been a violation"
          : "";
  switch (verdict.doubt.value_or(Doubt::spread)) {
    case Doubt::too_few_launches:
      return std::to_string(verdict.cell.pairs.size()) + " launches are too few, " +
             std::to_string(verdict.launches_needed.value_or(0)) + " needed";
    case Doubt::clock:
      return "the difference is below " + time_text(verdict.clock_seconds) +
             ", which the clocks cannot see";
    case Doubt::spread:
      break;
  }
  return "the ratio is " + ratio_text(verdict.ratio, verdict.ratio_interval) + visible;
}

}  // namespace hockney
