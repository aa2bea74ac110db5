#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "report/rows.hpp"
#include "report/screen.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/compare_axis.hpp"

namespace hockney::report {

/// Result of one setting at one size.
struct SettingCell {
  std::optional<double> seconds;                     ///< median over launches
  std::optional<verdicts::Comparison> against_base;  ///< the base is A; nullopt for the base itself
  bool is_substituted = false;                       ///< another algorithm ran than requested
};

struct SettingRow {
  std::string name;     ///< for people: in a sweep its values except defaults
  std::string setting;  ///< name in the records; empty for sides that were compared before
  std::map<Bytes, SettingCell> cells;
};

/// The settings of one curve by size.
struct SettingsMatrix {
  std::string curve;             ///< properties common to all rows: "bcast ranks=4 root=0"
  std::string name;              ///< distinguishes the curve from other matrices: "bcast ranks=4"
  std::vector<SettingRow> rows;  ///< at least one; the first is the base
  int ranks = 0;                 ///< of all rows; 0 if they differ
};

/// The settings of launches by size, a matrix for each curve. The base is the setting with all
/// defaults, else the one named "default", else the first. In a sweep over ranks and another axis,
/// each number of ranks has a separate base. All verdicts are one family at alpha 0.05. Times of
/// other suites are left out.
std::vector<SettingsMatrix> settings_matrices(std::span<const Record> records);

/// Matrices of two compared sides, named by their settings or sources.
std::vector<SettingsMatrix> settings_matrices(const verdicts::CompareSet& set);

/// Matrices of the values of an axis, for each set of values on the other axes.
std::vector<SettingsMatrix> settings_matrices(const verdicts::AxisCompareSet& set);

/// The setting with the largest significant gain over the base; nullptr without any. Settings whose
/// algorithm was substituted are ignored.
const SettingRow* best_at(const SettingsMatrix& matrix, Bytes bytes);

/// Up to eight rows: the base, those that are best at some size, then those with the smallest
/// ratios.
std::vector<const SettingRow*> shown_rows(const SettingsMatrix& matrix);

/// The largest difference of each setting from the base as values: ratio of times [times the base].
std::vector<SummaryRow> settings_rows(std::span<const SettingsMatrix> matrices);

/// Sentences first: settings faster or slower than the base, by how much and at which size, the
/// largest loss first. Then the legend of marks and a table of times by size [us]. With more than
/// three settings: the best setting at each size, with its gain.
Lines settings_answer(std::span<const SettingsMatrix> matrices);

}  // namespace hockney::report
