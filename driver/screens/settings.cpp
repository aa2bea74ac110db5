#include "driver/screens/settings.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/algorithm_use.hpp"
#include "core/quantities.hpp"
#include "core/samples.hpp"
#include "core/text.hpp"
#include "driver/screens/curves.hpp"
#include "driver/screens/verdict_words.hpp"
#include "report/rows.hpp"
#include "report/table.hpp"
#include "report/view.hpp"

namespace hockney::report {
namespace {

/// Sentences about settings.
namespace words {

constexpr std::string_view none_is_faster = "none is shown to be faster";
constexpr std::string_view none_of_sweep = "{}: none is shown to be faster than {}{}";
constexpr std::string_view too_few_launches = "; so few launches show nothing, {} can";
constexpr std::string_view some_of_sweep = "{}: faster than {} at {} of {}, most by {}: {}";
constexpr std::string_view others_slower = "{}{} slower at some size";
constexpr std::string_view mark_of_open = "? not shown to differ";
constexpr std::string_view mark_of_fastest = "* fastest, and shown to be";
constexpr std::string_view mark_of_another = "! another algorithm ran than requested";

}  // namespace words

/// Up to this number of settings, sentences compare each; a larger matrix is a sweep, summarised by
/// its best settings.
constexpr std::size_t few_settings = 3;
constexpr std::string_view base_setting = "default";
constexpr std::string_view ranks_axis = "ranks";  // of a sweep

struct SettingRecords {
  std::string setting;
  std::map<std::string, std::string> axes;
  std::vector<Record> records;
};

/// "pipeline/64K": the values of a sweep except defaults; for other settings the name.
std::string short_name(const SettingRecords& setting) {
  if (setting.axes.empty()) return setting.setting;
  std::vector<std::string> values;
  for (const auto& [axis, value] : setting.axes) {
    if (value != verdicts::default_axis_value) values.push_back(value);
  }
  return values.empty() ? std::string(verdicts::default_axis_value) : join(values, "/");
}

bool is_base(const SettingRecords& setting) { return short_name(setting) == base_setting; }

/// Value of the axis "ranks", in a sweep with another axis; else nullopt.
std::optional<std::string> ranks_of_sweep(const CampaignPlace& place) {
  const auto found = place.axes.find(std::string(ranks_axis));
  if (found == place.axes.end() || place.axes.size() == 1) return std::nullopt;
  return found->second;
}

using SomeRecords = std::vector<const Record*>;

/// Settings that are compared with the first one.
using SettingFamily = std::vector<SettingRecords>;

/// Settings by values of the axes, or in the order of records; the base first. In a sweep with
/// another axis, numbers of ranks are ignored.
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

/// Families by number of ranks, in a sweep with another axis; all other records are one family.
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

/// Whether the settings differ in ranks, with one number of ranks each.
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

/// The properties common to a matrix. The algorithm is left out: it is a result.
std::string curve_of(Point point, bool without_ranks) {
  point.algorithm.reset();
  if (without_ranks) point.ranks = 0;
  return curve_name(point);
}

/// Floors of the machine do not depend on settings.
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
  std::map<std::string, std::string> names_;  ///< by setting: the short name if it is unique
  std::vector<SettingsMatrix> matrices_;
};

/// Comparisons of all settings with their base, in the order of families and settings.
std::vector<verdicts::CompareSet> compare_with_bases(const std::vector<SettingFamily>& families) {
  std::vector<verdicts::SideRecords> sides;
  for (const SettingFamily& settings : families) {
    for (std::size_t i = 1; i < settings.size(); ++i) {
      sides.push_back({.a = settings[0].records, .b = settings[i].records});
    }
  }
  return compare_family(sides, {.origin = verdicts::Origin::one_campaign});
}

/// Names matrices by operation and by the words that distinguish their curves.
void name_matrices(std::vector<SettingsMatrix>& matrices) {
  const std::vector<std::string> labels = labels_of(strings_of(matrices, &SettingsMatrix::curve));
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const std::string operation = split(matrices[i].curve, ' ').front();
    const bool is_reported = labels[i] == operation || labels[i].starts_with(operation + " ");
    matrices[i].name = is_reported         ? labels[i]
                       : labels[i].empty() ? operation
                                           : fmt::format("{} {}", operation, labels[i]);
  }
}

/// The matrices of a family; `sets` compare its settings with the first.
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

constexpr std::size_t most_settings = 8;  // rows of a table
constexpr std::size_t most_sizes = 8;     // columns of a table

