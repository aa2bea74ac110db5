#include "report/page/records_page.hpp"
#include "report/fault_lines.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/text.hpp"
#include "report/page/pictures.hpp"
#include "report/page/plot.hpp"
#include "report/screens/answers.hpp"
#include "report/table.hpp"
#include "verdicts/guidelines_json.hpp"

namespace hockney::report {

using verdicts::CompareSet;
namespace {

std::set<std::string> settings_in(std::span<const Record> records) {
  std::set<std::string> settings;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) continue;
    settings.insert(record.campaign ? record.campaign->setting : std::string());
  }
  return settings;
}

/// The records with the names of their folders for settings, so that what is compared is not
/// pooled.
std::vector<Record> told_apart(std::span<const NamedRecords> folders) {
  std::vector<Record> records;
  for (const NamedRecords& folder : folders) {
    for (Record record : folder.records) {
      if (!record.campaign) record.campaign.emplace();
      record.campaign->setting = folder.name;
      records.push_back(std::move(record));
    }
  }
  return records;
}

std::string names_of(std::span<const NamedRecords> folders) {
  return inert(join(strings_of(folders, &NamedRecords::name), " "));
}

std::string title_of(std::span<const Record> records, const std::string& names) {
  Names campaigns;
  for (const Record& record : records) {
    if (record.campaign && !record.campaign->name.empty()) campaigns.add(record.campaign->name);
  }
  return campaigns.empty() ? names : campaigns.text();
}

/// Which of the records tell of guidelines, and what.
struct JudgedGuidelines {
  verdicts::GuidelineSet set;
  std::vector<verdicts::Violation> violations;
};

std::optional<JudgedGuidelines> judged_guidelines(std::span<const Record> records) {
  const auto states_any = [](const Record& record) { return !record.guidelines.empty(); };
  if (std::ranges::none_of(records, states_any)) return std::nullopt;
  JudgedGuidelines judged{.set = verdicts::judge_guidelines(records), .violations = {}};
  if (judged.set.verdicts.empty()) return std::nullopt;
  judged.violations = find_violations(judged.set, records);
  return judged;
}

void append(std::vector<Picture>& pictures, std::vector<Picture> more) {
  std::ranges::move(more, std::back_inserter(pictures));
}

PictureSource source_of(std::span<const Record> records, const std::string& names) {
  const auto is_complete = [](const Record& record) {
    return record.status == LaunchStatus::complete;
  };
  const auto complete = static_cast<std::size_t>(std::ranges::count_if(records, is_complete));
  return {.paths = names, .launches = count_text(complete, "launch") + " of " + names};
}

void add_comparisons(Page& page, const std::vector<CompareSet>& sets, const PictureSource& source) {
  for (const CompareSet& set : sets) {
    const std::string command =
        "hockney compare " + inert(set.a.source) + " " + inert(set.b.source);
    append(page.pictures, setting_pictures(settings_matrices(set), source, command + " --all"));
    const std::string number =
        sets.size() == 1 ? "" : "-" + std::to_string(page.documents.size() + 1);
    page.documents.push_back({"compare" + number, to_json(set)});
  }
}

/// The short name of a setting; inert.
std::string name_of(const SettingsMatrix& matrix, const std::string& setting) {
  const auto found = std::ranges::find(matrix.rows, setting, &SettingRow::setting);
  return inert(found == matrix.rows.end() ? setting : found->name);
}

/// Of more settings than a plot can tell apart those that are shown of each matrix.
void add_shown_curves(Page& page, std::span<const Record> records, const std::vector<Row>& rows,
                      std::span<const SettingsMatrix> matrices, const PictureSource& source) {
  for (const SettingsMatrix& matrix : matrices.first(std::min(matrices.size(), most_matrices))) {
    const std::vector<Row> shown = shown_rows(matrix, rows);
    std::vector<CurveSummary> curves = curve_summaries(shown, records);
    for (CurveSummary& curve : curves) curve.label = name_of(matrix, curve.row->setting);
    std::vector<Picture> pictures = curve_pictures(curves, rows, records, source);
    if (pictures.empty()) continue;
    Picture& time = pictures.front();
    time.title = inert(matrix.name) + " by setting" + time.title.substr(time.title.find(": "));
    time.plot["description"] = time.title;
    time.caption += " Drawn are " + std::to_string(shown_rows(matrix).size()) + " of " +
                    count_text(matrix.rows.size(), "setting") + ": " +
                    inert(matrix.rows.front().name) +
                    ", those that are best at some size, then the fastest.";
    page.pictures.push_back(std::move(time));
  }
}

