#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/settings/intel_presets.hpp"
#include "core/text.hpp"
#include "report/fault_lines.hpp"
#include "report/kernel_rows.hpp"
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

/// What records are made for, the one that a screen begins with first.
enum class Purpose { guidelines, figures, kernels, protocol };

Purpose purpose_of(const Record& record) {
  if (!record.guidelines.empty()) return Purpose::guidelines;
  if (!record.protocols.empty()) return Purpose::protocol;
  const bool is_of_kernels = std::ranges::any_of(
      record.points, [](const PlannedPoint& planned) { return is_of_kernel(planned.point); });
  return is_of_kernels ? Purpose::kernels : Purpose::figures;
}

/// What the presets of Intel MPI in the tables are called; nothing of other libraries.
Lines preset_lines(std::span<const Record> records, std::span<const SettingsMatrix> matrices) {
  std::set<std::string> shown;
  for (const SettingsMatrix& matrix : matrices) {
    for (const SettingRow* row : shown_rows(matrix)) shown.insert(row->name);
  }
  std::map<std::int64_t, std::string> names;
  for (const Record& record : records) {
    for (const RequestedSetting& setting : record.provenance.mpi.requested) {
      const auto number = as_number<std::int64_t>(setting.requested);
      if (!number || !shown.contains(setting.requested)) continue;
      const std::string_view name = intel_preset_name(setting.variable, *number);
      if (!name.empty()) names[*number] = name;
    }
  }
  std::vector<std::string> parts;
  for (const auto& [number, name] : names) parts.push_back(std::to_string(number) + " = " + name);
  return parts.empty() ? Lines{} : Lines{"presets by Intel's reference: " + join(parts, "; ")};
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

namespace {

/// Of records that are all for the same.
Screen screen_of_some(std::span<const Record> records, const ScreenStyle& style) {
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
    std::ranges::move(preset_lines(records, matrices), std::back_inserter(screen.answer));
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

}  // namespace

Screen screen_of(std::span<const Record> records, const ScreenStyle& style) {
  std::map<Purpose, std::vector<Record>> parts;
  for (const Record& record : records) parts[purpose_of(record)].push_back(record);
  if (parts.size() < 2) return screen_of_some(records, style);
  Screen screen{.faults = fault_lines(find_faults(records)),
                .header = header_of(records),
                .answer = {},
                .verdict = {},
                .trust = trust_in(records, own_rows(campaign_rows(records, style.level))),
                .next = {}};
  Lines first_lines;
  for (const auto& [purpose, part] : parts) {
    const Screen one = screen_of_some(part, style);
    if (!screen.answer.empty()) screen.answer.emplace_back();
    std::ranges::copy(one.answer, std::back_inserter(screen.answer));
    first_lines.push_back(one.verdict.empty() ? one.answer.front() : one.verdict);
  }
  screen.verdict = join(first_lines, "; ");
  return screen;
}

}  // namespace hockney::report
