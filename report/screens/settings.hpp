#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "report/rows.hpp"
#include "report/screens/screen.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/compare_axis.hpp"

namespace hockney::report {

/// Settings of a matrix that sentences compare one by one; more are a sweep, whose best are told.
inline constexpr std::size_t few_settings = 3;

/// What is known of one setting at one size.
struct SettingCell {
  std::optional<double> seconds;                     ///< median over launches
  std::optional<verdicts::Comparison> against_base;  ///< the base as A; nullopt of the base itself
  bool is_substituted = false;  ///< another algorithm ran than the requested one
};

struct SettingRow {
  std::string name;     ///< for people: of a sweep its values that are no defaults
  std::string setting;  ///< as records have it; empty of two sides that were compared already
  std::map<Bytes, SettingCell> cells;
};

/// The settings of one curve by size.
struct SettingsMatrix {
  std::string curve;             ///< what all rows have in common: "bcast ranks=4 root=0"
  std::string name;              ///< of that what tells it from other matrices: "bcast ranks=4"
  std::vector<SettingRow> rows;  ///< at least one; the first is what the others are compared with
  int ranks = 0;                 ///< of all rows; 0: they differ in it
};

/// The settings of some launches by size, a matrix for each curve. The base is the setting of all
/// defaults, else the one called "default", else the first one. In a sweep over numbers of ranks
/// and something else each number of ranks has its own base. All verdicts are one family at alpha
/// 0.05. Numbers of other suites are left out.
std::vector<SettingsMatrix> settings_matrices(std::span<const Record> records);

/// The same of two sides that are compared already, by the names of their settings or sources.
std::vector<SettingsMatrix> settings_matrices(const verdicts::CompareSet& set);

/// The same of the values of an axis, for each place on the others.
std::vector<SettingsMatrix> settings_matrices(const verdicts::AxisCompareSet& set);

/// The cell of a size; nullptr where the setting has none.
const SettingCell* cell_at(const SettingRow& row, Bytes bytes);

/// The setting that is shown to be faster than the base by most; nullptr when none is. One whose
/// algorithm did not run does not count.
const SettingRow* best_at(const SettingsMatrix& matrix, Bytes bytes);

/// Up to eight rows: the base, those that are best somewhere, then those with the smallest ratios.
std::vector<const SettingRow*> shown_rows(const SettingsMatrix& matrix);

/// Of `rows`, those of the launches that the matrix was made of, the ones of its shown_rows(), a
/// curve for each: without the algorithm where it changes with the size.
std::vector<Row> shown_rows(const SettingsMatrix& matrix, std::span<const Row> rows);

/// In words which settings are faster or slower than the base, by how much and where, the largest
/// loss first; what marks mean; a table of times by size [us]; of more than few_settings those that
/// are best at some size, and how much is gained there. Sentences stand before all tables.
Lines settings_answer(std::span<const SettingsMatrix> matrices);

}  // namespace hockney::report
