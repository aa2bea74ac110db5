#include "report/exports.hpp"

#include <algorithm>
#include <iterator>
#include <locale>
#include <set>
#include <sstream>
#include <string>

#include "core/text.hpp"
#include "report/view.hpp"

namespace hockney::report {
namespace {

/// An apostrophe before what a spreadsheet would take for a formula, which a number is not, and
/// before an apostrophe; also after semicolons, where some spreadsheets end cells.
std::string neutral(const std::string& cell) {
  if (as_number<double>(cell)) return cell;
  std::string text;
  char before = ';';
  for (const char letter : cell) {
    if (before == ';' && std::string_view("=+-@'").find(letter) != std::string_view::npos)
      text += '\'';
    text += letter;
    before = letter;
  }
  return text;
}

std::string quoted(const std::string& raw) {
  std::string cell = neutral(inert(raw, Breaks::escaped));
  if (cell.find_first_of(",\"") == std::string::npos) return cell;
  std::string text = "\"";
  for (const char letter : cell) text += letter == '"' ? "\"\"" : std::string(1, letter);
  return text + "\"";
}

Value end_of(const Row& row, double Interval::*end) {
  return row.interval_seconds ? Value(*row.interval_seconds.*end) : Value();
}

Value rate_of(const std::optional<BytesPerSecond>& rate) {
  return rate ? Value(rate->value) : Value();
}

Column<Row> column(std::string key, std::string meaning, std::function<Value(const Row&)> value) {
  std::string title = key;
  return {{std::move(key), std::move(title), Unit::text, Form::csv, std::move(meaning)},
          std::move(value)};
}

/// What a row says of its point.
Columns<Row> columns_of_points() {
  return {
      column("operation", "hockney's name of it",
             [](const Row& row) { return row.point.operation; }),
      column("setting", "of the campaign", [](const Row& row) { return row.setting; }),
      column("bytes", "size of the message [B]; `hockney-pingpong --list` says of which",
             [](const Row& row) { return row.point.bytes.value; }),
      column("ranks", "that take part", [](const Row& row) { return row.point.ranks; }),
      column("hop", "hop class of the ranks (docs/how-to/place-ranks.md)",
             [](const Row& row) { return row.point.hop.value_or(""); }),
      column(
          "path",
          "which way messages went, proven in all launches (docs/how-to/paths-and-eager-limits.md)",
          [](const Row& row) { return row.point.path.value_or(""); }),
      column("algorithm", "that ran, proven (docs/how-to/sweep-and-tune.md)",
             [](const Row& row) { return row.point.algorithm.value_or(""); }),
      column("pair", "world ranks of the pair",
             [](const Row& row) { return join_numbers(row.point.pair, "-"); }),
      column("parameters", "all of the point, `name=value`",
             [](const Row& row) { return join_assignments(row.point.parameters, ";"); }),
      column("axes", "of a sweep: where the setting lies",
             [](const Row& row) { return join_assignments(row.axes, ";"); }),
  };
}

/// What it says of its times.
Columns<Row> columns_of_times() {
  return {
      column("launches", "that have a time of the point",
             [](const Row& row) { return row.launches.size(); }),
      column("visits", "of all launches", [](const Row& row) { return row.blocks; }),
      column("warm_up_visits", "of these the first ones, which do not count",
             [](const Row& row) { return row.warm_up_blocks; }),
      column("calm_visits", "of these the ones that count",
             [](const Row& row) { return row.undisturbed_blocks; }),
      column("median_seconds", "time of one operation: median of the launch medians [s]",
             [](const Row& row) { return row.median_seconds; }),
      column("ci_low_seconds", "lower end of its interval over launches [s]; needs six",
             [](const Row& row) { return end_of(row, &Interval::low); }),
      column("ci_high_seconds", "upper end [s]",
             [](const Row& row) { return end_of(row, &Interval::high); }),
      column("ci_level", "confidence of the interval",
             [](const Row& row) { return end_of(row, &Interval::level); }),
      column("p90_seconds", "quantile of the samples, median over launches [s]",
             [](const Row& row) { return row.tails.p90_seconds; }),
      column("p99_seconds", "the same", [](const Row& row) { return row.tails.p99_seconds; }),
      column("p999_seconds", "the same, 99.9 %",
             [](const Row& row) { return row.tails.p999_seconds; }),
      column("samples", "that count", [](const Row& row) { return row.samples; }),
      column("detours", "of these the outliers, beyond Q3 + 3 IQR",
             [](const Row& row) { return row.outliers; }),
      column("bandwidth_bytes_per_second", "bytes that count over the median [B/s]",
             [](const Row& row) { return rate_of(row.bandwidth()); }),
      column("bus_bandwidth_bytes_per_second", "of the busiest rank, of collectives [B/s]",
             [](const Row& row) { return rate_of(row.bus_bandwidth()); }),
      column("skew_seconds", "of the ranks' begins, median over launches [s]",
             [](const Row& row) { return row.skew_seconds; }),
      column("page_faults", "of one operation", [](const Row& row) { return row.page_faults; }),
      column("flags", "of any launch", [](const Row& row) { return join(row.flags, ";"); }),
      column("reason", "why there is no time", [](const Row& row) { return row.reason; }),
  };
}

/// Of a row's launches, what each has, each once.
template <class Texts>
std::string of_launches(const Row& row, std::span<const Record> records, Texts texts_of) {
  std::vector<std::string> all;
  for (const std::size_t place : row.records) {
    for (const std::string& text : texts_of(records[place])) {
      if (std::ranges::find(all, text) == all.end()) all.push_back(text);
    }
  }
  return join(all, ";");
}

std::string first_start(const Row& row, std::span<const Record> records) {
  std::string first;
  for (const std::size_t place : row.records) {
    const std::string& start = records[place].started_utc;
    if (first.empty() || start < first) first = start;
  }
  return first;
}

std::string launch_number(const Row& row, std::span<const Record> records) {
  if (row.records.size() != 1) return "";
  const auto& campaign = records[row.records.front()].campaign;
  return campaign ? std::to_string(campaign->launch) : "";
}

/// Where, with which library and when it was measured.
Columns<Row> columns_of_launches(std::span<const Record> records) {
  const auto hosts = [](const Record& record) {
    return strings_of(record.provenance.hosts, &Host::name);
  };
  const auto library = [](const Record& record) {
    return std::vector<std::string>{record.provenance.mpi.library};
  };
  const auto campaign = [](const Record& record) {
    return record.campaign ? std::vector<std::string>{record.campaign->name}
                           : std::vector<std::string>{};
  };
  return {column("host", "of the ranks",
                 [=](const Row& row) { return of_launches(row, records, hosts); }),
          column("mpi_library", "as it calls itself",
                 [=](const Row& row) { return of_launches(row, records, library); }),
          column("campaign", "its name",
                 [=](const Row& row) { return of_launches(row, records, campaign); }),
          column("date", "when the first launch began, UTC",
                 [=](const Row& row) { return first_start(row, records); }),
          column("launch", "its number in the campaign, where the row is of one launch",
                 [=](const Row& row) { return launch_number(row, records); })};
}

using RowValues = std::map<std::string, std::string>;

/// A column for each key that any row has a value of, named by it where no other column is.
void add_columns(Columns<Row>& columns, const std::vector<Row>& rows,
                 const std::function<const RowValues&(const Row&)>& values_of,
                 const std::string& prefix) {
  std::set<std::string> keys;
  for (const Row& row : rows) {
    for (const auto& [key, value] : values_of(row)) {
      if (!value.empty()) keys.insert(key);
    }
  }
  for (const std::string& key : keys) {
    const auto cell = [=](const Row& row) {
      const auto found = values_of(row).find(key);
      return found == values_of(row).end() ? std::string() : found->second;
    };
    const bool is_taken = std::ranges::any_of(
        columns, [&](const Column<Row>& each) { return each.heading.key == prefix + key; });
    columns.push_back(column((is_taken ? "parameter_" : "") + prefix + key, "", cell));
  }
}

Columns<Row> csv_columns(const std::vector<Row>& rows, std::span<const Record> records) {
  Columns<Row> columns = columns_of_points();
  std::ranges::copy(columns_of_times(), std::back_inserter(columns));
  std::ranges::copy(columns_of_launches(records), std::back_inserter(columns));
  add_columns(
      columns, rows, [](const Row& row) -> const RowValues& { return row.point.parameters; }, "");
  add_columns(
      columns, rows, [](const Row& row) -> const RowValues& { return row.axes; }, "axis_");
  return columns;
}

}  // namespace

std::string csv_line(const std::vector<std::string>& cells) {
  return join(strings_of(cells, quoted), ",") + "\n";
}

std::vector<Heading> csv_headings() { return make_view(csv_columns({}, {}), {}).headings; }

void write_csv(std::ostream& out, const std::vector<Row>& rows, std::span<const Record> records) {
  write_csv(out, csv_columns(rows, records), rows);
}

namespace {

std::string one_byte(char character) {
  switch (character) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    case '\t':
      return "&#9;";
    case '\n':
      return "&#10;";
    default:
      return std::string(1, character);
  }
}

}  // namespace

