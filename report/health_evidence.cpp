#include <sstream>

#include "core/days.hpp"
#include "core/names.hpp"
#include "report/health_junit.hpp"

namespace hockney {
namespace {

/// A number of a unit of its own, with as many digits as it is worth.
std::string exact(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string shown(const std::string& text) { return text.empty() ? "unknown" : text; }

std::string value_text(const JudgedSeries& judged) {
  std::string text = exact(judged.last->value) + " " + judged.kind.unit;
  if (judged.last->interval) {
    text += ", interval " + exact(judged.last->interval->low) + " .. " +
            exact(judged.last->interval->high);
  }
  return text + ", " + std::to_string(judged.last->launches) + " launches on " +
         day_text(judged.last->day);
}

}  // namespace

std::vector<std::string> evidence_lines(const JudgedSeries& judged) {
  std::vector<std::string> lines;
  if (judged.last) lines.push_back("value " + value_text(judged));
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
  for (const NamedChange& change : judged.environment) {
    for (const FactChange& fact : change.facts) {
      lines.push_back(day_text(change.day) + " " + fact.fact + ": " + shown(fact.before) + " -> " +
                      shown(fact.after));
    }
  }
  for (const HistoryNote& note : judged.notes) {
    lines.push_back(day_text(note.day) + " note: " + note.text);
  }
  return lines;
}

}  // namespace hockney
