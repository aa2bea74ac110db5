#include "report/csv.hpp"

#include <array>
#include <string>

#include "core/text.hpp"
#include "report/number_text.hpp"

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

struct Column {
  const char* name;
  std::string (*cell)(const Row&);
};

const std::array csv_columns{
    Column{"operation", [](const Row& row) { return row.point.operation; }},
    Column{"setting", [](const Row& row) { return row.setting; }},
    Column{"bytes", [](const Row& row) { return std::to_string(row.point.bytes.value); }},
    Column{"ranks", [](const Row& row) { return std::to_string(row.point.ranks); }},
    Column{"hop", [](const Row& row) { return row.point.hop.value_or(""); }},
    Column{"path", [](const Row& row) { return row.point.path.value_or(""); }},
    Column{"algorithm", [](const Row& row) { return row.point.algorithm.value_or(""); }},
    Column{"pair", [](const Row& row) { return join_numbers(row.point.pair, "-"); }},
    Column{"parameters",
           [](const Row& row) { return join_assignments(row.point.parameters, ";"); }},
    Column{"axes", [](const Row& row) { return join_assignments(row.axes, ";"); }},
    Column{"launches",
           [](const Row& row) { return std::to_string(row.launch_medians_seconds.size()); }},
    Column{"visits", [](const Row& row) { return std::to_string(row.visits); }},
    Column{"warm_up_visits", [](const Row& row) { return std::to_string(row.warm_up_visits); }},
    Column{"calm_visits", [](const Row& row) { return std::to_string(row.calm_visits); }},
    Column{"median_seconds", [](const Row& row) { return or_empty(row.median_seconds); }},
    Column{"ci_low_seconds",
           [](const Row& row) {
             return row.interval_seconds ? exact_text(row.interval_seconds->low) : "";
           }},
    Column{"ci_high_seconds",
           [](const Row& row) {
             return row.interval_seconds ? exact_text(row.interval_seconds->high) : "";
           }},
    Column{"ci_level",
           [](const Row& row) {
             return row.interval_seconds ? exact_text(row.interval_seconds->level) : "";
           }},
    Column{"p90_seconds", [](const Row& row) { return or_empty(row.tails.p90_seconds); }},
    Column{"p99_seconds", [](const Row& row) { return or_empty(row.tails.p99_seconds); }},
    Column{"p999_seconds", [](const Row& row) { return or_empty(row.tails.p999_seconds); }},
    Column{"samples", [](const Row& row) { return std::to_string(row.samples); }},
    Column{"detours", [](const Row& row) { return std::to_string(row.detours); }},
    Column{"bandwidth_bytes_per_second",
           [](const Row& row) {
             const auto bandwidth = row.bandwidth();
             return bandwidth ? exact_text(bandwidth->value) : "";
           }},
    Column{"bus_bandwidth_bytes_per_second",
           [](const Row& row) {
             const auto bandwidth = row.bus_bandwidth();
             return bandwidth ? exact_text(bandwidth->value) : "";
           }},
    Column{"skew_seconds", [](const Row& row) { return or_empty(row.skew_seconds); }},
    Column{"page_faults", [](const Row& row) { return or_empty(row.page_faults); }},
    Column{"flags", [](const Row& row) { return join(row.flags, ";"); }},
    Column{"reason", [](const Row& row) { return row.reason; }},
};

template <class Cell>
void write_line(std::ostream& out, Cell cell) {
  for (const Column& column : csv_columns) {
    out << (&column == csv_columns.data() ? "" : ",") << quoted(cell(column));
  }
  out << '\n';
}

}  // namespace

void write_csv(std::ostream& out, const std::vector<Row>& rows) {
  write_line(out, [](const Column& column) { return std::string(column.name); });
  for (const Row& row : rows) {
    write_line(out, [&](const Column& column) { return column.cell(row); });
  }
}

}  // namespace hockney
