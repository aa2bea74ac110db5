#include "report/screens/settings.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/algorithm_use.hpp"
#include "core/text.hpp"
#include "report/paired_rows.hpp"
#include "report/screens/curves.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

constexpr std::string_view base_setting = "default";
constexpr std::string_view ranks_axis = "ranks";  // of a sweep

struct SettingRecords {
  std::string setting;
  std::map<std::string, std::string> axes;
  std::vector<Record> records;
};

/// "pipeline/64K": the values of a sweep that are no defaults; the name of any other setting.
std::string short_name(const SettingRecords& setting) {
  if (setting.axes.empty()) return setting.setting;
  std::vector<std::string> values;
  for (const auto& [axis, value] : setting.axes) {
    if (value != verdicts::default_axis_value) values.push_back(value);
  }
  return values.empty() ? std::string(verdicts::default_axis_value) : join(values, "/");
}

bool is_base(const SettingRecords& setting) { return short_name(setting) == base_setting; }

/// Where a launch lies on the axis of ranks of a sweep that has another axis, too.
std::optional<std::string> ranks_of_sweep(const CampaignPlace& place) {
  const auto found = place.axes.find(std::string(ranks_axis));
  if (found == place.axes.end() || place.axes.size() == 1) return std::nullopt;
  return found->second;
}

using SomeRecords = std::vector<const Record*>;

/// Settings that are compared with the first of them.
using SettingFamily = std::vector<SettingRecords>;

/// By the values on axes, or in the order of records; the base first. The numbers of ranks of a
/// sweep that has another axis, too, are alike.
SettingFamily by_setting(const SomeRecords& records) {
  SettingFamily settings;
  for (const Record* const record : records) {
    CampaignPlace place = record->campaign.value_or(CampaignPlace{});
    if (ranks_of_sweep(place)) place.axes.erase(std::string(ranks_axis));
    auto found = std::ranges::find(settings, place.setting, &SettingRecords::setting);
    if (found == settings.end()) {
      settings.push_back({.setting = place.setting, .axes = place.axes, .records = {}});
      found = std::prev(settings.end());
    }
    found->records.push_back(*record);
  }
  std::ranges::stable_sort(settings, [](const SettingRecords& a, const SettingRecords& b) {
    return std::ranges::lexicographical_compare(
        a.axes, b.axes, [](const auto& one, const auto& other) {
          return one.first == other.first &&
                 verdicts::axis_value_precedes(one.second, other.second);
        });
  });
  std::ranges::stable_partition(settings, is_base);
  return settings;
}

/// By their places on the axis of ranks, in a sweep that has another axis, too; all others are
/// together.
std::vector<SettingFamily> families_of(std::span<const Record> records) {
  std::map<std::string, SomeRecords, decltype(&verdicts::axis_value_precedes)> by_ranks(
      verdicts::axis_value_precedes);
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) continue;
    const auto ranks = ranks_of_sweep(record.campaign.value_or(CampaignPlace{}));
    by_ranks[ranks.value_or("")].push_back(&record);
  }
  std::vector<SettingFamily> families;
  families.reserve(by_ranks.size());
  for (const auto& [ranks, some] : by_ranks) families.push_back(by_setting(some));
  return families;
}

/// Whether the settings differ in their ranks, each having one number of them.
bool vary_ranks(std::span<const Row> rows) {
  std::map<std::string, std::set<int>> by_setting;
  std::set<int> all;
  for (const Row& row : rows) {
    by_setting[row.setting].insert(row.point.ranks);
    all.insert(row.point.ranks);
  }
  return all.size() > 1 && std::ranges::all_of(by_setting, [](const auto& setting) {
           return setting.second.size() == 1;
         });
}

/// What all rows of a matrix have in common. The algorithm is what was found.
std::string curve_of(Point point, bool without_ranks) {
  point.algorithm.reset();
  if (without_ranks) point.ranks = 0;
  return curve_name(point);
}

/// Floors of the machine are the same under all settings.
bool is_compared(const Point& point) { return !is_of_other_suite(point) && !is_floor(point); }

class MatrixMaker {
 public:
  explicit MatrixMaker(const SettingFamily& settings) {
    std::map<std::string, int> uses;
    for (const SettingRecords& setting : settings) ++uses[short_name(setting)];
    for (const SettingRecords& setting : settings) {
      const std::string name = short_name(setting);
      names_[setting.setting] = uses[name] == 1 ? name : setting.setting;
    }
  }

  SettingCell& cell(const Point& point, bool without_ranks, const std::string& setting) {
    const std::string curve = curve_of(point, without_ranks);
    auto matrix = std::ranges::find(matrices_, curve, &SettingsMatrix::curve);
    if (matrix == matrices_.end()) {
      matrices_.push_back(
          {.curve = curve, .name = {}, .rows = {}, .ranks = without_ranks ? 0 : point.ranks});
      matrix = std::prev(matrices_.end());
    }
    const std::string& name = names_.at(setting);
    auto row = std::ranges::find(matrix->rows, name, &SettingRow::name);
    if (row == matrix->rows.end()) {
      matrix->rows.push_back({.name = name, .setting = setting, .cells = {}});
      row = std::prev(matrix->rows.end());
    }
    return row->cells[point.bytes];
  }

  std::vector<SettingsMatrix> finish() && { return std::move(matrices_); }

 private:
  std::map<std::string, std::string> names_;  ///< of settings: the short one where no other has it
  std::vector<SettingsMatrix> matrices_;
};

