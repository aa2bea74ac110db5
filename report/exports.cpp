#include "report/exports.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/node_records.hpp"
#include "core/text.hpp"
#include "report/row_columns.hpp"
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
  std::string cell = neutral(escaped(raw, Breaks::escaped));
  if (cell.find_first_of(",\"") == std::string::npos) return cell;
  std::string text = "\"";
  for (const char letter : cell) text += letter == '"' ? "\"\"" : std::string(1, letter);
  return text + "\"";
}

/// A column for programs.
Column<Row> column(std::string key, std::string meaning, std::function<Value(const Row&)> value) {
  return {{std::move(key), "", Unit::text, Form::csv | Form::json, std::move(meaning)},
          std::move(value)};
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

/// A column `prefix` + key for each key with a value in any row. "parameter_" precedes a name that
/// is taken.
void add_columns(Columns<Row>& columns, const std::vector<Row>& rows,
                 const std::function<const RowValues&(const Row&)>& values_of,
                 const std::string& prefix) {
  std::set<std::string> keys;
  for (const Row& row : rows) {
    for (const auto& [key, value] : values_of(row)) {
      if (!value.empty() && key != host_parameter) keys.insert(key);  // has a column already
    }
  }
  for (const std::string& key : keys) {
    const auto cell = [=](const Row& row) {
      const auto found = values_of(row).find(key);
      return found == values_of(row).end() ? std::string() : found->second;
    };
    const bool is_taken = std::ranges::any_of(columns, [&](const Column<Row>& each) {
      return each.heading.key == prefix + key && each.heading.forms.has(Form::csv);
    });
    columns.push_back(column((is_taken ? "parameter_" : "") + prefix + key, "", cell));
  }
}

Columns<Row> csv_columns(const std::vector<Row>& rows, std::span<const Record> records) {
  Columns<Row> columns = joined({row_columns(), columns_of_launches(records)});
  add_columns(
      columns, rows, [](const Row& row) -> const RowValues& { return row.point.parameters; }, "");
  add_columns(
      columns, rows, [](const Row& row) -> const RowValues& { return row.axes; }, "axis_");
  return columns;
}

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
      // NOLINTNEXTLINE(modernize-return-braced-init-list): braces would make two characters of it
      return std::string(1, character);
  }
}

std::string xml_text(std::string_view text) { return markup_text(text, Breaks::kept); }

std::string attribute(const std::string& name, const std::string& value) {
  return fmt::format(" {}=\"{}\"", name, xml_text(value));
}

std::string attribute(const std::string& name, std::size_t value) {
  return attribute(name, std::to_string(value));
}

std::string seconds_text(double seconds) { return fmt::format("{:f}", seconds); }

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
    out << fmt::format("      <failure{}{}>{}</failure>\n",
                       attribute("message", test.failure->message),
                       attribute("type", test.failure->type), xml_text(test.failure->text));
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

std::string csv_line(const std::vector<std::string>& cells) {
  return join(strings_of(cells, quoted), ",") + "\n";
}

std::vector<std::pair<std::string, std::string>> csv_dictionary() {
  std::vector<std::pair<std::string, std::string>> dictionary;
  const View view = make_view(csv_columns({}, {}), {});
  for (const std::size_t place : columns_in(view, Form::csv)) {
    const Heading& heading = view.headings[place];
    const std::vector<std::string> keys = csv_keys(heading);
    dictionary.emplace_back(keys.front(),
                            (heading.is_interval ? "lower end of " : "") + heading.meaning);
    if (heading.is_interval) dictionary.emplace_back(keys.back(), "upper end");
  }
  return dictionary;
}

void write_csv(std::ostream& out, const std::vector<Row>& rows, std::span<const Record> records) {
  write_csv(out, csv_columns(rows, records), rows);
}

nlohmann::json rows_json(const std::vector<Row>& rows, std::span<const Record> records) {
  return to_json(make_view(csv_columns(rows, records), rows));
}

std::string markup_text(std::string_view text, Breaks breaks) {
  std::string result;
  for (const char character : escaped(text, breaks)) result += one_byte(character);
  return result;
}

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
