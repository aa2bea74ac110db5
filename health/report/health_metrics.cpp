#include "health/report/health_outputs.hpp"

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "core/series_name.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "report/table.hpp"

namespace hockney::health {
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
  out << (sample.labels.empty() ? "" : "}") << ' ' << report::exact_text(sample.value) << '\n';
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

namespace {

using Labels = std::map<std::string, std::string>;

Labels labels_of(const SeriesKind& kind) {
  const SeriesName name = parse_series_name(kind.name);
  return {{"series", kind.name},
          {"operation", name.operation},
          {"hop", name.at("hop")},
          {"unit", kind.unit}};
}

double state_of(Verdict verdict) {
  if (verdict == Verdict::steady) return 0;
  return verdict == Verdict::regressed ? 1 : -1;
}

/// Families by name, in order of first use.
class Families {
 public:
  OpenMetricsFamily& at(const std::string& name, const std::string& unit, const std::string& help) {
    const std::string full = "hockney_health_" + name + (unit.empty() ? "" : "_" + unit);
    const auto known = std::ranges::find(all_, full, &OpenMetricsFamily::name);
    if (known != all_.end()) return *known;
    all_.push_back({.name = full, .unit = unit, .help = help, .samples = {}});
    return all_.back();
  }

  [[nodiscard]] std::vector<OpenMetricsFamily> take() { return std::move(all_); }

 private:
  std::vector<OpenMetricsFamily> all_;
};

void add_series(Families& families, const JudgedSeries& judged) {
  const SeriesHealth& health = judged.health;
  const Labels labels = labels_of(judged.kind);
  const bool decided = health.verdict != Verdict::undecided;
  if (decided) {
    families.at("series_state", "", "Verdict on a series: 1 regressed, 0 steady, -1 improved.")
        .samples.push_back({labels, state_of(health.verdict)});
  }
  families.at("series_undecided", "", "Whether a series has too little data for a verdict.")
      .samples.push_back({labels, decided ? 0.0 : 1.0});
  if (judged.last) {
    families.at("value", judged.kind.unit, "Last value of a series, median over launches.")
        .samples.push_back({labels, judged.last->value});
  }
  if (health.baseline) {
    families.at("baseline", judged.kind.unit, "Median of a series over its accepted nights.")
        .samples.push_back({labels, *health.baseline});
  }
  if (!health.change) return;
  families.at("change", "ratio", "Ratio of the new level of a series to the old one, minus 1.")
      .samples.push_back({labels, health.change->change});
  families.at("since_timestamp", "seconds", "First night of the new level of a series, Unix time.")
      .samples.push_back({labels, static_cast<double>(seconds_a_day * health.change->since)});
}

void add_fleet(Families& families, const JudgedFleet& fleet) {
  for (const fleet::NodeEffect& node : fleet.night.nodes) {
    const Labels labels{{"host", node.host}, {"point", fleet.point}};
    families
        .at("node_effect", "ratio",
            "How much longer the pairs of a node take than those of a usual one, ratio minus 1.")
        .samples.push_back({labels, node.effect});
    families.at("node_slow", "", "Whether a node is named as slow.")
        .samples.push_back({labels, node.named ? 1.0 : 0.0});
  }
  for (const fleet::LinkVerdict& link : fleet.links) {
    families
        .at("slow_link_effect", "ratio",
            "How much longer a link that is named as slow takes than usual ones, ratio minus 1.")
        .samples.push_back(
            {{{"a", link.a}, {"b", link.b}, {"hop", link.hop}, {"point", fleet.point}},
             link.effect});
  }
}

}  // namespace

std::vector<OpenMetricsFamily> health_metrics(const Report& report) {
  Families families;
  families.at("last_run_timestamp", "seconds", "When the check ran, Unix time.")
      .samples.push_back({{}, static_cast<double>(parse_utc(report.checked_utc))});
  families.at("night_timestamp", "seconds", "Which night was judged, Unix time of its day.")
      .samples.push_back({{}, static_cast<double>(seconds_a_day * report.day)});
  const HealthCounts counts = count(report);
  families.at("regressions", "", "Series that regressed, and nodes and links named as slow.")
      .samples.push_back(
          {{}, static_cast<double>(counts.regressed + counts.slow_nodes + counts.slow_links)});
  families.at("severity", "", "What to do: 0 nothing, 1 monitor, 2 isolate.")
      .samples.push_back({{}, static_cast<double>(severity_of(report))});
  for (const std::string_view name : enum_words<State>) {
    families.at("state", "", "What the night is: 1 for the state it is in, 0 for the others.")
        .samples.push_back(
            {{{"state", std::string(name)}}, word(state_of(report)) == name ? 1.0 : 0.0});
  }
  for (const FaultFinding& finding : report.faults) {
    families.at("void_points", "", "Points whose figures are left out of the night, by the reason.")
        .samples.push_back(
            {{{"fault", std::string(word(finding.fault))}}, static_cast<double>(finding.points)});
  }
  for (const JudgedSeries& judged : report.series) add_series(families, judged);
  for (const JudgedFleet& fleet : report.fleets) add_fleet(families, fleet);
  return families.take();
}

namespace {

constexpr std::int64_t nanoseconds_a_day = 86'400'000'000'000;

/// InputError for a day outside of the years 1677 to 2262, which no time of Influx reaches.
std::int64_t nanoseconds_of(std::int64_t day) {
  constexpr std::int64_t most_days = std::numeric_limits<std::int64_t>::max() / nanoseconds_a_day;
  if (day >= -most_days && day <= most_days) return day * nanoseconds_a_day;
  throw InputError(
      {"the night of " + day_text(day) + " has no time in Influx",
       "its times count nanoseconds, from " + day_text(-most_days) + " to " + day_text(most_days),
       "judge another --day, or leave out --influx"});
}

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
  void field(const std::string& key, double value) { add_field(key, report::exact_text(value)); }
  void field(const std::string& key, std::size_t value) {
    add_field(key, std::to_string(value) + "i");
  }
  void field(const std::string& key, std::string_view word) {
    add_field(key, '"' + std::string(word) + '"');
  }

  [[nodiscard]] std::string at(std::int64_t day) const {
    return text_ + " " + std::to_string(nanoseconds_of(day)) + "\n";
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

std::string node_line(const fleet::NodeEffect& node, const std::string& point, std::int64_t day) {
  InfluxLine line("hockney_health_node");
  line.tag("host", node.host);
  line.tag("point", point);
  line.field("effect", node.effect);
  if (node.score) line.field("score", *node.score);
  line.field("slow", static_cast<std::size_t>(node.named));
  return line.at(day);
}

}  // namespace

void write_influx(std::ostream& out, const Report& report) {
  InfluxLine night("hockney_health_night");
  night.field("state", word(state_of(report)));
  out << night.at(report.day);
  for (const JudgedSeries& judged : report.series) {
    if (judged.last) out << series_line(judged, *judged.last);
  }
  for (const JudgedFleet& fleet : report.fleets) {
    for (const fleet::NodeEffect& node : fleet.night.nodes) {
      out << node_line(node, fleet.point, node.day.value_or(report.day));
    }
  }
}

}  // namespace hockney::health
