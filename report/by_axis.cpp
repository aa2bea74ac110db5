#include "report/by_axis.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>

#include "core/error.hpp"
#include "core/names.hpp"
#include "core/sizes.hpp"
#include "verdicts/compare.hpp"

namespace hockney {
namespace {

/// "default", then numbers by size, sizes with their unit too, then words.
struct ValueOrder {
  static std::tuple<int, std::int64_t, std::string> key(const std::string& value) {
    if (value == "default") return {0, 0, ""};
    const bool number = !value.empty() && std::isdigit(static_cast<unsigned char>(value[0])) != 0;
    if (!number) return {2, 0, value};
    try {
      return {1, parse_bytes(value).value, value};
    } catch (const InputError&) {
      return {2, 0, value};
    }
  }
  bool operator()(const std::string& a, const std::string& b) const { return key(a) < key(b); }
};

/// The launches of the settings that differ in one axis only.
using Group = std::map<std::string, std::vector<Record>, ValueOrder>;

bool is_on_axis(const Record& record, const std::string& axis) {
  return record.status == LaunchStatus::complete && record.campaign &&
         record.campaign->axes.contains(axis);
}

/// By the places on the other axes.
std::map<std::map<std::string, std::string>, Group> grouped(std::span<const Record> records,
                                                            const std::string& axis) {
  std::map<std::map<std::string, std::string>, Group> groups;
  for (const Record& record : records) {
    if (!is_on_axis(record, axis)) continue;
    std::map<std::string, std::string> others = record.campaign->axes;
    const std::string value = others.extract(axis).mapped();
    groups[others][value].push_back(record);
  }
  return groups;
}

std::string base_of(std::span<const Record> records, const std::string& axis) {
  std::set<std::string, ValueOrder> values;
  for (const Record& record : records) {
    if (is_on_axis(record, axis)) values.insert(record.campaign->axes.at(axis));
  }
  return *values.begin();
}

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

std::vector<AxisBlock> blocks_of(const Group& group, const std::string& base) {
  std::vector<AxisBlock> blocks;
  for (const auto& [value, launches] : group) {
    const bool is_base = value == base || !group.contains(base);
    const CompareSet set =
        is_base ? CompareSet()
                : compare(group.at(base), launches,
                          {.correction = Correction::none, .origin = Origin::one_campaign});
    for (Row& row : campaign_rows(launches)) {
      AxisBlock& block = block_of(blocks, row.point);
      block.rows.push_back({.value = value, .row = std::move(row)});
      add_ratio(block.rows.back(), set);
    }
  }
  return blocks;
}

void check_one_campaign(std::span<const Record> records) {
  std::set<std::string> names;
  for (const Record& record : records) {
    if (record.campaign) names.insert(record.campaign->name);
  }
  if (names.size() <= 1) return;
  throw InputError({"launches of several campaigns", join({names.begin(), names.end()}, " and "),
                    "name the folder of one campaign"});
}

}  // namespace

std::vector<std::string> axes_of(std::span<const Record> records) {
  std::set<std::string> axes;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete || !record.campaign) continue;
    for (const auto& [axis, value] : record.campaign->axes) axes.insert(axis);
  }
  return {axes.begin(), axes.end()};
}

AxisTable by_axis(std::span<const Record> records, const std::string& axis) {
  const std::vector<std::string> axes = axes_of(records);
  if (std::ranges::find(axes, axis) == axes.end()) {
    throw InputError({"unknown axis '" + axis + "'", "no complete launch lies on it",
                      axes.empty() ? "name the folder of a sweep" : suggest(axis, axes)});
  }
  check_one_campaign(records);
  AxisTable table{.axis = axis, .base = base_of(records, axis)};
  for (const auto& [others, group] : grouped(records, axis)) {
    if (group.size() < 2) {
      ++table.settings_alone;
      continue;
    }
    for (AxisBlock& block : blocks_of(group, table.base)) {
      block.others = others;
      table.blocks.push_back(std::move(block));
    }
  }
  return table;
}

}  // namespace hockney
