#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/summary.hpp"
#include "core/text.hpp"
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
enum class Form : unsigned { terminal = 1, csv = 2, json = 4 };

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

inline constexpr Forms machine_forms = Form::csv | Form::json;
/// For columns whose values JSON has under other keys.
inline constexpr Forms row_forms = Form::csv | Form::terminal;

/// The value of a column: a text, a whole number, a number, an interval, or unknown.
struct Value : std::variant<std::monostate, std::string, std::int64_t, double, Interval> {
  using Base = std::variant<std::monostate, std::string, std::int64_t, double, Interval>;

  Value() = default;
  Value(std::string text) : Base(std::move(text)) {}                // NOLINT(*-explicit-*)
  Value(const char* text) : Base(std::string(text)) {}              // NOLINT(*-explicit-*)
  Value(WordedEnum auto known) : Base(std::string(word(known))) {}  // NOLINT(*-explicit-*)
  Value(std::integral auto number)
      : Base(static_cast<std::int64_t>(number)) {}  // NOLINT(*-explicit-*)
  Value(double number) : Base(number) {}            // NOLINT(*-explicit-*)
  Value(const Interval& ends) : Base(ends) {}       // NOLINT(*-explicit-*)
  template <class Known>
  Value(const std::optional<Known>& known)
      : Value(known ? Value(*known) : Value()) {}  // NOLINT(*-explicit-*)

  [[nodiscard]] bool is_known() const { return index() != 0; }
};

/// A text; unknown if empty.
inline Value known_text(const std::string& text) { return text.empty() ? Value() : Value(text); }

struct Heading {
  std::string key;    ///< for programs, with the unit: "max_seconds"; "on_path.transfer" is nested
  std::string title;  ///< for people, without the unit: "longest"
  Unit unit = Unit::text;
  Forms forms{};
  std::string meaning{};  ///< for the dictionary of columns in docs/reference/record-and-csv.md
  /// "low .. high" for people, an array of both in JSON, two columns of CSV: "ci_seconds" becomes
  /// "ci_low_seconds" and "ci_high_seconds".
  bool is_interval = false;
};

/// Sizes in one spelling: "1K" if all of them allow it, else all in bytes: never 1448 among 1K.
std::vector<std::string> spelt_alike(const std::vector<Bytes>& sizes);

/// A column for each size, for texts.
std::vector<Heading> size_headings(const std::vector<Bytes>& sizes);

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

  /// Adds a line after the present rows; it is printed after "# " where headers are.
  void add_text(std::string text) { texts.push_back({rows.size(), std::move(text)}); }
  /// Adds an empty line and a line.
  void add_section(std::string text) {
    add_text("");
    add_text(std::move(text));
  }
};

/// The figures of a table for a summary, one for each row. The label is the texts before the first
/// column of measured numbers. The value is the number in that column; rows without one have no
/// value. The interval is the first column of intervals.
std::vector<SummaryRow> rows_of(const View& view);

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

/// A column of intervals.
template <class Item>
Column<Item> interval_column(
    std::string key, Unit unit,
    std::type_identity_t<std::function<std::optional<Interval>(const Item&)>> interval_of,
    std::string title = "interval") {
  return {{std::move(key), std::move(title), unit, {}, "", true}, std::move(interval_of)};
}

template <class Item>
std::vector<Value> row_of(const Columns<Item>& columns, const Item& item) {
  std::vector<Value> row;
  row.reserve(columns.size());
  for (const Column<Item>& column : columns) row.push_back(column.value(item));
  return row;
}

/// The columns with these keys, in this order; std::logic_error for a key that no column has.
template <class Item>
Columns<Item> chosen(const Columns<Item>& columns, std::initializer_list<std::string_view> keys) {
  Columns<Item> some;
  for (const std::string_view key : keys) {
    const auto found = std::ranges::find_if(
        columns, [&](const Column<Item>& column) { return column.heading.key == key; });
    if (found == columns.end()) throw std::logic_error("no column " + std::string(key));
    some.push_back(*found);
  }
  return some;
}

template <class Item, std::ranges::input_range Items = std::initializer_list<Item>>
View make_view(const Columns<Item>& columns, const Items& items) {
  View view;
  for (const Column<Item>& column : columns) view.headings.push_back(column.heading);
  for (const Item& item : items) view.rows.push_back(row_of(columns, item));
  return view;
}

/// Indices of the columns shown in a form.
std::vector<std::size_t> columns_in(const View& view, Form form);

/// The text of a cell; the unit is in the header ("longest[us]"). Texts are escaped; unknown values
/// print "-".
std::string terminal_text(const Value& value, Unit unit);

/// The keys of a column in CSV: its own, or those of the ends of an interval.
std::vector<std::string> csv_keys(const Heading& heading);

/// A number, unescaped text, both ends of an interval, or null.
nlohmann::json exact_value(const Value& value);

/// A share with two digits: "5 %"; a share that rounds to 0 has no sign.
std::string share_text(double share);

/// Spelling of message sizes: "64K" if all sizes of a table allow it, or always in bytes.
enum class Sizes { short_if_alike, in_bytes };

/// A manipulator: later views on this stream are printed without '#'.
std::ostream& without_comments(std::ostream& out);

/// The printed lines: header, rows and texts. Columns without values are left out, and the header
/// without titles.
std::vector<std::string> lines_of(const View& view);

/// Prints title and rows, all lines except rows as comments; nothing without rows and texts.
void print_view(std::ostream& out, const std::string& title, const View& view,
                Sizes sizes = Sizes::short_if_alike);

/// Writes a line of keys, then the rows, for the columns of `form`. Cells as in report/exports.hpp.
void write_csv(std::ostream& out, const View& view, Form form = Form::csv);

/// Writes one row, with the columns at `places` of `headings`.
void write_csv_row(std::ostream& out, const std::vector<Heading>& headings,
                   const std::vector<std::size_t>& places, const std::vector<Value>& row);

/// Writes items one by one, since all rows together would need much memory.
template <class Item>
void write_csv(std::ostream& out, const Columns<Item>& columns, const std::vector<Item>& items) {
  const View heads = make_view(columns, {});
  write_csv(out, heads);
  const std::vector<std::size_t> places = columns_in(heads, Form::csv);
  for (const Item& item : items) write_csv_row(out, heads.headings, places, row_of(columns, item));
}

/// An array with an object for each row.
nlohmann::json to_json(const View& view);

/// The object of one row.
nlohmann::json json_object(const std::vector<const Heading*>& headings,
                           const std::vector<Value>& row);

/// The object of one item. Its users include <nlohmann/json.hpp>.
template <class Item>
auto json_of(const Columns<Item>& columns, const Item& item) {
  std::vector<const Heading*> headings;
  headings.reserve(columns.size());
  for (const Column<Item>& column : columns) headings.push_back(&column.heading);
  return json_object(headings, row_of(columns, item));
}

}  // namespace hockney::report
