#include "report/screens/settings.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/algorithm_use.hpp"
#include "core/text.hpp"
#include "report/paired_rows.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

constexpr std::string_view base_setting = "default";

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

/// By the values on axes, or in the order of records; the base first.
std::vector<SettingRecords> by_setting(std::span<const Record> records) {
  std::vector<SettingRecords> settings;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) continue;
    const CampaignPlace place = record.campaign.value_or(CampaignPlace{});
    auto found = std::ranges::find(settings, place.setting, &SettingRecords::setting);
    if (found == settings.end()) {
      settings.push_back({.setting = place.setting, .axes = place.axes, .records = {}});
      found = std::prev(settings.end());
    }
    found->records.push_back(record);
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
  explicit MatrixMaker(const std::vector<SettingRecords>& settings) {
    std::map<std::string, int> uses;
    for (const SettingRecords& setting : settings) ++uses[short_name(setting)];
    for (const SettingRecords& setting : settings) {
      const std::string name = short_name(setting);
      names_[setting.setting] = uses[name] == 1 ? name : setting.setting;
    }
  }

  SettingCell& cell(const std::string& curve, const std::string& setting, Bytes bytes) {
    auto matrix = std::ranges::find(matrices_, curve, &SettingsMatrix::curve);
    if (matrix == matrices_.end()) {
      matrices_.push_back({.curve = curve, .rows = {}});
      matrix = std::prev(matrices_.end());
    }
    const std::string& name = names_.at(setting);
    auto row = std::ranges::find(matrix->rows, name, &SettingRow::name);
    if (row == matrix->rows.end()) {
      matrix->rows.push_back({.name = name, .cells = {}});
      row = std::prev(matrix->rows.end());
    }
    return row->cells[bytes];
  }

  std::vector<SettingsMatrix> finish() && { return std::move(matrices_); }

 private:
  std::map<std::string, std::string> names_;  ///< of settings: the short one where no other has it
  std::vector<SettingsMatrix> matrices_;
};

std::vector<verdicts::CompareSet> compare_with_base(const std::vector<SettingRecords>& settings) {
  std::vector<verdicts::SideRecords> sides;
  for (std::size_t i = 1; i < settings.size(); ++i) {
    sides.push_back({.a = settings[0].records, .b = settings[i].records});
  }
  return compare_family(sides, {.origin = verdicts::Origin::one_campaign});
}

}  // namespace

std::vector<SettingsMatrix> settings_matrices(std::span<const Record> records) {
  const std::vector<SettingRecords> settings = by_setting(records);
  MatrixMaker maker(settings);
  std::vector<Row> rows;
  for (const SettingRecords& setting : settings) {
    std::ranges::move(campaign_rows(setting.records), std::back_inserter(rows));
  }
  const bool without_ranks = vary_ranks(rows);
  for (const Row& row : rows) {
    if (!is_compared(row.point) || !row.median_seconds) continue;
    SettingCell& cell =
        maker.cell(curve_of(row.point, without_ranks), row.setting, row.point.bytes);
    cell.seconds = row.median_seconds;
    cell.is_substituted = std::ranges::count(row.flags, algorithm_substituted_flag) > 0;
  }
  const std::vector<verdicts::CompareSet> sets = compare_with_base(settings);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (const verdicts::Comparison& comparison : sets[i].comparisons) {
      if (!is_compared(comparison.point)) continue;
      maker
          .cell(curve_of(comparison.point, without_ranks), settings[i + 1].setting,
                comparison.point.bytes)
          .against_base = comparison;
    }
  }
  return std::move(maker).finish();
}

namespace {

/// Adds the comparisons of one pair of settings to the matrices of their curves.
void add_pair(std::vector<SettingsMatrix>& matrices, const verdicts::CompareSet& set,
              const std::string& base, const std::string& other, const std::string& place) {
  for (const verdicts::Comparison& comparison : set.comparisons) {
    const std::string curve = curve_of(comparison.point, false) + place;
    auto matrix = std::ranges::find(matrices, curve, &SettingsMatrix::curve);
    if (matrix == matrices.end()) {
      matrices.push_back({.curve = curve, .rows = {{.name = base, .cells = {}}}});
      matrix = std::prev(matrices.end());
    }
    std::vector<SettingRow>& rows = matrix->rows;
    if (rows.back().name != other || rows.size() == 1) rows.push_back({.name = other, .cells = {}});
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
  return matrices;
}

std::vector<SettingsMatrix> settings_matrices(const verdicts::AxisCompareSet& set) {
  std::vector<SettingsMatrix> matrices;
  for (const verdicts::AxisComparison& comparison : set.comparisons) {
    add_pair(matrices, comparison.set, set.base, comparison.value, places_text(comparison.others));
  }
  return matrices;
}

}  // namespace hockney::report
