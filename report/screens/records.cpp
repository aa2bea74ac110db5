#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "report/fault_lines.hpp"
#include "report/kernel_tables.hpp"
#include "report/paired_rows.hpp"
#include "report/protocol_table.hpp"
#include "report/screens/answers.hpp"
#include "report/screens/curves.hpp"
#include "report/screens/settings.hpp"
#include "report/screens/verdict_words.hpp"

namespace hockney::report {
namespace {

/// hockney's own times where there are any, and MPI's rather than the machine's floors.
std::vector<Row> own_rows(std::vector<Row> rows) {
  const auto is_own = [](const Row& row) {
    return !is_of_other_suite(row.point) && !is_floor(row.point);
  };
  if (std::ranges::any_of(rows, is_own)) std::erase_if(rows, std::not_fn(is_own));
  return rows;
}

bool has_several_settings(std::span<const Record> records) {
  std::set<std::string> settings;
  for (const Record& record : records) {
    if (record.status == LaunchStatus::complete && record.campaign) {
      settings.insert(record.campaign->setting);
    }
  }
  return settings.size() > 1;
}

std::size_t comparisons_in(std::span<const SettingsMatrix> matrices) {
  std::size_t count = 0;
  for (const SettingsMatrix& matrix : matrices) {
    for (const SettingRow& row : matrix.rows) count += Verdicts(row).all();
  }
  return count;
}

/// Nothing where no guideline can be judged.
void add_guidelines(Screen& screen, std::span<const Record> records) {
  const auto has_guidelines = [](const Record& record) { return !record.guidelines.empty(); };
  if (std::ranges::none_of(records, has_guidelines)) return;
  const verdicts::GuidelineSet set = verdicts::judge_guidelines(records);
  if (set.verdicts.empty()) return;
  const std::vector<verdicts::Violation> violations = find_violations(set, {});
  const GuidelineReport report{.set = set, .violations = violations, .known = {}};
  screen.answer = guidelines_answer(report);
  screen.verdict = guidelines_verdict(report);
}

}  // namespace

Screen screen_of(std::span<const Record> records, const ScreenStyle& style) {
  const std::vector<Row> rows = own_rows(campaign_rows(records, style.level));
  Screen screen{.faults = fault_lines(find_faults(records)),
                .header = header_of(records),
                .answer = {},
                .verdict = {},
                .trust = trust_in(records, rows),
                .next = {}};
  add_guidelines(screen, records);
  if (screen.answer.empty()) screen.answer = protocol_answer(records);
  if (screen.answer.empty() && has_several_settings(records)) {
    const std::vector<SettingsMatrix> matrices = settings_matrices(records);
    screen.answer = settings_answer(matrices);
    if (const std::size_t family = comparisons_in(matrices); family > 0) {
      screen.trust.push_back("verdicts: " + family_text(family, {}));
    }
  }
  if (screen.answer.empty()) screen.answer = kernel_answer(records, style.level);
  if (screen.answer.empty()) {
    screen.answer = curves_answer(records, rows, style);
    screen.verdict = curves_verdict(rows);
  }
  return screen;
}

}  // namespace hockney::report
