#include "report/exports.hpp"

#include <algorithm>
#include <iterator>
#include <locale>
#include <set>
#include <sstream>
#include <string>

#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

std::string or_empty(const std::optional<double>& value) { return value ? exact_text(*value) : ""; }

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
  const std::string cell = neutral(inert(raw, Breaks::escaped));
  if (cell.find_first_of(",\"") == std::string::npos) return cell;
  std::string text = "\"";
  for (const char letter : cell) text += letter == '"' ? "\"\"" : std::string(1, letter);
  return text + "\"";
}

std::string end_cell(const Row& row, double Interval::*end) {
  return row.interval_seconds ? exact_text(*row.interval_seconds.*end) : "";
}

std::string rate_cell(const std::optional<BytesPerSecond>& rate) {
  return rate ? exact_text(rate->value) : "";
}

/// What a row says of its point and its times.
ItemColumns<Row> columns_of_points() {
  return {
      {{"operation"}, [](const Row& row) { return row.point.operation; }},
      {{"setting"}, [](const Row& row) { return row.setting; }},
      {{"bytes"}, [](const Row& row) { return std::to_string(row.point.bytes.value); }},
      {{"ranks"}, [](const Row& row) { return std::to_string(row.point.ranks); }},
      {{"hop"}, [](const Row& row) { return row.point.hop.value_or(""); }},
      {{"path"}, [](const Row& row) { return row.point.path.value_or(""); }},
      {{"algorithm"}, [](const Row& row) { return row.point.algorithm.value_or(""); }},
      {{"pair"}, [](const Row& row) { return join_numbers(row.point.pair, "-"); }},
      {{"parameters"}, [](const Row& row) { return join_assignments(row.point.parameters, ";"); }},
      {{"axes"}, [](const Row& row) { return join_assignments(row.axes, ";"); }},
      {{"launches"}, [](const Row& row) { return std::to_string(row.launches.size()); }},
      {{"visits"}, [](const Row& row) { return std::to_string(row.blocks); }},
      {{"warm_up_visits"}, [](const Row& row) { return std::to_string(row.warm_up_blocks); }},
      {{"calm_visits"}, [](const Row& row) { return std::to_string(row.undisturbed_blocks); }},
      {{"median_seconds"}, [](const Row& row) { return or_empty(row.median_seconds); }},
      {{"ci_low_seconds"}, [](const Row& row) { return end_cell(row, &Interval::low); }},
      {{"ci_high_seconds"}, [](const Row& row) { return end_cell(row, &Interval::high); }},
      {{"ci_level"}, [](const Row& row) { return end_cell(row, &Interval::level); }},
      {{"p90_seconds"}, [](const Row& row) { return or_empty(row.tails.p90_seconds); }},
      {{"p99_seconds"}, [](const Row& row) { return or_empty(row.tails.p99_seconds); }},
      {{"p999_seconds"}, [](const Row& row) { return or_empty(row.tails.p999_seconds); }},
      {{"samples"}, [](const Row& row) { return std::to_string(row.samples); }},
      {{"detours"}, [](const Row& row) { return std::to_string(row.outliers); }},
      {{"bandwidth_bytes_per_second"}, [](const Row& row) { return rate_cell(row.bandwidth()); }},
      {{"bus_bandwidth_bytes_per_second"},
       [](const Row& row) { return rate_cell(row.bus_bandwidth()); }},
      {{"skew_seconds"}, [](const Row& row) { return or_empty(row.skew_seconds); }},
      {{"page_faults"}, [](const Row& row) { return or_empty(row.page_faults); }},
      {{"flags"}, [](const Row& row) { return join(row.flags, ";"); }},
      {{"reason"}, [](const Row& row) { return row.reason; }},
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
ItemColumns<Row> columns_of_launches(std::span<const Record> records) {
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
  return {{{"host"}, [=](const Row& row) { return of_launches(row, records, hosts); }},
          {{"mpi_library"}, [=](const Row& row) { return of_launches(row, records, library); }},
          {{"campaign"}, [=](const Row& row) { return of_launches(row, records, campaign); }},
          {{"date"}, [=](const Row& row) { return first_start(row, records); }},
          {{"launch"}, [=](const Row& row) { return launch_number(row, records); }}};
}

using RowValues = std::map<std::string, std::string>;

/// A column for each key that any row has a value of, named by it where no other column is.
void add_columns(ItemColumns<Row>& columns, const std::vector<Row>& rows,
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
        columns, [&](const ItemColumn<Row>& each) { return each.column.header == prefix + key; });
    columns.push_back({{(is_taken ? "parameter_" : "") + prefix + key}, cell});
  }
}

ItemColumns<Row> csv_columns(const std::vector<Row>& rows, std::span<const Record> records) {
  ItemColumns<Row> columns = columns_of_points();
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

void write_csv(std::ostream& out, const std::vector<Row>& rows, std::span<const Record> records) {
  const ItemColumns<Row> columns = csv_columns(rows, records);
  out << csv_line(
      strings_of(columns, [](const ItemColumn<Row>& each) { return each.column.header; }));
  for (const Row& row : rows) out << csv_line(cells_of(columns, row));
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