/// All of them, in the order of families and settings.
std::vector<verdicts::CompareSet> compare_with_bases(const std::vector<SettingFamily>& families) {
  std::vector<verdicts::SideRecords> sides;
  for (const SettingFamily& settings : families) {
    for (std::size_t i = 1; i < settings.size(); ++i) {
      sides.push_back({.a = settings[0].records, .b = settings[i].records});
    }
  }
  return compare_family(sides, {.origin = verdicts::Origin::one_campaign});
}

/// The operation, and what tells their curves apart.
void name_matrices(std::vector<SettingsMatrix>& matrices) {
  const std::vector<std::string> labels = labels_of(strings_of(matrices, &SettingsMatrix::curve));
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const std::string operation = split(matrices[i].curve, ' ').front();
    const bool is_told = labels[i] == operation || labels[i].starts_with(operation + " ");
    const std::string between = is_told || labels[i].empty() ? "" : " ";
    matrices[i].name = (is_told ? "" : operation) + between + labels[i];
  }
}

/// The matrices of a family; `sets` are the comparisons of its settings with the first.
std::vector<SettingsMatrix> matrices_of(const SettingFamily& settings,
                                        std::span<const verdicts::CompareSet> sets) {
  MatrixMaker maker(settings);
  std::vector<Row> rows;
  for (const SettingRecords& setting : settings) {
    std::ranges::move(campaign_rows(setting.records), std::back_inserter(rows));
  }
  const bool without_ranks = vary_ranks(rows);
  for (const Row& row : rows) {
    if (!is_compared(row.point) || !row.median_seconds) continue;
    SettingCell& cell = maker.cell(row.point, without_ranks, row.setting);
    cell.seconds = row.median_seconds;
    cell.is_substituted = std::ranges::count(row.flags, algorithm_substituted_flag) > 0;
  }
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (const verdicts::Comparison& comparison : sets[i].comparisons) {
      if (!is_compared(comparison.point)) continue;
      maker.cell(comparison.point, without_ranks, settings[i + 1].setting).against_base =
          comparison;
    }
  }
  return std::move(maker).finish();
}

}  // namespace

std::vector<SettingsMatrix> settings_matrices(std::span<const Record> records) {
  const std::vector<SettingFamily> families = families_of(records);
  const std::vector<verdicts::CompareSet> sets = compare_with_bases(families);
  std::vector<SettingsMatrix> matrices;
  std::span<const verdicts::CompareSet> rest = sets;
  for (const SettingFamily& settings : families) {
    const std::size_t others = settings.size() - 1;
    std::ranges::move(matrices_of(settings, rest.first(others)), std::back_inserter(matrices));
    rest = rest.subspan(others);
  }
  name_matrices(matrices);
  return matrices;
}

std::vector<Row> shown_rows(const SettingsMatrix& matrix, std::span<const Row> rows) {
  std::vector<Row> shown;
  for (const SettingRow* const setting : shown_rows(matrix)) {
    std::vector<Row> own;
    std::ranges::copy_if(rows, std::back_inserter(own), [&](const Row& row) {
      return row.setting == setting->setting &&
             curve_of(row.point, matrix.ranks == 0) == matrix.curve;
    });
    const auto is_other = [&](const Row& row) { return !same_curve(own.front(), row); };
    if (std::ranges::any_of(own, is_other)) {
      for (Row& row : own) row.point.algorithm.reset();
      std::ranges::stable_sort(own, {}, [](const Row& row) { return row.point.bytes; });
    }
    std::ranges::move(own, std::back_inserter(shown));
  }
  return shown;
}

namespace {

/// Adds the comparisons of one pair of settings to the matrices of their curves.
void add_pair(std::vector<SettingsMatrix>& matrices, const verdicts::CompareSet& set,
              const std::string& base, const std::string& other, const std::string& place) {
  for (const verdicts::Comparison& comparison : set.comparisons) {
    const std::string curve = curve_of(comparison.point, false) + place;
    auto matrix = std::ranges::find(matrices, curve, &SettingsMatrix::curve);
    if (matrix == matrices.end()) {
      matrices.push_back({.curve = curve,
                          .name = {},
                          .rows = {{.name = base, .setting = {}, .cells = {}}},
                          .ranks = comparison.point.ranks});
      matrix = std::prev(matrices.end());
    }
    std::vector<SettingRow>& rows = matrix->rows;
    if (rows.back().name != other || rows.size() == 1)
      rows.push_back({.name = other, .setting = {}, .cells = {}});
    rows.front().cells[comparison.point.bytes].seconds = comparison.a.median_seconds;
    rows.back().cells[comparison.point.bytes] = {.seconds = comparison.b.median_seconds,
                                                 .against_base = comparison};
  }
}

}  // namespace

std::vector<SettingsMatrix> settings_matrices(const verdicts::CompareSet& set) {
  const auto name_of = [](const verdicts::ComparedSide& side, const verdicts::ComparedSide& other) {
    return side.setting.empty() || side.setting == other.setting ? side.source : side.setting;
  };
  std::vector<SettingsMatrix> matrices;
  add_pair(matrices, set, name_of(set.a, set.b), name_of(set.b, set.a), "");
  name_matrices(matrices);
  return matrices;
}

std::vector<SettingsMatrix> settings_matrices(const verdicts::AxisCompareSet& set) {
  std::vector<SettingsMatrix> matrices;
  for (const verdicts::AxisComparison& comparison : set.comparisons) {
    std::map<std::string, std::string> others = comparison.others;
    others.erase(std::string(ranks_axis));  // which curves say themselves
    add_pair(matrices, comparison.set, set.base, comparison.value, places_text(others));
  }
  name_matrices(matrices);
  return matrices;
}

}  // namespace hockney::report
