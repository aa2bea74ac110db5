#include <algorithm>
#include <cstdint>
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
#include "report/protocol_table.hpp"
#include "report/screens/answers.hpp"
#include "report/screens/curves.hpp"
#include "report/screens/evaluation.hpp"
#include "report/screens/settings.hpp"
#include "report/screens/verdict_words.hpp"

namespace hockney::report {
namespace {

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
void add_guidelines(Screen& screen, const verdicts::GuidelineSet& set) {
  if (set.verdicts.empty()) return;
  const std::vector<verdicts::Violation> violations = find_violations(set, {});
  const GuidelineReport report{.set = set, .violations = violations, .known = {}};
  screen.answer = guidelines_answer(report);
  screen.verdict = guidelines_verdict(report);
}

/// A screen without its answer.
Screen frame_of(Evaluation& evaluation) {
  return {.faults = fault_lines(evaluation.faults()),
          .header = header_of(evaluation.records()),
          .answer = {},
          .verdict = {},
          .trust = trust_in(evaluation.records(), evaluation.told_rows()),
          .next = {}};
}

/// Of records that are all for the same.
Screen screen_of_some(Evaluation& evaluation, const ScreenStyle& style) {
  const std::span<const Record> records = evaluation.records();
  Screen screen = frame_of(evaluation);
  add_guidelines(screen, evaluation.guidelines());
  if (screen.answer.empty()) screen.answer = protocol_answer(records);
  if (screen.answer.empty() && has_several_settings(records)) {
    const std::vector<SettingsMatrix>& matrices = evaluation.matrices();
    screen.answer = settings_answer(matrices);
    std::ranges::move(preset_lines(records, matrices), std::back_inserter(screen.answer));
    if (const std::size_t family = comparisons_in(matrices); family > 0) {
      screen.trust.push_back("verdicts: " + family_text(family, {}));
    }
  }
  if (screen.answer.empty()) {
    screen.answer = kernel_answer(kernel_points(evaluation.rows(), records, evaluation.level()));
  }
  if (screen.answer.empty()) {
    screen.answer = curves_answer(evaluation, style);
    screen.verdict = curves_verdict(evaluation);
  }
  return screen;
}

}  // namespace

Screen screen_of(Evaluation& evaluation, const ScreenStyle& style) {
  const std::span<const Record> records = evaluation.records();
  std::set<Purpose> purposes;
  for (const Record& record : records) purposes.insert(purpose_of(record));
  if (purposes.size() < 2) return screen_of_some(evaluation, style);
  Screen screen = frame_of(evaluation);
  Lines first_lines;
  for (const Purpose purpose : purposes) {
    std::vector<Record> part;
    std::ranges::copy_if(records, std::back_inserter(part),
                         [&](const Record& record) { return purpose_of(record) == purpose; });
    Evaluation of_part(part, evaluation.level());
    const Screen one = screen_of_some(of_part, style);
    if (!screen.answer.empty()) screen.answer.emplace_back();
    std::ranges::copy(one.answer, std::back_inserter(screen.answer));
    first_lines.push_back(one.verdict.empty() ? one.answer.front() : one.verdict);
  }
  screen.verdict = join(first_lines, "; ");
  return screen;
}

}  // namespace hockney::report