/// The size with the largest significant difference; nullopt without any.
std::optional<Bytes> size_of_most(const SettingsMatrix& matrix) {
  std::optional<Bytes> size;
  double most = 0;
  for (const SettingRow& row : matrix.rows) {
    for (const auto& [bytes, cell] : row.cells) {
      const bool is_shown =
          cell.against_base && cell.against_base->verdict != verdicts::Verdict::no_evidence;
      const double distance = is_shown ? std::abs(std::log(cell.against_base->ratio)) : 0;
      if (distance <= most) continue;
      most = distance;
      size = bytes;
    }
  }
  return size;
}

/// A selection of the sizes of all rows, evenly spaced, with the smallest and the largest. One of
/// the others is replaced by the size with the largest difference.
std::vector<Bytes> shown_sizes(const SettingsMatrix& matrix) {
  std::set<Bytes> sizes;
  for (const SettingRow& row : matrix.rows) {
    for (const auto& [bytes, cell] : row.cells) sizes.insert(bytes);
  }
  const std::vector<Bytes> all(sizes.begin(), sizes.end());
  if (all.size() <= most_sizes) return all;
  std::vector<Bytes> shown;
  for (std::size_t i = 0; i < most_sizes; ++i) {
    shown.push_back(all[i * (all.size() - 1) / (most_sizes - 1)]);
  }
  const auto most = size_of_most(matrix);
  if (!most || std::ranges::count(shown, *most) > 0) return shown;
  const auto after = std::ranges::lower_bound(shown, *most);  // neither the first nor past the last
  *(std::next(after) == shown.end() ? std::prev(after) : after) = *most;
  return shown;
}

/// The cell of a size; nullptr if the setting has none.
const SettingCell* cell_at(const SettingRow& row, Bytes bytes) {
  const auto found = row.cells.find(bytes);
  return found == row.cells.end() ? nullptr : &found->second;
}

std::string time_cell(const SettingsMatrix& matrix, const SettingRow& row, Bytes bytes) {
  const SettingCell* const cell = cell_at(row, bytes);
  if (cell == nullptr || !cell->seconds) return "-";
  std::string text = significant(*cell->seconds * microseconds, 3);
  if (cell->is_substituted) text += "!";
  if (matrix.rows.size() > few_settings && best_at(matrix, bytes) == &row) text += "*";
  return text;
}

Lines times_table(const SettingsMatrix& matrix) {
  const std::vector<Bytes> sizes = shown_sizes(matrix);
  View view{.headings = size_headings(sizes), .rows = {}};
  view.headings.insert(view.headings.begin(), {"setting", "us at"});
  for (const SettingRow* const row : shown_rows(matrix)) {
    std::vector<Value>& cells = view.rows.emplace_back();
    cells.emplace_back(row->name);
    for (const Bytes size : sizes) cells.emplace_back(time_cell(matrix, *row, size));
  }
  if (matrix.rows.size() == 2 && Verdicts(matrix.rows[1]).all() > 0) {
    std::vector<Value>& cells = view.rows.emplace_back();
    cells.emplace_back("times");
    for (const Bytes size : sizes) {
      const SettingCell* const cell = cell_at(matrix.rows[1], size);
      const bool has_ratio = cell != nullptr && cell->against_base;
      cells.emplace_back(
          !has_ratio
              ? "-"
              : significant(cell->against_base->ratio, 3) +
                    (cell->against_base->verdict == verdicts::Verdict::no_evidence ? "?" : ""));
    }
  }
  return lines_of(view);
}

/// The best setting of each size, with its gain; empty if no setting gains.
Lines best_lines(const SettingsMatrix& matrix) {
  const std::vector<Bytes> sizes = shown_sizes(matrix);
  const auto has_best = [&](Bytes size) { return best_at(matrix, size) != nullptr; };
  if (std::ranges::none_of(sizes, has_best)) return {};
  std::vector<std::vector<std::string>> rows;
  for (const Bytes size : sizes) {
    const SettingRow* const best = best_at(matrix, size);
    const std::string gain = best == nullptr ? std::string(words::none_is_faster)
                                             : difference_text(*cell_at(*best, size)->against_base);
    rows.push_back({"best at " + format_bytes(size),
                    escaped(best == nullptr ? matrix.rows.front().name : best->name), gain});
  }
  return columns_of(rows);
}

