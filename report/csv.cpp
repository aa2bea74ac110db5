#include "report/csv.hpp"

#include <array>
#include <string>

#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney {
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

struct CsvColumn {
  const char* name;
  std::string (*cell)(const Row&);
};

std::string end_cell(const Row& row, double Interval::*end) {
  return row.interval_seconds ? exact_text(*row.interval_seconds.*end) : "";
}

std::string rate_cell(const std::optional<BytesPerSecond>& rate) {
  return rate ? exact_text(rate->value) : "";
}

const std::array csv_columns{
    CsvColumn{"operation", [](const Row& row) { return row.point.operation; }},
    CsvColumn{"setting", [](const Row& row) { return row.setting; }},
    CsvColumn{"bytes", [](const Row& row) { return std::to_string(row.point.bytes.value); }},
    CsvColumn{"ranks", [](const Row& row) { return std::to_string(row.point.ranks); }},
    CsvColumn{"hop", [](const Row& row) { return row.point.hop.value_or(""); }},
    CsvColumn{"path", [](const Row& row) { return row.point.path.value_or(""); }},
    CsvColumn{"algorithm", [](const Row& row) { return row.point.algorithm.value_or(""); }},
    CsvColumn{"pair", [](const Row& row) { return join_numbers(row.point.pair, "-"); }},
    CsvColumn{"parameters",
              [](const Row& row) { return join_assignments(row.point.parameters, ";"); }},
    CsvColumn{"axes", [](const Row& row) { return join_assignments(row.axes, ";"); }},
    CsvColumn{"launches", [](const Row& row) { return std::to_string(row.launches.size()); }},
    CsvColumn{"visits", [](const Row& row) { return std::to_string(row.visits); }},
    CsvColumn{"warm_up_visits", [](const Row& row) { return std::to_string(row.warm_up_visits); }},
    CsvColumn{"calm_visits", [](const Row& row) { return std::to_string(row.undisturbed_visits); }},
    CsvColumn{"median_seconds", [](const Row& row) { return or_empty(row.median_seconds); }},
    CsvColumn{"ci_low_seconds", [](const Row& row) { return end_cell(row, &Interval::low); }},
    CsvColumn{"ci_high_seconds", [](const Row& row) { return end_cell(row, &Interval::high); }},
    CsvColumn{"ci_level", [](const Row& row) { return end_cell(row, &Interval::level); }},
    CsvColumn{"p90_seconds", [](const Row& row) { return or_empty(row.tails.p90_seconds); }},
    CsvColumn{"p99_seconds", [](const Row& row) { return or_empty(row.tails.p99_seconds); }},
    CsvColumn{"p999_seconds", [](const Row& row) { return or_empty(row.tails.p999_seconds); }},
    CsvColumn{"samples", [](const Row& row) { return std::to_string(row.samples); }},
    CsvColumn{"detours", [](const Row& row) { return std::to_string(row.outliers); }},
    CsvColumn{"bandwidth_bytes_per_second",
              [](const Row& row) { return rate_cell(row.bandwidth()); }},
    CsvColumn{"bus_bandwidth_bytes_per_second",
              [](const Row& row) { return rate_cell(row.bus_bandwidth()); }},
    CsvColumn{"skew_seconds", [](const Row& row) { return or_empty(row.skew_seconds); }},
    CsvColumn{"page_faults", [](const Row& row) { return or_empty(row.page_faults); }},
    CsvColumn{"flags", [](const Row& row) { return join(row.flags, ";"); }},
    CsvColumn{"reason", [](const Row& row) { return row.reason; }},
};

template <class Cell>
void write_line(std::ostream& out, Cell cell) {
  for (const CsvColumn& column : csv_columns) {
    out << (&column == csv_columns.data() ? "" : ",") << quoted(cell(column));
  }
  out << '\n';
}

}  // namespace

void write_csv(std::ostream& out, const std::vector<Row>& rows) {
  write_line(out, [](const CsvColumn& column) { return std::string(column.name); });
  for (const Row& row : rows) {
    write_line(out, [&](const CsvColumn& column) { return column.cell(row); });
  }
}

}  // namespace hockney
