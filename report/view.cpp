#include "report/view.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/exports.hpp"

namespace hockney::report {
namespace {

constexpr double megabytes = 1e-6;  // of a byte

double number_in(const Value& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) {
    return static_cast<double>(*whole);
  }
  return std::get<double>(value);
}

/// "longest[us]"; the numbers have no units.
std::string terminal_title(const Heading& heading) {
  switch (heading.unit) {
    case Unit::bytes:
    case Unit::size:
      return heading.title + "[B]";
    case Unit::seconds:
      return heading.title + "[s]";
    case Unit::micros:
      return heading.title + "[us]";
    case Unit::share:
    case Unit::percent:
      return heading.title + "[%]";
    case Unit::byte_rate:
      return heading.title + "[MB/s]";
    default:
      return heading.title;
  }
}

/// Text that is the same in every form; nullopt for numbers.
std::optional<std::string> plain_text(const Value& value) {
  if (!value.is_known()) return "-";
  if (const auto* const text = std::get_if<std::string>(&value)) return inert(*text);
  return std::nullopt;
}

std::string whole_or_significant(const Value& value, double scale = 1) {
  const auto* const whole = std::get_if<std::int64_t>(&value);
  const bool is_whole = whole != nullptr && scale == 1;
  return is_whole ? std::to_string(*whole) : significant(number_in(value) * scale);
}

/// The element "a.b" inside of `object`.
nlohmann::json& element_at(nlohmann::json& object, const std::string& key) {
  nlohmann::json* place = &object;
  for (const std::string& part : split(key, '.')) place = &(*place)[part];
  return *place;
}

}  // namespace

std::optional<double> end_of(const std::optional<Interval>& interval, double Interval::*end) {
  return interval ? std::optional((*interval).*end) : std::nullopt;
}

double scale_of(Unit unit) {
  switch (unit) {
    case Unit::micros:
      return microseconds;
    case Unit::share:
      return per_cent;
    case Unit::byte_rate:
      return megabytes;
    default:
      return 1;
  }
}

std::string share_text(double share) {
  constexpr double nothing = 1e-6;
  return (share < -nothing ? "-" : "") +
         format_fraction(std::abs(share) < nothing ? 0 : std::abs(share));
}

std::vector<std::size_t> columns_in(const View& view, Form form) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < view.headings.size(); ++i) {
    if (view.headings[i].forms.has(form)) places.push_back(i);
  }
  return places;
}

std::string terminal_text(const Value& value, Unit unit) {
  if (const auto text = plain_text(value)) return *text;
  switch (unit) {
    case Unit::size:
      return format_bytes(Bytes{std::get<std::int64_t>(value)});
    case Unit::share:
      return fixed_text(per_cent * number_in(value), 1);
    default:
      return whole_or_significant(value, scale_of(unit));
  }
}

std::string page_text(const Value& value, Unit unit) {
  if (const auto text = plain_text(value)) return *text;
  switch (unit) {
    case Unit::bytes:
      return short_bytes(number_in(value));
    case Unit::size:
      return format_bytes(Bytes{std::get<std::int64_t>(value)});
    case Unit::seconds:
    case Unit::micros:
      return short_time(number_in(value), 4);
    case Unit::share:
      return share_text(number_in(value));
    case Unit::percent:
      return error_text(number_in(value) / per_cent);
    case Unit::byte_rate:
      return short_rate(BytesPerSecond{number_in(value)}, 4);
    default:
      return whole_or_significant(value);
  }
}

nlohmann::json exact_value(const Value& value) {
  return std::visit(
      [](const auto& known) -> nlohmann::json {
        if constexpr (std::is_same_v<std::decay_t<decltype(known)>, std::monostate>)
          return nullptr;
        else
          return known;
      },
      static_cast<const Value::Base&>(value));
}

namespace {

/// Whether no row has a value in the column.
bool is_unknown(const View& view, std::size_t place) {
  return std::ranges::none_of(view.rows, [&](const auto& row) { return row[place].is_known(); });
}

std::vector<TableColumn> columns_at(const View& view, const std::vector<std::size_t>& places) {
  std::vector<TableColumn> columns;
  for (const std::size_t place : places) {
    const Heading& heading = view.headings[place];
    columns.push_back({.header = terminal_title(heading),
                       .align = heading.unit == Unit::text ? Align::left : Align::right,
                       .is_size = heading.unit == Unit::size});
  }
  return columns;
}

}  // namespace

void print_view(std::ostream& out, const std::string& title, const View& view) {
  if (view.rows.empty() && view.texts.empty()) return;
  std::vector<std::size_t> places = columns_in(view, Form::terminal);
  std::erase_if(places, [&](std::size_t place) { return is_unknown(view, place); });
  Table table(columns_at(view, places));
  table.comment_texts();
  if (!title.empty()) table.text(title);
  table.header();
  auto text = view.texts.begin();
  for (std::size_t i = 0; i <= view.rows.size(); ++i) {
    for (; text != view.texts.end() && text->row == i; ++text) table.text(text->text);
    if (i == view.rows.size()) break;
    table.row(strings_of(places, [&](std::size_t place) {
      return terminal_text(view.rows[i][place], view.headings[place].unit);
    }));
  }
  table.text("");
  out << table;
}

namespace {

std::string csv_cell(const Value& value) {
  if (!value.is_known()) return "";
  if (const auto* const text = std::get_if<std::string>(&value)) return *text;
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  return exact_text(std::get<double>(value));
}

}  // namespace

void write_csv_row(std::ostream& out, const std::vector<std::size_t>& places,
                   const std::vector<Value>& row) {
  out << csv_line(strings_of(places, [&](std::size_t place) { return csv_cell(row[place]); }));
}

void write_csv(std::ostream& out, const View& view, Form form) {
  const std::vector<std::size_t> places = columns_in(view, form);
  out << csv_line(strings_of(places, [&](std::size_t i) { return view.headings[i].key; }));
  for (const auto& row : view.rows) write_csv_row(out, places, row);
}

nlohmann::json to_json(const View& view) {
  nlohmann::json all = nlohmann::json::array();
  for (const auto& row : view.rows) {
    nlohmann::json& object = all.emplace_back(nlohmann::json::object());
    for (const std::size_t place : columns_in(view, Form::json)) {
      element_at(object, view.headings[place].key) = exact_value(row[place]);
    }
  }
  return all;
}

}  // namespace hockney::report