/// Text for comparisons with too few launches to show any difference; else empty.
std::string shortage_text(const SettingsMatrix& matrix) {
  std::vector<const verdicts::Comparison*> open;
  for (const SettingRow& row : matrix.rows)
    std::ranges::copy(Verdicts(row).open, std::back_inserter(open));
  const std::size_t needed = launches_wanted(open);
  return needed > 0 ? fmt::format(words::too_few_launches, needed) : "";
}

/// The share of sizes with a gain, and the largest gain.
Sentence sweep_sentence(const SettingsMatrix& matrix) {
  using Kind = Sentence::Kind;
  std::set<Bytes> sizes;
  for (const SettingRow& row : matrix.rows) {
    for (const auto& [bytes, cell] : row.cells) {
      if (cell.against_base) sizes.insert(bytes);
    }
  }
  const std::string what =
      fmt::format("{}, {}", escaped(matrix.name), count_text(matrix.rows.size(), "setting"));
  if (sizes.empty()) return {Kind::sweep, 0, what};
  const verdicts::Comparison* most = nullptr;
  const SettingRow* row_of_most = nullptr;
  std::size_t gained = 0;
  for (const Bytes size : sizes) {
    const SettingRow* const best = best_at(matrix, size);
    if (best == nullptr) continue;
    ++gained;
    const verdicts::Comparison& comparison = *cell_at(*best, size)->against_base;
    if (most != nullptr && most->ratio <= comparison.ratio) continue;
    most = &comparison;
    row_of_most = best;
  }
  const std::string base = quoted(matrix.rows.front().name);
  if (most == nullptr) {
    return {Kind::sweep, 0, fmt::format(words::none_of_sweep, what, base, shortage_text(matrix))};
  }
  return {Kind::sweep, -std::log(most->ratio),
          fmt::format(words::some_of_sweep, what, base, gained, count_text(sizes.size(), "size"),
                      quoted(row_of_most->name), difference_at_size(*most))};
}

void append_lines(Lines& lines, Lines more) { std::ranges::move(more, std::back_inserter(lines)); }

/// Sentences about a sweep: one about all settings, and one for each of the slowest.
std::vector<Sentence> sweep_sentences(const SettingsMatrix& matrix, const std::string& name) {
  using Kind = Sentence::Kind;
  std::vector<Sentence> slower;
  for (Sentence& one : sentences_of(matrix)) {
    if (one.kind == Kind::slower) slower.push_back(std::move(one));
  }
  std::ranges::stable_sort(slower, std::greater(), &Sentence::difference);
  const std::size_t reported = std::min(slower.size(), few_settings);
  const std::size_t others = slower.size() - reported;
  slower.resize(reported);
  for (Sentence& one : slower) one.text = name + one.text;
  if (others > 0) {
    slower.push_back({Kind::slower, slower.back().difference,
                      fmt::format(words::others_slower, name, count_text(others, "more setting"))});
  }
  slower.push_back(sweep_sentence(matrix));
  return slower;
}

/// Sentences about a matrix, which precede the tables.
std::vector<Sentence> sentences_about(const SettingsMatrix& matrix, bool is_named) {
  const std::string name = is_named ? escaped(matrix.name) + ": " : "";
  if (matrix.rows.size() > few_settings) return sweep_sentences(matrix, name);
  std::vector<Sentence> sentences = sentences_of(matrix);
  for (Sentence& one : sentences) one.text = name + one.text;
  return sentences;
}

/// The largest difference among sentences with a verdict.
double rank_of(const std::vector<Sentence>& sentences) {
  double most = 0;
  for (const Sentence& one : sentences) {
    if (one.kind != Sentence::Kind::open) most = std::max(most, one.difference);
  }
  return most;
}

/// The table of times; for a sweep with the best setting of each size below.
Lines tables_of(const SettingsMatrix& matrix) {
  Lines lines = times_table(matrix);
  if (matrix.rows.size() <= few_settings) return lines;
  const std::size_t hidden = matrix.rows.size() - shown_rows(matrix).size();
  if (hidden > 0) lines.push_back("and " + count_text(hidden, "slower setting"));
  append_lines(lines, best_lines(matrix));
  return lines;
}

