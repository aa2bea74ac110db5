#include "driver/page/records_page.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/text.hpp"
#include "driver/screens/reliability.hpp"
#include "report/exports.hpp"
#include "verdicts/guidelines.hpp"
#include "verdicts/tables/guideline_tables.hpp"
#include "verdicts/tables/verdict_tables.hpp"

namespace hockney::report {

using verdicts::CompareSet;
namespace {

constexpr std::string_view measured_apart =
    "measured apart, so drift of the machine is part of the difference; settings of one campaign "
    "take turns";

std::set<std::string> settings_in(std::span<const Record> records) {
  std::set<std::string> settings;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) continue;
    settings.insert(record.campaign ? record.campaign->setting : std::string());
  }
  return settings;
}

std::string names_of(const RecordFolders& folders) { return escaped(join(folders.names(), " ")); }

std::string title_of(std::span<const Record> records, const std::string& names) {
  Names campaigns;
  for (const Record& record : records) {
    if (record.campaign && !record.campaign->name.empty()) campaigns.add(record.campaign->name);
  }
  return campaigns.empty() ? names : campaigns.text();
}

/// The records of all folders. Sets `ends`, where those of each folder end.
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

RecordFolders::RecordFolders(std::vector<NamedRecords> folders, IntervalAims aims)
    : names_(strings_of(folders, &NamedRecords::name)),
      records_(in_one_piece(std::move(folders), ends_)),
      all_(records_, aims) {}

RecordFolders::RecordFolders(std::string name, std::vector<Record> records, IntervalAims aims)
    : names_{std::move(name)},
      ends_{records.size()},
      records_(std::move(records)),
      all_(records_, aims) {}

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

std::vector<Record> RecordFolders::labelled_by_folder() const {
  std::vector<Record> records = records_;
  for (std::size_t folder = 0, i = 0; folder < names_.size(); ++folder) {
    for (; i < ends_[folder]; ++i) {
      CampaignPlace place = records[i].campaign.value_or(CampaignPlace());
      place.setting = names_[folder];
      records[i].campaign = std::move(place);
    }
  }
  return records;
}

Evaluation& RecordFolders::shown() {
  if (comparisons().empty()) return all_;
  if (!apart_) {
    labelled_by_folder_ = labelled_by_folder();
    apart_.emplace(labelled_by_folder_, all_.aims());
  }
  return *apart_;
}

Screen screen_of(RecordFolders& folders, const ScreenStyle& style) {
  const std::vector<CompareSet>& sets = folders.comparisons();
  Evaluation& evaluation = folders.shown();
  if (sets.empty()) return screen_of(evaluation, style);
  Screen screen = frame_of(evaluation);
  for (const CompareSet& set : sets) {
    const Lines lines = settings_answer(settings_matrices(set));
    screen.answer.insert(screen.answer.end(), lines.begin(), lines.end());
  }
  screen.findings.push_back({.what = std::string(measured_apart)});
  const DisturbedWords disturbed = disturbed_words(evaluation.records(), evaluation.shown_rows());
  for (const CompareSet& set : sets) add_means(screen, set, disturbed);
  return screen;
}

Page led_by(PageDocument first, Page page) {
  std::erase_if(page.documents,
                [&](const PageDocument& one) { return one.name.starts_with(first.name); });
  page.documents.insert(page.documents.begin(), std::move(first));
  return page;
}

Page page_of(RecordFolders& folders) {
  const std::string names = names_of(folders);
  Evaluation& evaluation = folders.shown();
  Page page{.title = title_of(evaluation.records(), names),
            .made_by = fmt::format("hockney report {} -o page.html", names),
            .documents = {}};
  page.documents.push_back(
      {"rows", with_summary(rows_document(evaluation, most_page_rows), screen_of(folders))});
  for (const CompareSet& set : folders.comparisons()) {
    page.documents.push_back({fmt::format("compare-{}", page.documents.size()), to_json(set)});
  }
  if (const verdicts::GuidelineSet& set = evaluation.guidelines(); !set.verdicts.empty()) {
    const std::vector<verdicts::Violation> violations = find_violations(set, evaluation.records());
    page.documents.push_back(
        {"guidelines",
         to_json(GuidelineReport{.set = set, .violations = violations, .known = {}})});
  }
  return page;
}

}  // namespace hockney::report
