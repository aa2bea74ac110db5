#include "verdicts/guideline_repairs.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "verdicts/compare_axis.hpp"
#include "verdicts/guideline_times.hpp"

namespace hockney {
namespace {

constexpr const char* axis = "algorithm";

/// Sweeps by campaign, since launches of several cannot be compared.
std::vector<std::pair<std::string, AxisCompareSet>> compare_sweeps(
    std::span<const Record> records) {
  std::map<std::string, std::vector<Record>> campaigns;
  for (const Record& record : records) {
    const bool is_swept = record.status == LaunchStatus::complete && record.campaign &&
                          record.campaign->axes.contains(axis);
    if (is_swept) campaigns[record.campaign->name].push_back(record);
  }
  std::vector<std::pair<std::string, AxisCompareSet>> sweeps;
  sweeps.reserve(campaigns.size());
  for (const auto& [name, launches] : campaigns) {
    sweeps.emplace_back(name, compare_by_axis(launches, axis));
  }
  return sweeps;
}

/// Whether the sweep's point is what the cell's left side times.
bool is_left(const Point& swept, const GuidelineCell& cell) {
  const GuidelineSide& side = cell.guideline.left;
  return is_of(swept, side) && swept.bytes == cell.left.bytes && swept.ranks == cell.left.ranks &&
         other_parameters(swept, side) == other_parameters(cell.left, side);
}

auto call_of(const GuidelineCell& cell) {
  return std::tie(cell.campaign, cell.setting, cell.left.operation, cell.left.ranks, cell.left.pair,
                  cell.left.parameters, cell.left.bytes);
}

void consider(const std::string& campaign, const AxisComparison& value, const Comparison& row,
              Violation& violation) {
  violation.was_swept = true;
  const bool is_better = row.verdict == Verdict::faster &&
                         (!violation.repair || row.ratio < violation.repair->against_default.ratio);
  if (is_better) violation.repair = Repair{campaign, value.value, value.others, row};
}

void find_repair(const std::vector<std::pair<std::string, AxisCompareSet>>& sweeps,
                 Violation& violation) {
  for (const auto& [campaign, sweep] : sweeps) {
    for (const AxisComparison& value : sweep.comparisons) {
      for (const Comparison& row : value.set.comparisons) {
        if (is_left(row.point, violation.verdict->cell)) {
          consider(campaign, value, row, violation);
        }
      }
    }
  }
}

/// Rivals are other ways to do the same call: not other sizes of it.
void rank_rivals(std::vector<Violation>& violations) {
  for (Violation& one : violations) {
    one.is_fastest = one.verdict->cell.guideline.map == SideMap::same;
    for (const Violation& other : violations) {
      if (other.verdict->cell.guideline.map != SideMap::same ||
          call_of(other.verdict->cell) != call_of(one.verdict->cell)) {
        continue;
      }
      ++one.rivals;
      if (other.verdict->ratio > one.verdict->ratio) one.is_fastest = false;
    }
  }
}

}  // namespace

std::vector<Violation> find_violations(const GuidelineSet& set, std::span<const Record> sweep) {
  std::vector<Violation> violations;
  for (const GuidelineVerdict& verdict : set.verdicts) {
    if (verdict.verdict == Compliance::violated) violations.push_back({.verdict = &verdict});
  }
  std::ranges::stable_sort(violations, [](const Violation& a, const Violation& b) {
    return call_of(a.verdict->cell) < call_of(b.verdict->cell);
  });
  rank_rivals(violations);
  const auto sweeps = compare_sweeps(sweep);
  for (Violation& violation : violations) find_repair(sweeps, violation);
  return violations;
}

Interval saved_share(const GuidelineVerdict& verdict) {
  const auto saved = [](double ratio) { return 1 - 1 / ratio; };
  const Interval ratio = verdict.ratio_interval.value_or(
      Interval{.low = verdict.ratio, .high = verdict.ratio, .level = 0});
  return {.low = saved(ratio.low), .high = saved(ratio.high), .level = ratio.level};
}

}  // namespace hockney