/// Curves, pairs, paths and launches of the rows of one setting, or of several that are told apart.
void add_curves(Page& page, std::span<const Record> records, const std::vector<Row>& rows,
                std::span<const SettingsMatrix> matrices, const PictureSource& source) {
  std::vector<Row> own;
  std::vector<Row> shown;
  std::ranges::copy_if(rows, std::back_inserter(own), [](const Row& row) {
    return !is_of_other_suite(row.point) && !is_floor(row.point);
  });
  if (settings_in(records).size() <= most_series) {
    const std::vector<CurveSummary> curves = curve_summaries(own, records);
    append(page.pictures, curve_pictures(curves, rows, records, source));
  } else {
    add_shown_curves(page, records, own, matrices, source);
    for (const SettingsMatrix& matrix : matrices) {
      for (Row& row : shown_rows(matrix, own)) {
        row.setting = name_of(matrix, row.setting);
        row.point.algorithm.reset();
        shown.push_back(std::move(row));
      }
    }
  }
  append(page.pictures, path_pictures(path_rows(rows).compared, source));
  append(page.pictures, pair_pictures(own, records, source));
  append(page.pictures, launch_pictures(shown.empty() ? own : shown, source));
}

}  // namespace

std::span<const Record> together(std::span<const NamedRecords> folders,
                                 std::vector<Record>& several) {
  if (folders.size() == 1) return folders.front().records;
  for (const NamedRecords& folder : folders) {
    several.insert(several.end(), folder.records.begin(), folder.records.end());
  }
  return several;
}

std::vector<CompareSet> compare_folders(std::span<const NamedRecords> folders) {
  const auto has_one = [](const NamedRecords& folder) {
    return settings_in(folder.records).size() == 1;
  };
  if (folders.size() < 2 || !std::ranges::all_of(folders, has_one)) return {};
  std::vector<CompareSet> sets;
  for (const NamedRecords& folder : folders.subspan(1)) {
    CompareSet set = verdicts::compare(folders.front().records, folder.records);
    if (set.comparisons.empty()) continue;
    set.a.source = folders.front().name;
    set.b.source = folder.name;
    sets.push_back(std::move(set));
  }
  return sets;
}

Screen screen_of(std::span<const NamedRecords> folders, const ScreenStyle& style) {
  const std::vector<CompareSet> sets = compare_folders(folders);
  std::vector<Record> several;
  if (sets.empty()) return screen_of(together(folders, several), style);
  const std::vector<Record> records = told_apart(folders);
  Screen screen{.faults = fault_lines(find_faults(records)),
                .header = header_of(records),
                .answer = {},
                .verdict = {},
                .trust = trust_in(records, campaign_rows(records, style.level)),
                .next = {}};
  for (const CompareSet& set : sets) {
    const Lines lines = settings_answer(settings_matrices(set));
    screen.answer.insert(screen.answer.end(), lines.begin(), lines.end());
  }
  screen.trust.emplace_back(
      "measured apart, so drift of the machine is part of the difference; settings of one "
      "campaign take turns");
  return screen;
}

Page page_of(std::span<const NamedRecords> folders, double level, const collectives::Fits& fits) {
  const std::string names = names_of(folders);
  const std::vector<CompareSet> sets = compare_folders(folders);
  std::vector<Record> several;
  if (!sets.empty()) several = told_apart(folders);
  const std::span<const Record> records =
      sets.empty() ? together(folders, several) : std::span<const Record>(several);
  const PictureSource source = source_of(records, names);
  Page page{.title = title_of(records, names),
            .screen = screen_of(folders, {.level = level}),
            .pictures = {},
            .documents = {},
            .made_by = "hockney report " + names + " -o page.html"};
  if (page.screen.verdict.empty() && !page.screen.answer.empty()) {
    page.screen.verdict = page.screen.answer.front();
  }
  add_comparisons(page, sets, source);
  if (const auto judged = judged_guidelines(records)) {
    const GuidelineReport report{.set = judged->set, .violations = judged->violations, .known = {}};
    append(page.pictures, guideline_pictures(report, source));
    page.documents.push_back({"guidelines", to_json(judged->set, judged->violations, {})});
    number_ids(page.pictures);
    return page;
  }
  append(page.pictures, protocol_pictures(records, source));
  std::vector<SettingsMatrix> matrices;
  if (sets.empty() && settings_in(records).size() > 1) {
    matrices = settings_matrices(records);
    append(page.pictures, setting_pictures(matrices, source, "hockney report " + names + " --all"));
    append(page.pictures, sweep_pictures(records, source));
  }
  append(page.pictures, collective_pictures(fits, source));
  add_curves(page, records, campaign_rows(records, level), matrices, source);
  number_ids(page.pictures);
  return page;
}

}  // namespace hockney::report
