#include "report/by_axis.hpp"

#include <algorithm>
#include <utility>

#include "verdicts/axis_groups.hpp"
#include "verdicts/compare.hpp"

namespace hockney {
namespace {

/// The algorithm is what was found, which may differ between the values of an axis.
bool same_point(Point a, Point b) {
  a.algorithm.reset();
  b.algorithm.reset();
  return a.bytes == b.bytes && curve_name(a) == curve_name(b);
}

AxisBlock& block_of(std::vector<AxisBlock>& blocks, const Point& point) {
  const auto found = std::ranges::find_if(
      blocks, [&](const AxisBlock& block) { return same_point(block.point, point); });
  if (found != blocks.end()) return *found;
  AxisBlock& block = blocks.emplace_back(AxisBlock{.point = point});
  block.point.algorithm.reset();
  return block;
}

void add_ratio(AxisRow& row, const CompareSet& set) {
  for (const Comparison& comparison : set.comparisons) {
    if (!same_point(comparison.point, row.row.point)) continue;
    row.ratio = comparison.ratio;
    row.ratio_interval = comparison.ratio_interval;
  }
}

std::vector<AxisBlock> blocks_of(const AxisGroup& group, const std::string& base) {
  std::vector<AxisBlock> blocks;
  const std::vector<Record>* base_launches = group.find(base);
  for (const auto& [value, launches] : group.values) {
    const bool has_ratio = value != base && base_launches != nullptr;
    const CompareSet set =
        has_ratio ? compare(*base_launches, launches,
                            {.correction = Correction::none, .origin = Origin::one_campaign})
                  : CompareSet();
    for (Row& row : campaign_rows(launches)) {
      AxisBlock& block = block_of(blocks, row.point);
      block.rows.push_back({.value = value, .row = std::move(row)});
      add_ratio(block.rows.back(), set);
    }
  }
  return blocks;
}

}  // namespace

AxisTable by_axis(std::span<const Record> records, const std::string& axis) {
  const AxisGroups groups = group_by_axis(records, axis);
  AxisTable table{
      .axis = axis, .base = groups.base, .settings_alone = static_cast<int>(groups.alone.size())};
  for (const AxisGroup& group : groups.groups) {
    for (AxisBlock& block : blocks_of(group, table.base)) {
      block.others = group.others;
      table.blocks.push_back(std::move(block));
    }
  }
  return table;
}

}  // namespace hockney