std::string markup_text(std::string_view text, Breaks breaks) {
  std::string result;
  for (const char character : inert(text, breaks)) result += one_byte(character);
  return result;
}

namespace {

std::string xml_text(std::string_view text) { return markup_text(text, Breaks::kept); }

std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + xml_text(value) + "\"";
}

std::string attribute(const std::string& name, std::size_t value) {
  return attribute(name, std::to_string(value));
}

std::string seconds_text(double seconds) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << std::fixed << seconds;
  return text.str();
}

std::size_t failures(const JUnitSuite& suite) {
  return static_cast<std::size_t>(std::ranges::count_if(
      suite.cases, [](const JUnitCase& test) { return test.failure.has_value(); }));
}

std::size_t skips(const JUnitSuite& suite) {
  return static_cast<std::size_t>(std::ranges::count_if(
      suite.cases, [](const JUnitCase& test) { return test.skipped.has_value(); }));
}

double seconds(const JUnitSuite& suite) {
  double sum = 0;
  for (const JUnitCase& test : suite.cases) sum += test.seconds;
  return sum;
}

void write_case(std::ostream& out, const JUnitCase& test) {
  out << "    <testcase" << attribute("classname", test.classname) << attribute("name", test.name)
      << attribute("time", seconds_text(test.seconds));
  if (!test.failure && !test.skipped && test.output.empty()) {
    out << "/>\n";
    return;
  }
  out << ">\n";
  if (test.failure) {
    out << "      <failure" << attribute("message", test.failure->message)
        << attribute("type", test.failure->type) << ">" << xml_text(test.failure->text)
        << "</failure>\n";
  }
  if (test.skipped) out << "      <skipped" << attribute("message", *test.skipped) << "/>\n";
  if (!test.output.empty()) {
    out << "      <system-out>" << xml_text(test.output) << "</system-out>\n";
  }
  out << "    </testcase>\n";
}

