#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "verdicts/compare.hpp"
#include "verdicts/guidelines.hpp"

namespace hockney {

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

}  // namespace hockney
