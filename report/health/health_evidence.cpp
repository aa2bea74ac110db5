#include <algorithm>
#include <sstream>

#include "core/days.hpp"
#include "core/inert_text.hpp"
#include "core/names.hpp"
#include "report/health/health_junit.hpp"

namespace hockney {
namespace {

/// A number of a unit of its own, with as many digits as it is worth.
std::string exact(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string shown(const std::string& text) { return text.empty() ? "unknown" : text; }

std::string value_text(const NightlyValue& night, const std::string& unit) {
  std::string text = exact(night.value) + " " + unit;
  if (night.interval) {
    text += ", interval " + exact(night.interval->low) + " .. " + exact(night.interval->high);
  }
  return text + ", " + std::to_string(night.launches) + " launches on " + day_text(night.day);
}

/// More facts than these are counted: another library has hundreds of other settings.
constexpr std::size_t most_facts = 8;

bool is_setting(const FactChange& change) { return change.fact.starts_with("mpi.setting."); }

/// Settings of the library last, which most often follow from the rest.
void add_facts(std::vector<std::string>& lines, const NamedChange& change) {
  std::vector<FactChange> facts = change.facts;
  std::ranges::stable_partition(facts, [](const FactChange& fact) { return !is_setting(fact); });
  for (std::size_t i = 0; i < std::min(facts.size(), most_facts); ++i) {
    lines.push_back(day_text(change.day) + " " + facts[i].fact + ": " + shown(facts[i].before) +
                    " -> " + shown(facts[i].after));
  }
  if (facts.size() > most_facts) {
    lines.push_back(day_text(change.day) + " and " + std::to_string(facts.size() - most_facts) +
                    " more facts of the environment");
  }
}

}  // namespace

std::vector<std::string> evidence_lines(const JudgedSeries& judged) {
  std::vector<std::string> lines;
  if (judged.last) lines.push_back("value " + value_text(*judged.last, judged.kind.unit));
  if (judged.health.baseline) {
    lines.push_back("baseline " + exact(*judged.health.baseline) + " " + judged.kind.unit +
                    ", noise " + exact(100 * judged.health.noise.value_or(0)) + " %, " +
                    std::to_string(judged.health.nights) + " nights");
  }
  if (judged.health.change) {
    lines.push_back("first said on " + day_text(judged.health.change->alarmed));
  }
  if (!judged.health.controls.empty()) {
    lines.push_back("the node changed too: " + join(judged.health.controls));
  }
  for (const NamedChange& change : judged.environment) add_facts(lines, change);
  for (const HistoryNote& note : judged.notes) {
    lines.push_back(day_text(note.day) + " note: " + note.text);
  }
  for (std::string& line : lines) line = inert(line);
  return lines;
}

}  // namespace hockney
