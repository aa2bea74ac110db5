#include "verdicts/compare_axis.hpp"

#include <utility>

#include "verdicts/axis_groups.hpp"

namespace hockney {
namespace {

/// What is compared: `sides[i]` are those of `comparisons[i]`, whose set is not there yet.
struct Family {
  std::vector<AxisComparison> comparisons;
  std::vector<SideRecords> sides;
};

Family family_of(const AxisGroups& groups, std::vector<std::string>& alone) {
  Family family;
  for (const AxisGroup& group : groups.groups) {
    const std::vector<Record>* base = group.find(groups.base);
    for (const auto& [value, launches] : group.values) {
      if (base == nullptr) {
        alone.push_back(value);
      } else if (value != groups.base) {
        family.comparisons.push_back({.value = value, .others = group.others, .set = {}});
        family.sides.push_back({.a = *base, .b = launches});
      }
    }
  }
  return family;
}

}  // namespace

AxisCompareSet compare_by_axis(std::span<const Record> records, const std::string& axis,
                               CompareOptions options) {
  options.origin = Origin::one_campaign;
  const AxisGroups groups = group_by_axis(records, axis);
  AxisCompareSet result{.axis = axis,
                        .base = groups.base,
                        .options = options,
                        .comparisons = {},
                        .alone = groups.alone};
  Family family = family_of(groups, result.alone);
  std::vector<CompareSet> sets = compare_family(family.sides, options);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    result.family += sets[i].comparisons.size();
    family.comparisons[i].set = std::move(sets[i]);
  }
  result.comparisons = std::move(family.comparisons);
  return result;
}

}  // namespace hockney
