#include "core/inert_text.hpp"
#include "core/series_name.hpp"
#include "report/health/health_metrics.hpp"
#include "report/number_text.hpp"

namespace hockney {
namespace {

constexpr std::int64_t nanoseconds_a_day = 86'400'000'000'000;

/// Of tags: commas, blanks and equals signs; a line break would end the line, and a backslash at
/// the end would escape what follows.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char letter : inert(text)) {
    if (letter == ',' || letter == ' ' || letter == '=') safe += '\\';
    safe += letter == '\\' ? '_' : letter;
  }
  return safe;
}

/// One line under way: tags first, then fields.
class InfluxLine {
 public:
  explicit InfluxLine(std::string measurement) : text_(std::move(measurement)) {}

  void tag(const std::string& key, const std::string& value) {
    // The protocol has no empty tags.
    if (!value.empty()) text_ += "," + escaped(key) + "=" + escaped(value);
  }
  void field(const std::string& key, double value) { add_field(key, exact_text(value)); }
  void field(const std::string& key, std::size_t value) {
    add_field(key, std::to_string(value) + "i");
  }
  void field(const std::string& key, std::string_view word) {
    add_field(key, '"' + std::string(word) + '"');
  }

  [[nodiscard]] std::string at(std::int64_t day) const {
    return text_ + " " + std::to_string(day * nanoseconds_a_day) + "\n";
  }

 private:
  void add_field(const std::string& key, const std::string& value) {
    text_ += (has_field_ ? "," : " ") + escaped(key) + "=" + value;
    has_field_ = true;
  }

  std::string text_;
  bool has_field_ = false;
};

std::string series_line(const JudgedSeries& judged, const NightlyValue& night) {
  const SeriesName name = parse_series_name(judged.kind.name);
  InfluxLine line("hockney_health");
  line.tag("hop", name.at("hop"));
  line.tag("operation", name.operation);
  line.tag("series", judged.kind.name);
  line.tag("unit", judged.kind.unit);
  line.field("value", night.value);
  if (night.interval) {
    line.field("ci_low", night.interval->low);
    line.field("ci_high", night.interval->high);
  }
  line.field("launches", night.launches);
  line.field("verdict", word(judged.health.verdict));
  if (judged.health.baseline) line.field("baseline", *judged.health.baseline);
  if (judged.health.change) line.field("change", judged.health.change->change);
  return line.at(night.day);
}

std::string node_line(const NodeEffect& node, const std::string& point, std::int64_t day) {
  InfluxLine line("hockney_health_node");
  line.tag("host", node.host);
  line.tag("point", point);
  line.field("effect", node.effect);
  if (node.score) line.field("score", *node.score);
  line.field("slow", static_cast<std::size_t>(node.named));
  return line.at(day);
}

}  // namespace

void write_influx(std::ostream& out, const HealthReport& report) {
  InfluxLine night("hockney_health_night");
  night.field("state", word(state_of(report)));
  out << night.at(report.day);
  for (const JudgedSeries& judged : report.series) {
    if (judged.last) out << series_line(judged, *judged.last);
  }
  for (const JudgedFleet& fleet : report.fleets) {
    for (const NodeEffect& node : fleet.night.nodes) {
      out << node_line(node, fleet.point, report.day);
    }
  }
}

}  // namespace hockney
