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

std::string names_of(const RecordFolders& folders) { return inert(join(folders.names(), " ")); }

std::string title_of(std::span<const Record> records, const std::string& names) {
  Names campaigns;
  for (const Record& record : records) {
    if (record.campaign && !record.campaign->name.empty()) campaigns.add(record.campaign->name);
  }
  return campaigns.empty() ? names : campaigns.text();
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
void add_shown_curves(Page& page, Evaluation& records, std::span<const SettingsMatrix> matrices,
                      const PictureSource& source) {
  const std::vector<Row>& rows = records.own_rows();
  for (const SettingsMatrix& matrix : matrices.first(std::min(matrices.size(), most_matrices))) {
    const std::vector<Row> shown = shown_rows(matrix, rows);
    std::vector<CurveSummary> curves = curve_summaries(shown, records);
    for (CurveSummary& curve : curves) curve.label = name_of(matrix, curve.row->setting);
    std::vector<Picture> pictures = curve_pictures(curves, rows, records.records(), source);
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

/// Curves, pairs, paths and launches of one setting, or of several that are told apart.
void add_curves(Page& page, Evaluation& records, std::span<const SettingsMatrix> matrices,
                const PictureSource& source) {
  const std::vector<Row>& own = records.own_rows();
  std::vector<Row> shown;
  if (settings_in(records.records()).size() <= most_series) {
    std::span<const CurveSummary> curves;
    if (!own.empty()) curves = records.curves();
    append(page.pictures, curve_pictures(curves, records.rows(), records.records(), source));
  } else {
    add_shown_curves(page, records, matrices, source);
    for (const SettingsMatrix& matrix : matrices) {
      for (Row& row : shown_rows(matrix, own)) {
        row.setting = name_of(matrix, row.setting);
        row.point.algorithm.reset();
        shown.push_back(std::move(row));
      }
    }
  }
  append(page.pictures, path_pictures(path_rows(records.rows()).compared, source));
  append(page.pictures, pair_pictures(own, records.records(), source));
  append(page.pictures, launch_pictures(shown.empty() ? own : shown, source));
}

/// The records of all folders, and where those of each end.
std::vector<Record> in_one_piece(std::vector<NamedRecords> folders,
                                 std::vector<std::size_t>& ends) {
  std::vector<Record> records;
  for (NamedRecords& folder : folders) {
    if (records.empty()) {
      records = std::move(folder.records);
    } else {
      std::ranges::move(folder.records, std::back_inserter(records));
    }
    ends.push_back(records.size());
  }
  return records;
}

}  // namespace

RecordFolders::RecordFolders(std::vector<NamedRecords> folders, double level)
    : names_(strings_of(folders, &NamedRecords::name)),
      records_(in_one_piece(std::move(folders), ends_)),
      all_(records_, level) {}

RecordFolders::RecordFolders(std::string name, std::vector<Record> records, double level)
    : names_{std::move(name)},
      ends_{records.size()},
      records_(std::move(records)),
      all_(records_, level) {}

std::span<const Record> RecordFolders::records_of(std::size_t folder) const {
  const std::size_t first = folder == 0 ? 0 : ends_[folder - 1];
  return std::span(records_).subspan(first, ends_[folder] - first);
}

std::vector<CompareSet> RecordFolders::compared() const {
  std::vector<CompareSet> sets;
  for (std::size_t folder = 0; folder < names_.size(); ++folder) {
    if (names_.size() < 2 || settings_in(records_of(folder)).size() != 1) return {};
  }
  for (std::size_t folder = 1; folder < names_.size(); ++folder) {
    CompareSet set = verdicts::compare(records_of(0), records_of(folder));
    if (set.comparisons.empty()) continue;
    set.a.source = names_.front();
    set.b.source = names_[folder];
    sets.push_back(std::move(set));
  }
  return sets;
}

const std::vector<CompareSet>& RecordFolders::comparisons() {
  if (!comparisons_) comparisons_ = compared();
  return *comparisons_;
}

std::vector<Record> RecordFolders::told_apart() const {
  std::vector<Record> records = records_;
  for (std::size_t folder = 0, i = 0; folder < names_.size(); ++folder) {
    for (; i < ends_[folder]; ++i) {
      if (!records[i].campaign) records[i].campaign.emplace();
      records[i].campaign->setting = names_[folder];
    }
  }
  return records;
}

Evaluation& RecordFolders::shown() {
  if (comparisons().empty()) return all_;
  if (!apart_) {
    told_apart_ = told_apart();
    apart_.emplace(told_apart_, all_.level());
  }
  return *apart_;
}

Screen screen_of(RecordFolders& folders, const ScreenStyle& style) {
  const std::vector<CompareSet>& sets = folders.comparisons();
  Evaluation& evaluation = folders.shown();
  if (sets.empty()) return screen_of(evaluation, style);
  const std::span<const Record> records = evaluation.records();
  Screen screen{.faults = fault_lines(evaluation.faults()),
                .header = header_of(records),
                .answer = {},
                .verdict = {},
                .trust = trust_in(records, evaluation.rows()),
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

Page page_of(RecordFolders& folders, const collectives::Fits& fits) {
  const std::string names = names_of(folders);
  const std::vector<CompareSet>& sets = folders.comparisons();
  Evaluation& evaluation = folders.shown();
  const std::span<const Record> records = evaluation.records();
  const PictureSource source = source_of(records, names);
  Page page{.title = title_of(records, names),
            .screen = screen_of(folders),
            .pictures = {},
            .documents = {},
            .made_by = "hockney report " + names + " -o page.html"};
  if (page.screen.verdict.empty() && !page.screen.answer.empty()) {
    page.screen.verdict = page.screen.answer.front();
  }
  add_comparisons(page, sets, source);
  if (const verdicts::GuidelineSet& set = evaluation.guidelines(); !set.verdicts.empty()) {
    const std::vector<verdicts::Violation> violations = find_violations(set, records);
    const GuidelineReport report{.set = set, .violations = violations, .known = {}};
    append(page.pictures, guideline_pictures(report, source));
    page.documents.push_back({"guidelines", to_json(set, violations, {})});
    number_ids(page.pictures);
    return page;
  }
  append(page.pictures, protocol_pictures(records, source));
  std::span<const SettingsMatrix> matrices;
  if (sets.empty() && settings_in(records).size() > 1) {
    matrices = evaluation.matrices();
    append(page.pictures, setting_pictures(matrices, source, "hockney report " + names + " --all"));
    append(page.pictures, sweep_pictures(records, source));
  }
  append(page.pictures, collective_pictures(fits, source));
  add_curves(page, evaluation, matrices, source);
  number_ids(page.pictures);
  return page;
}

}  // namespace hockney::report
