#include "components/health/report/health_exports.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "components/health/history/database.hpp"
#include "components/health/report/health_outputs.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/point.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/curve_tables.hpp"
#include "report/table.hpp"

namespace hockney::health {
namespace {

using Json = nlohmann::json;

/// Sentences of the exports.
namespace words {

constexpr std::string_view node_takes_longer =
    "{}: its pairs take {:f} % longer than those of a usual node";
constexpr std::string_view link_takes_longer = "{}: takes {:f} % longer than usual links of hop {}";

}  // namespace words

Json suspect_json(const std::optional<NightOutlier>& suspect) {
  if (!suspect) return nullptr;
  return {{"day", day_text(suspect->day)},
          {"change", suspect->change},
          {"change_ci", suspect->interval},
          {"score", suspect->score},
          {"since", day_text(suspect->since)}};
}

Json fact_json(const FactChange& change) {
  return {{"fact", change.fact}, {"before", change.before}, {"after", change.after}};
}

Json environment_json(const NamedChange& change) {
  return {{"day", day_text(change.day)},
          {"day_before", day_text(change.day_before)},
          {"facts", array_json(change.facts, fact_json)}};
}

Json note_json(const Note& note) { return {{"day", day_text(note.day)}, {"text", note.text}}; }

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

/// A number, or null where the series has none.
Json count_of(const std::string& text) {
  const auto number = as_number<std::int64_t>(text);
  return number ? Json(*number) : Json();
}

/// The parts of a series' name, for people and for filters.
void add_names(Json& json, const SeriesKind& kind) {
  const SeriesName name = parse_series_name(kind.name);
  json["name"] = event_text(kind);
  json["figure"] = figure_name(name);
  json["operation"] = name.operation;
  json["bytes"] = count_of(name.at("bytes"));
  json["ranks"] = count_of(name.at("ranks"));
  for (const char* const key : {"hop", "host", "setting"}) json[key] = text_or_null(name.at(key));
}

Json night_json(const NightlyValue& night) {
  return {{"day", day_text(night.day)},
          {"value", night.value},
          {"value_ci", night.interval},
          {"launches", night.launches}};
}

Json verdict_json(const JudgedSeries& judged) {
  static const auto columns = columns_of_verdicts();
  const std::optional<DatedChange>& change = judged.health.change;
  Json json = report::json_of(columns, judged);
  add_names(json, judged.kind);
  const bool decided = judged.health.verdict != Verdict::undecided;
  json["missing_because"] = judged.missing.empty() ? Json() : Json(judged.missing);
  json["undecided_because"] = decided ? Json() : Json(judged.health.why);
  json["since_ci"] =
      change ? Json{day_text(change->since_low), day_text(change->since_high)} : Json();
  json["change_from_baseline"] =
      judged.health.from_baseline ? Json(*judged.health.from_baseline) : Json();
  json["suspect"] = suspect_json(judged.health.suspect);
  json["environment"] = array_json(judged.environment, environment_json);
  json["controls"] = judged.health.controls;
  json["notes"] = array_json(judged.notes, note_json);
  return json;
}

Json verdict_with_nights(const JudgedSeries& judged) {
  Json json = verdict_json(judged);
  json["values"] = array_json(judged.nights, night_json);
  return json;
}

Json node_json(const fleet::NodeEffect& node) {
  static const auto columns = columns_of_nodes();
  return report::json_of(columns, node);
}

Json suspect_link_json(const fleet::LinkEffect& link) {
  return {{"hosts", {link.a, link.b}},
          {"hop", link.hop},
          {"effect", link.effect},
          {"score", link.score},
          {"expected_seconds", link.expected_seconds}};
}

Json link_json(const fleet::LinkVerdict& link) {
  static const auto columns = columns_of_links();
  Json json = report::json_of(columns, link);
  json["hosts"] = {link.a, link.b};
  json["is_repeated"] = link.is_repeated;
  return json;
}

Json fleet_json(const JudgedFleet& fleet) {
  const fleet::FleetNight& night = fleet.night;
  const bool decided = night.undecided == fleet::FleetUndecided::none;
  return {{"point", fleet.point},
          {"name", event_text({.name = fleet.point, .unit = ""})},
          {"day", day_text(fleet.day)},
          {"undecided_because", decided ? Json(nullptr) : Json(night.undecided)},
          {"nodes", array_json(night.nodes, node_json)},
          {"suspects", array_json(night.suspects, suspect_link_json)},
          {"pair_sigma", night.pair_sigma},
          {"cut", night.cut}};
}

report::JUnitCase fault_case(const FaultFinding& finding) {
  return {.classname = "hockney.health.fault",
          .name = std::string(word(finding.fault)),
          .failure = report::JUnitFailure{.type = "corrupt",
                                          .message = report::fault_lines({{finding}}).front(),
                                          .text = finding.detail}};
}

/// One case for the state of the night; regressions fail in other cases.
report::JUnitCase state_case(const Report& report) {
  const bool is_learning = state_of(report) == State::learning;
  const std::string text = headline(report);
  return {.classname = "hockney.health",
          .name = "state",
          .skipped = is_learning ? std::optional(text) : std::nullopt,
          .output = is_learning ? "" : text};
}

report::JUnitCase series_case(const JudgedSeries& judged, bool missing_ok) {
  const SeriesHealth& health = judged.health;
  report::JUnitCase test{
      .classname = "hockney.health." + parse_series_name(judged.kind.name).operation,
      .name = judged.kind.name};
  const std::string evidence = join(evidence_lines(judged), "\n");
  switch (health.verdict) {
    case Verdict::regressed:
      test.failure = report::JUnitFailure{
          .type = "regressed", .message = change_text(health), .text = evidence};
      break;
    case Verdict::undecided:
      test.skipped = undecided_text(health);
      break;
    case Verdict::missing:
      if (missing_ok) {
        test.skipped = "missing: " + judged.missing;
      } else {
        test.failure =
            report::JUnitFailure{.type = "missing", .message = judged.missing, .text = evidence};
      }
      break;
    case Verdict::improved:
      test.output = fmt::format("improved {}\n{}", change_text(health), evidence);
      break;
    case Verdict::steady:
      break;
  }
  return test;
}

report::JUnitCase node_case(const fleet::NodeEffect& node, const std::string& point) {
  report::JUnitCase test{.classname = "hockney.health.node",
                         .name = fmt::format("{} {}", node.host, point)};
  if (!node.named) return test;
  const std::string interval =
      node.interval ? fmt::format(", interval {:f} % .. {:f} %", 100 * node.interval->low,
                                  100 * node.interval->high)
                    : "";
  test.failure = report::JUnitFailure{
      .type = "slow node",
      .message = fmt::format(words::node_takes_longer, word(node.severity), 100 * node.effect),
      .text = fmt::format("score {:f}, {}{}", node.score.value_or(0),
                          report::count_text(node.pairs, "pair"), interval)};
  return test;
}

report::JUnitCase link_case(const fleet::LinkVerdict& link, const std::string& point) {
  return {.classname = "hockney.health.link",
          .name = fmt::format("{}-{} {}", link.a, link.b, point),
          .failure = report::JUnitFailure{
              .type = "slow link",
              .message = fmt::format(words::link_takes_longer, word(link.severity),
                                     100 * link.effect, link.hop),
              .text = fleet::evidence_text(link)}};
}

enum class Quotes { escaped, plain };

/// Quotes are escaped in label values, which are quoted, but not in help texts.
std::string openmetrics_text(const std::string& text, Quotes quotes) {
  std::string safe;
  for (const char letter : escaped(text, Breaks::kept)) {
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
    out << before << label << "=\"" << openmetrics_text(value, Quotes::escaped) << '"';
    before = ",";
  }
  out << (sample.labels.empty() ? "" : "}") << ' ' << report::exact_text(sample.value) << '\n';
}

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
    const std::string full =
        fmt::format("hockney_health_{}{}", name, unit.empty() ? "" : "_" + unit);
    const auto known = std::ranges::find(all_, full, &OpenMetricsFamily::name);
    if (known != all_.end()) return *known;
    all_.push_back({.name = full, .unit = unit, .help = help, .samples = {}});
    return all_.back();
  }