void write_suite(std::ostream& out, const JUnitSuite& suite) {
  out << "  <testsuite" << attribute("name", suite.name) << attribute("tests", suite.cases.size())
      << attribute("failures", failures(suite)) << attribute("errors", std::size_t{0})
      << attribute("skipped", skips(suite)) << attribute("time", seconds_text(seconds(suite)));
  if (!suite.timestamp_utc.empty()) {
    // The format knows no zone; Ant writes UTC.
    out << attribute("timestamp", suite.timestamp_utc.substr(0, suite.timestamp_utc.find('Z')));
  }
  out << ">\n";
  for (const JUnitCase& test : suite.cases) write_case(out, test);
  out << "  </testsuite>\n";
}

}  // namespace

void write_junit(std::ostream& out, const std::vector<JUnitSuite>& suites) {
  std::size_t tests = 0;
  std::size_t failed = 0;
  std::size_t skipped = 0;
  double time = 0;
  for (const JUnitSuite& suite : suites) {
    tests += suite.cases.size();
    failed += failures(suite);
    skipped += skips(suite);
    time += seconds(suite);
  }
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" << attribute("tests", tests)
      << attribute("failures", failed) << attribute("errors", std::size_t{0})
      << attribute("skipped", skipped) << attribute("time", seconds_text(time)) << ">\n";
  for (const JUnitSuite& suite : suites) write_suite(out, suite);
  out << "</testsuites>\n";
}

}  // namespace hockney::report
