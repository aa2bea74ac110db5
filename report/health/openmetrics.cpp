#include "report/health/openmetrics.hpp"

#include "core/inert_text.hpp"
#include "report/number_text.hpp"

namespace hockney {
namespace {

enum class Quotes { escaped, plain };

/// Quotes are escaped in label values, which lie between them, and not in help texts.
std::string escaped(const std::string& text, Quotes quotes) {
  std::string safe;
  for (const char letter : inert(text, Breaks::kept)) {
    if (letter == '\\') {
      safe += "\\\\";
    } else if (letter == '\n') {
      safe += "\\n";
    } else if (letter == '"' && quotes == Quotes::escaped) {
      safe += "\\\"";
    } else {
      safe += letter;
    }
  }
  return safe;
}

void write_sample(std::ostream& out, const std::string& name, const OpenMetricsSample& sample) {
  out << name;
  const char* before = "{";
  for (const auto& [label, value] : sample.labels) {
    out << before << label << "=\"" << escaped(value, Quotes::escaped) << '"';
    before = ",";
  }
  out << (sample.labels.empty() ? "" : "}") << ' ' << exact_text(sample.value) << '\n';
}

}  // namespace

void write_openmetrics(std::ostream& out, const std::vector<OpenMetricsFamily>& families) {
  for (const OpenMetricsFamily& family : families) {
    if (family.samples.empty()) continue;
    out << "# TYPE " << family.name << " gauge\n";
    if (!family.unit.empty()) out << "# UNIT " << family.name << ' ' << family.unit << '\n';
    out << "# HELP " << family.name << ' ' << escaped(family.help, Quotes::plain) << '\n';
    for (const OpenMetricsSample& sample : family.samples) {
      write_sample(out, family.name, sample);
    }
  }
  out << "# EOF\n";
}

}  // namespace hockney