  [[nodiscard]] std::vector<OpenMetricsFamily> take() { return std::move(all_); }

 private:
  std::vector<OpenMetricsFamily> all_;
};

void add_series(Families& families, const JudgedSeries& judged, std::int64_t day) {
  const SeriesHealth& health = judged.health;
  const Labels labels = labels_of(judged.kind);
  const bool decided = health.verdict != Verdict::undecided && health.verdict != Verdict::missing;
  if (decided) {
    families.at("series_state", "", "Verdict on a series: 1 regressed, 0 steady, -1 improved.")
        .samples.push_back({labels, state_of(health.verdict)});
  }
  families.at("series_undecided", "", "Whether a series has too little data for a verdict.")
      .samples.push_back({labels, decided ? 0.0 : 1.0});
  families.at("series_missing", "", "Whether a series has no value though one was due.")
      .samples.push_back({labels, judged.missing.empty() ? 0.0 : 1.0});
  if (judged.last && judged.last->day == day) {
    families.at("value", judged.kind.unit, "Value of a series in the night, median over launches.")
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

void add_nodes(Families& families, const JudgedNodes& nodes) {
  const auto add_count = [&](const char* name, const char* help, std::size_t number) {
    families.at(name, "", help).samples.push_back({{}, static_cast<double>(number)});
  };
  add_count("nodes_measured", "Nodes that measured themselves.", nodes.nodes);
  add_count("nodes_to_drain", "Nodes far slower than before or than their peers.",
            hosts_to(nodes, fleet::Severity::isolate).size());
  add_count("nodes_to_watch", "Nodes slower than before or than their peers.",
            hosts_to(nodes, fleet::Severity::monitor).size());
  add_count("nodes_missing", "Nodes measured lately without a value.", absent_hosts(nodes).size());
  for (const NodeShift& node : nodes.slow) {
    families
        .at("slow_node_change", "ratio",
            "Change of a figure of a slow node, from its usual level or its peers, ratio minus 1.")
        .samples.push_back({{{"host", node.host}, {"series", node.figure.name}}, node.change});
  }
}

constexpr std::int64_t nanoseconds_a_day = 86'400'000'000'000;

/// InputError for a day outside of the years 1677 to 2262, the range of InfluxDB's times.
std::int64_t nanoseconds_of(std::int64_t day) {
  constexpr std::int64_t most_days = std::numeric_limits<std::int64_t>::max() / nanoseconds_a_day;
  if (day >= -most_days && day <= most_days) return day * nanoseconds_a_day;
  throw InputError({fmt::format("the night of {} has no time in Influx", day_text(day)),
                    fmt::format("its times count nanoseconds, from {} to {}", day_text(-most_days),
                                day_text(most_days)),
                    "judge another --day, or leave out --influx"});
}

/// Escapes commas, blanks and equals signs in tags; escaped() escapes line breaks. A backslash
/// becomes '_', since at the end it would escape the next character.
std::string influx_tag(const std::string& text) {
  std::string safe;
  for (const char letter : escaped(text)) {
    if (letter == ',' || letter == ' ' || letter == '=') safe += '\\';
    safe += letter == '\\' ? '_' : letter;
  }
  return safe;
}

/// A line in work: tags first, then fields.
class InfluxLine {
 public:
  explicit InfluxLine(std::string measurement) : text_(std::move(measurement)) {}

  void tag(const std::string& key, const std::string& value) {
    // The protocol allows no empty tags.
    if (!value.empty()) text_ += fmt::format(",{}={}", influx_tag(key), influx_tag(value));
  }
  void field(const std::string& key, double value) { add_field(key, report::exact_text(value)); }
  void field(const std::string& key, std::size_t value) {
    add_field(key, fmt::format("{}i", value));
  }
  void field(const std::string& key, std::string_view word) {
    add_field(key, fmt::format("\"{}\"", word));
  }

  [[nodiscard]] std::string at(std::int64_t day) const {
    return fmt::format("{} {}\n", text_, nanoseconds_of(day));
  }

 private:
  void add_field(const std::string& key, const std::string& value) {
    text_ += fmt::format("{}{}={}", has_field_ ? "," : " ", influx_tag(key), value);
    has_field_ = true;
  }

  std::string text_;
  bool has_field_ = false;
};

/// Without a value on the judged day: its verdict alone.
std::string series_line(const JudgedSeries& judged, std::int64_t day) {
  const SeriesName name = parse_series_name(judged.kind.name);
  InfluxLine line("hockney_health");
  line.tag("hop", name.at("hop"));
  line.tag("operation", name.operation);
  line.tag("series", judged.kind.name);
  line.tag("unit", judged.kind.unit);
  if (judged.last && judged.last->day == day) {
    const NightlyValue& night = *judged.last;
    line.field("value", night.value);
    if (night.interval) {
      line.field("ci_low", night.interval->low);
      line.field("ci_high", night.interval->high);
    }
    line.field("launches", night.launches);
  }
  line.field("verdict", word(judged.health.verdict));
  if (judged.health.baseline) line.field("baseline", *judged.health.baseline);
  if (judged.health.change) line.field("change", judged.health.change->change);
  return line.at(day);
}

std::string node_line(const NodeShift& node, std::int64_t day) {
  InfluxLine line("hockney_health_slow_node");
  line.tag("host", node.host);
  line.tag("series", node.figure.name);
  line.field("value", node.value);
  line.field("peers", node.peers);
  line.field("change", node.change);
  return line.at(day);
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

Json to_json(const Report& report) {
  Json nodes = Json::array();
  Json links = Json::array();
  for (const JudgedFleet& fleet : report.fleets) {
    for (const fleet::NodeEffect& node : fleet.night.nodes) {
      if (!node.named) continue;
      nodes.push_back(node_json(node));
      nodes.back()["point"] = fleet.point;
    }
    for (const fleet::LinkVerdict& link : fleet.links) {
      links.push_back(link_json(link));
      links.back()["point"] = fleet.point;
      links.back()["day"] = fleet.day == report.day ? Json() : Json(day_text(fleet.day));
    }
  }
  return {{"schema", health_schema},
          {"day", day_text(report.day)},
          {"checked_utc", report.checked_utc},
          {"history", report.history},
          {"nights", report.nights},
          {"nights_in_future", strings_of(report.future, day_text)},
          {"state", word(state_of(report))},
          {"headline", headline(report)},
          {"severity", word(severity_of(report))},
          {"reason", reason_line(report)},
          {"faults", report.faults},
          {"environment", report.environment},
          {"verdicts", array_json(report.series, verdict_with_nights)},
          {"peers", report.nodes ? to_json(*report.nodes) : Json()},
          {"nodes", std::move(nodes)},
          {"links", std::move(links)},
          {"fleet", array_json(report.fleets, fleet_json)}};
}

void write_health_lines(std::ostream& out, const Report& report) {
  for (const JudgedSeries& judged : report.series) {
    if (!judged.last || judged.last->day != report.day) continue;
    Json line = verdict_json(judged);
    line["checked_utc"] = report.checked_utc;
    out << json_text(line, -1) << '\n';
  }
}

std::vector<report::JUnitSuite> health_junit(const Report& report) {
  report::JUnitSuite series{.name = "hockney health", .timestamp_utc = report.checked_utc};
  series.cases.push_back(state_case(report));
  for (const FaultFinding& finding : report.faults) series.cases.push_back(fault_case(finding));
  for (const JudgedSeries& judged : report.series) {
    series.cases.push_back(series_case(judged, report.missing_ok));
  }
  report::JUnitSuite fleet{.name = "hockney health fleet", .timestamp_utc = report.checked_utc};
  for (const JudgedFleet& judged : report.fleets) {
    for (const fleet::NodeEffect& node : judged.night.nodes) {
      fleet.cases.push_back(node_case(node, judged.point));
    }
    for (const fleet::LinkVerdict& link : judged.links) {
      fleet.cases.push_back(link_case(link, judged.point));
    }
  }
  std::vector<report::JUnitSuite> suites{std::move(series)};
  if (!fleet.cases.empty()) suites.push_back(std::move(fleet));
  if (report.nodes) suites.push_back(node_junit(*report.nodes, report.checked_utc));
  return suites;
}

void write_openmetrics(std::ostream& out, const std::vector<OpenMetricsFamily>& families) {
  for (const OpenMetricsFamily& family : families) {
    if (family.samples.empty()) continue;
    out << "# TYPE " << family.name << " gauge\n";
    if (!family.unit.empty()) out << "# UNIT " << family.name << ' ' << family.unit << '\n';
    out << "# HELP " << family.name << ' ' << openmetrics_text(family.help, Quotes::plain) << '\n';
    for (const OpenMetricsSample& sample : family.samples) {
      write_sample(out, family.name, sample);
    }
  }
  out << "# EOF\n";
}

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
  for (const JudgedSeries& judged : report.series) add_series(families, judged, report.day);
  for (const JudgedFleet& fleet : report.fleets) add_fleet(families, fleet);
  if (report.nodes) add_nodes(families, *report.nodes);
  return families.take();
}

void write_influx(std::ostream& out, const Report& report) {
  InfluxLine night("hockney_health_night");
  night.field("state", word(state_of(report)));
  out << night.at(report.day);
  for (const JudgedSeries& judged : report.series) {
    const bool is_measured = judged.last && judged.last->day == report.day;
    if (is_measured || !judged.missing.empty()) out << series_line(judged, report.day);
  }
  for (const JudgedFleet& fleet : report.fleets) {
    for (const fleet::NodeEffect& node : fleet.night.nodes) {
      out << node_line(node, fleet.point, node.day.value_or(report.day));
    }
  }
  if (!report.nodes) return;
  for (const NodeShift& node : report.nodes->slow) out << node_line(node, report.day);
}

}  // namespace hockney::health
