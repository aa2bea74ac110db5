#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "report/table.hpp"

namespace hockney::report {

// A result is described once, as a list of columns. Tables of a terminal and of a page, CSV and
// JSON are rendered from it.

/// Kind of a number, which decides its format. Machine formats have seconds, bytes and fractions of
/// 1.
enum class Unit {
  text,
  count,
  number,
  bytes,      ///< an amount
  size,       ///< of a message: "64K"; in bytes if a size of the table is no multiple of 1K
  seconds,    ///< printed in seconds
  micros,     ///< printed in microseconds
  share,      ///< a fraction, printed in per cent
  percent,    ///< in per cent in machine formats as well
  byte_rate,  ///< per second
};

/// Output forms of a column.
enum class Form : unsigned { terminal = 1, page = 2, csv = 4, json = 8 };

struct Forms {
  unsigned bits = ~0U;

  constexpr Forms() = default;
  constexpr Forms(Form form) : bits(static_cast<unsigned>(form)) {}  // NOLINT(*-explicit-*)
  [[nodiscard]] constexpr bool has(Form form) const {
    return (bits & static_cast<unsigned>(form)) != 0;
  }
  friend constexpr Forms operator|(Forms one, Forms other) {
    one.bits |= other.bits;
    return one;
  }
};
constexpr Forms operator|(Form one, Form other) { return Forms(one) | Forms(other); }

/// The value of a column: a text, a whole number, a number, or unknown.
struct Value : std::variant<std::monostate, std::string, std::int64_t, double> {
  using Base = std::variant<std::monostate, std::string, std::int64_t, double>;

  Value() = default;
  Value(std::string text) : Base(std::move(text)) {}    // NOLINT(*-explicit-*)
  Value(const char* text) : Base(std::string(text)) {}  // NOLINT(*-explicit-*)
  Value(std::integral auto number)
      : Base(static_cast<std::int64_t>(number)) {}  // NOLINT(*-explicit-*)
  Value(double number) : Base(number) {}            // NOLINT(*-explicit-*)
  template <class Known>
  Value(const std::optional<Known>& known)
      : Value(known ? Value(*known) : Value()) {}  // NOLINT(*-explicit-*)

  [[nodiscard]] bool is_known() const { return index() != 0; }
};

struct Heading {
  std::string key;    ///< for programs, with the unit: "max_seconds"; "on_path.transfer" is nested
  std::string title;  ///< for people, without the unit: "longest"
  Unit unit = Unit::text;
  Forms forms{};
  std::string meaning{};  ///< for the dictionary of columns in docs/reference/record-and-csv.md
};

/// A line of text in a table of a terminal.
struct TextLine {
  std::size_t row = 0;  ///< index of the following row; the number of rows for a line at the end
  std::string text;     ///< escaped
};

/// A result: a row for each item, with one value for each heading.
struct View {
  std::vector<Heading> headings;
  std::vector<std::vector<Value>> rows;
  std::vector<TextLine> texts{};  ///< ascending by row: names of curves, notes

  /// Adds a line after the present rows.
  void add_text(std::string text) { texts.push_back({rows.size(), std::move(text)}); }
  /// Adds an empty line and a line.
  void add_section(std::string text) {
    add_text("");
    add_text(std::move(text));
  }
};

/// Keys of the ends of an interval.
struct IntervalKeys {
  std::string low;
  std::string high;
};

/// An end of an interval; nullopt without an interval.
std::optional<double> end_of(const std::optional<Interval>& interval, double Interval::*end);

/// Factor by which a terminal multiplies a number of this unit.
double scale_of(Unit unit);

template <class Item>
struct Column {
  Heading heading;
  std::function<Value(const Item&)> value;
};

template <class Item>
using Columns = std::vector<Column<Item>>;

/// Columns of a part of each item. `part_of` returns a reference that lives as long as the item.
template <class Item, class Part>
Columns<Item> of_part(const Columns<Part>& columns,
                      std::type_identity_t<std::function<const Part&(const Item&)>> part_of) {
  Columns<Item> outer;
  for (const Column<Part>& column : columns) {
    outer.push_back({column.heading, [value = column.value, part_of](const Item& item) {
                       return value(part_of(item));
                     }});
  }
  return outer;
}

/// The columns of all lists, in their order.
template <class Item>
Columns<Item> joined(std::initializer_list<Columns<Item>> lists) {
  Columns<Item> all;
  for (const Columns<Item>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

/// An interval in three columns: both ends for machine formats ("ci_low_seconds",
/// "ci_high_seconds"), and "low .. high" with `digits` digits for a terminal.
template <class Item>
Columns<Item> interval_columns(
    const IntervalKeys& keys, Unit unit, int digits,
    std::type_identity_t<std::function<std::optional<Interval>(const Item&)>> interval_of) {
  const auto column_of = [&](const std::string& key, double Interval::*end) {
    return Column<Item>{{key, "", unit, Form::csv | Form::json},
                        [=](const Item& item) { return end_of(interval_of(item), end); }};
  };
  return {column_of(keys.low, &Interval::low),
          column_of(keys.high, &Interval::high),
          {{keys.low, "interval", Unit::text, Form::terminal}, [=](const Item& item) {
             return Value(interval_text(interval_of(item), scale_of(unit), digits));
           }}};
}

template <class Item>
std::vector<Value> row_of(const Columns<Item>& columns, const Item& item) {
  std::vector<Value> row;
  row.reserve(columns.size());
  for (const Column<Item>& column : columns) row.push_back(column.value(item));
  return row;
}

template <class Item>
View make_view(const Columns<Item>& columns, const std::vector<std::type_identity_t<Item>>& items) {
  View view;
  for (const Column<Item>& column : columns) view.headings.push_back(column.heading);
  for (const Item& item : items) view.rows.push_back(row_of(columns, item));
  return view;
}

/// Indices of the columns shown in a form.
std::vector<std::size_t> columns_in(const View& view, Form form);

/// The text of a cell. Terminal tables have the unit in the header ("longest[us]"), page tables in
/// each cell ("12.5 us"). Texts are escaped; unknown values print "-".
std::string terminal_text(const Value& value, Unit unit);
std::string page_text(const Value& value, Unit unit);

/// A number, unescaped text, or null.
nlohmann::json exact_value(const Value& value);

/// A share with two digits: "5 %"; a share that rounds to 0 has no sign.
std::string share_text(double share);

/// Prints title and rows, all lines except rows as comments; nothing without rows and texts.
void print_view(std::ostream& out, const std::string& title, const View& view);

/// Writes a line of keys, then the rows, for the columns of `form`. Cells as in report/exports.hpp.
void write_csv(std::ostream& out, const View& view, Form form = Form::csv);

/// Writes one row, with the columns at `places`.
void write_csv_row(std::ostream& out, const std::vector<std::size_t>& places,
                   const std::vector<Value>& row);

/// Writes items one by one, since all rows together would need much memory.
template <class Item>
void write_csv(std::ostream& out, const Columns<Item>& columns, const std::vector<Item>& items) {
  const View heads = make_view(columns, {});
  write_csv(out, heads);
  const std::vector<std::size_t> places = columns_in(heads, Form::csv);
  for (const Item& item : items) write_csv_row(out, places, row_of(columns, item));
}

/// An array with an object for each row.
nlohmann::json to_json(const View& view);

}  // namespace hockney::report
