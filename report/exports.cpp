#include "report/exports.hpp"

#include <algorithm>
#include <iterator>
#include <locale>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "core/text.hpp"
#include "report/view.hpp"

namespace hockney::report {
namespace {

/// Puts an apostrophe before text that a spreadsheet would take for a formula (numbers stay), and
/// before an apostrophe. Also after semicolons, where some spreadsheets end cells.
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

Value rate_of(const std::optional<BytesPerSecond>& rate) {
  return rate ? Value(rate->value) : Value();
}

template <class Item>
Column<Item> column(std::string key, std::string meaning,
                    std::type_identity_t<std::function<Value(const Item&)>> value) {
  return {{std::move(key), "", Unit::text, Form::csv | Form::json, std::move(meaning)},
          std::move(value)};
}

/// Columns of a row's times.
Columns<Row> columns_of_times() {
  return {
      column<Row>("launches", "that have a time of the point",
                  [](const Row& row) { return row.launches.size(); }),
      column<Row>("blocks", "of samples, of all launches",
                  [](const Row& row) { return row.blocks; }),
      column<Row>("warm_up_blocks", "of these the first ones, which do not count",
                  [](const Row& row) { return row.warm_up_blocks; }),
      column<Row>("undisturbed_blocks", "of these the ones that count",
                  [](const Row& row) { return row.undisturbed_blocks; }),
      column<Row>("median_seconds", "time of one operation: median of the launch medians [s]",
                  [](const Row& row) { return row.median_seconds; }),
      column<Row>("ci_low_seconds", "lower end of its interval over launches [s]; needs six",
                  [](const Row& row) { return end_of(row.interval_seconds, &Interval::low); }),
      column<Row>("ci_high_seconds", "upper end [s]",
                  [](const Row& row) { return end_of(row.interval_seconds, &Interval::high); }),
      column<Row>("ci_level", "confidence of the interval",
                  [](const Row& row) { return end_of(row.interval_seconds, &Interval::level); }),
      column<Row>("p90_seconds", "quantile of the samples, median over launches [s]",
                  [](const Row& row) { return row.tails.p90_seconds; }),
      column<Row>("p99_seconds", "the same", [](const Row& row) { return row.tails.p99_seconds; }),
      column<Row>("p999_seconds", "the same, 99.9 %",
                  [](const Row& row) { return row.tails.p999_seconds; }),
      column<Row>("samples", "that count", [](const Row& row) { return row.samples; }),
      column<Row>("outliers", "of these the ones beyond Q3 + 3 IQR",
                  [](const Row& row) { return row.outliers; }),
      column<Row>("bandwidth_bytes_per_second", "bytes that count over the median [B/s]",
                  [](const Row& row) { return rate_of(row.bandwidth()); }),
      column<Row>("bus_bandwidth_bytes_per_second", "of the busiest rank, of collectives [B/s]",
                  [](const Row& row) { return rate_of(row.bus_bandwidth()); }),
      column<Row>("skew_seconds", "of the ranks' begins, median over launches [s]",
                  [](const Row& row) { return row.skew_seconds; }),
      column<Row>("page_faults", "of one operation",
                  [](const Row& row) { return row.page_faults; }),
      column<Row>("flags", "of any launch", [](const Row& row) { return join(row.flags, ";"); }),
      column<Row>("reason", "why there is no time", [](const Row& row) { return row.reason; }),
  };
}

/// Joins the distinct texts of a row's launches.
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

/// Columns for host, library and date of the measurements.
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
  return {column<Row>("host", "of the ranks",
                      [=](const Row& row) { return of_launches(row, records, hosts); }),
          column<Row>("mpi_library", "as it calls itself",
                      [=](const Row& row) { return of_launches(row, records, library); }),
          column<Row>("campaign", "its name",
                      [=](const Row& row) { return of_launches(row, records, campaign); }),
          column<Row>("date", "when the first launch began, UTC",
                      [=](const Row& row) { return first_start(row, records); }),
          column<Row>("launch", "its number in the campaign, where the row is of one launch",
                      [=](const Row& row) { return launch_number(row, records); })};
}

using RowValues = std::map<std::string, std::string>;

/// A column `prefix` + key for each key with a value in any row. "parameter_" precedes a name that
/// is taken.
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
    columns.push_back(column<Row>((is_taken ? "parameter_" : "") + prefix + key, "", cell));
  }
}

Columns<Row> csv_columns(const std::vector<Row>& rows, std::span<const Record> records) {
  Columns<Row> columns = of_part<Row, Point>(
      point_columns(), [](const Row& row) -> const Point& { return row.point; });
  columns.insert(columns.begin() + 1, column<Row>("setting", "of the campaign",
                                                  [](const Row& row) { return row.setting; }));
  columns.push_back(column<Row>("axes", "of a sweep: where the setting lies",
                                [](const Row& row) { return join_assignments(row.axes, ";"); }));
  std::ranges::copy(columns_of_times(), std::back_inserter(columns));
  std::ranges::copy(columns_of_launches(records), std::back_inserter(columns));
  add_columns(
      columns, rows, [](const Row& row) -> const RowValues& { return row.point.parameters; }, "");
  add_columns(
      columns, rows, [](const Row& row) -> const RowValues& { return row.axes; }, "axis_");
  return columns;
}

}  // namespace

Columns<Point> point_columns() {
  return {
      column<Point>("operation", "hockney's name of it",
                    [](const Point& point) { return point.operation; }),
      column<Point>("bytes",
                    "size of the message [B]; `hockney-pingpong --list` has its definition",
                    [](const Point& point) { return point.bytes.value; }),
      column<Point>("ranks", "that take part", [](const Point& point) { return point.ranks; }),
      column<Point>("hop", "hop class of the ranks (docs/how-to/place-ranks.md)",
                    [](const Point& point) { return point.hop.value_or(""); }),
      column<Point>(
          "path",
          "which way messages went, proven in all launches (docs/how-to/paths-and-eager-limits.md)",
          [](const Point& point) { return point.path.value_or(""); }),
      column<Point>("algorithm", "that ran, proven (docs/how-to/sweep-and-tune.md)",
                    [](const Point& point) { return point.algorithm.value_or(""); }),
      column<Point>("pair", "world ranks of the pair",
                    [](const Point& point) { return join_numbers(point.pair, "-"); }),
      column<Point>("parameters", "all of the point, `name=value`",
                    [](const Point& point) { return join_assignments(point.parameters, ";"); }),
  };
}

std::string csv_line(const std::vector<std::string>& cells) {
  return join(strings_of(cells, quoted), ",") + "\n";
}

std::vector<Heading> csv_headings() { return make_view(csv_columns({}, {}), {}).headings; }

void write_csv(std::ostream& out, const std::vector<Row>& rows, std::span<const Record> records) {
  write_csv(out, csv_columns(rows, records), rows);
}

nlohmann::json rows_json(const std::vector<Row>& rows, std::span<const Record> records) {
  return to_json(make_view(csv_columns(rows, records), rows));
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