/// Legend of the marks in the tables; empty without marks.
std::string legend_of(const Lines& lines) {
  const auto has = [&](std::string_view mark) {
    return std::ranges::any_of(lines, [&](const std::string& line) {
      return line.find(std::string(mark) + " ") != std::string::npos || line.ends_with(mark);
    });
  };
  std::vector<std::string> parts;
  if (has("?")) parts.emplace_back(words::mark_of_open);
  if (has("*")) parts.emplace_back(words::mark_of_fastest);
  if (has("!")) parts.emplace_back(words::mark_of_another);
  return join(parts, "   ");
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
    others.erase(std::string(ranks_axis));  // part of the curve's name
    add_pair(matrices, comparison.set, set.base, comparison.value, places_text(others));
  }
  name_matrices(matrices);
  return matrices;
}

const SettingRow* best_at(const SettingsMatrix& matrix, Bytes bytes) {
  const SettingRow* best = nullptr;
  double best_ratio = 1;
  for (const SettingRow& row : matrix.rows) {
    const SettingCell* const cell = cell_at(row, bytes);
    if (cell == nullptr || !cell->against_base || cell->is_substituted) continue;
    const verdicts::Comparison& comparison = *cell->against_base;
    if (comparison.verdict != verdicts::Verdict::faster || comparison.ratio >= best_ratio) continue;
    best = &row;
    best_ratio = comparison.ratio;
  }
  return best;
}

std::vector<const SettingRow*> shown_rows(const SettingsMatrix& matrix) {
  std::vector<std::pair<double, const SettingRow*>> ranked;
  for (const SettingRow& row : matrix.rows) {
    double logarithms = 0;
    int count = 0;
    bool is_best = false;
    for (const auto& [bytes, cell] : row.cells) {
      is_best = is_best || best_at(matrix, bytes) == &row;
      if (!cell.against_base) continue;
      logarithms += std::log(cell.against_base->ratio);
      ++count;
    }
    const bool is_first = &row == &matrix.rows.front();
    const double rank = count > 0 ? std::exp(logarithms / count) : 1;
    ranked.emplace_back(is_first ? -2 : is_best ? rank - 1 : rank, &row);
  }
  const bool has_verdicts = std::ranges::any_of(
      matrix.rows, [](const SettingRow& row) { return Verdicts(row).all() > 0; });
  if (has_verdicts)
    std::ranges::stable_sort(ranked, {}, &std::pair<double, const SettingRow*>::first);
  std::vector<const SettingRow*> rows;
  for (const auto& [rank, row] : ranked) {
    if (rows.size() < most_settings) rows.push_back(row);
  }
  return rows;
}

Lines settings_answer(std::span<const SettingsMatrix> matrices) {
  const bool are_several = matrices.size() > 1;
  std::vector<Sentence> sentences;
  std::vector<std::pair<double, const SettingsMatrix*>> by_rank;
  for (const SettingsMatrix& matrix : matrices) {
    std::vector<Sentence> own = sentences_about(matrix, are_several);
    by_rank.emplace_back(-rank_of(own), &matrix);
    std::ranges::move(own, std::back_inserter(sentences));
  }
  std::ranges::stable_sort(by_rank, {}, &std::pair<double, const SettingsMatrix*>::first);
  Lines tables;
  for (const auto& [rank, matrix] : by_rank) {
    if (are_several) tables.insert(tables.end(), {"", escaped(matrix->name)});
    append_lines(tables, tables_of(*matrix));
  }
  Lines lines = ranked(std::move(sentences));
  if (std::string legend = legend_of(tables); !legend.empty()) lines.push_back(std::move(legend));
  append_lines(lines, std::move(tables));
  return lines;
}

std::vector<SummaryRow> settings_rows(std::span<const SettingsMatrix> matrices) {
  std::vector<SummaryRow> rows;
  for (const SettingsMatrix& matrix : matrices) {
    for (const SettingRow& row : matrix.rows) {
      const verdicts::Comparison* most = nullptr;
      for (const auto& [bytes, cell] : row.cells) {
        if (!cell.against_base || cell.is_substituted) continue;
        const verdicts::Comparison& one = *cell.against_base;
        const bool is_larger =
            most == nullptr || std::abs(std::log(one.ratio)) > std::abs(std::log(most->ratio));
        if (is_larger) most = &one;
      }
      if (most == nullptr) continue;
      rows.push_back(
          {.label = fmt::format("{}, {}", matrix.name, row.name),
           .value = most->ratio,
           .interval = most->interval(),
           .unit = "times " + matrix.rows.front().name,
           .mark = fmt::format("{} at {}", word(most->verdict), format_bytes(most->point.bytes))});
    }
  }
  return rows;
}

}  // namespace hockney::report
