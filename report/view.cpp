#include "report/view.hpp"

#include <fmt/format.h>
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

/// Text that is the same in every form; nullopt for numbers and intervals.
std::optional<std::string> plain_text(const Value& value) {
  if (!value.is_known()) return "-";
  if (const auto* const text = std::get_if<std::string>(&value)) return escaped(*text);
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

/// Whether a size of 1K or more is no multiple of 1K: "1448", not "64" or "1K".
bool is_odd_size(const std::string& cell) {
  constexpr std::int64_t kibibyte = 1024;
  const auto number = as_number<std::int64_t>(cell);
  return number && *number >= kibibyte;
}

/// "1024" for "1K"; other text is unchanged.
std::string size_in_bytes(const std::string& cell) {
  const bool has_unit = !cell.empty() && cell.front() >= '0' && cell.front() <= '9' &&
                        (cell.ends_with('K') || cell.ends_with('M') || cell.ends_with('G'));
  return has_unit ? std::to_string(parse_bytes(cell).value) : cell;
}

bool has_figures(const Heading& heading) {
  return !heading.is_interval && heading.unit != Unit::text && heading.unit != Unit::count &&
         heading.unit != Unit::size && heading.unit != Unit::bytes;
}

/// Of numbers multiplied by scale_of().
std::string_view unit_name(Unit unit) {
  switch (unit) {
    case Unit::micros:
      return "us";
    case Unit::seconds:
      return "s";
    case Unit::share:
    case Unit::percent:
      return "%";
    case Unit::byte_rate:
      return "MB/s";
    default:
      return "";
  }
}

/// "bcast", "4 ranks", "64K".
std::string label_part(const Heading& heading, const Value& value) {
  if (const auto* const text = std::get_if<std::string>(&value)) return *text;
  const auto* const number = std::get_if<std::int64_t>(&value);
  if (number == nullptr) return "";
  const bool is_size = heading.unit == Unit::size || heading.unit == Unit::bytes;
  return is_size ? format_bytes(Bytes{*number}) : fmt::format("{} {}", *number, heading.title);
}

/// Whether no row has a value in the column.
bool is_unknown(const View& view, std::size_t place) {
  return std::ranges::none_of(view.rows, [&](const auto& row) { return row[place].is_known(); });
}

using Cells = std::vector<std::string>;

/// A view as it is printed. A column is as wide as its longest cell. Texts begin at the left,
/// numbers end at the right, and two blanks are between columns.
class TextTable {
 public:
  TextTable(const View& view, Sizes sizes)
      : view_(view), places_(columns_in(view, Form::terminal)) {
    std::erase_if(places_, [&](std::size_t place) { return is_unknown(view, place); });
    for (const std::size_t place : places_) header_.push_back(terminal_title(view.headings[place]));
    while (!header_.empty() && header_.back().empty()) header_.pop_back();
    for (const auto& row : view.rows) {
      rows_.push_back(strings_of(places_, [&](std::size_t place) {
        const Heading& heading = view.headings[place];
        const bool is_remark = heading.title.empty() && !row[place].is_known();
        return is_remark ? "" : terminal_text(row[place], heading.unit);
      }));
    }
    spell(sizes);
    for (std::size_t i = 0; i < places_.size(); ++i) widths_.push_back(longest(i));
  }

  /// The header, rows and texts; in comments all but the rows begin with '#'.
  [[nodiscard]] std::vector<std::string> lines(const std::string& title, bool comments) const {
    // "# " shifts a header that begins at the left; then rows are shifted as well.
    const bool moves = comments && !header_.empty() && !line_of(header_).starts_with(' ');
    const auto comment = [comments](const std::string& text) {
      return comments ? comment_of(text) : text;
    };
    std::vector<std::string> lines;
    if (!title.empty()) lines.push_back(comment(title));
    if (!header_.empty()) lines.push_back(comment(line_of(header_)));
    auto text = view_.texts.begin();
    for (std::size_t i = 0; i <= rows_.size(); ++i) {
      for (; text != view_.texts.end() && text->row == i; ++text) {
        lines.push_back(comment(text->text));
      }
      if (i < rows_.size()) lines.push_back((moves ? "  " : "") + line_of(rows_[i]));
    }
    return lines;
  }

 private:
  static std::string comment_of(const std::string& text) {
    if (text.empty()) return text;
    return text.front() == ' ' ? "#" + text.substr(1) : "# " + text;
  }

  [[nodiscard]] bool is_left(std::size_t column) const {
    return view_.headings[places_[column]].unit == Unit::text;
  }

  /// Spells the sizes of all columns alike.
  void spell(Sizes sizes) {
    std::vector<std::string*> cells;
    for (Cells& row : rows_) {
      for (std::size_t i = 0; i < places_.size(); ++i) {
        if (view_.headings[places_[i]].unit == Unit::size) cells.push_back(&row[i]);
      }
    }
    const auto is_odd = [](const std::string* cell) { return is_odd_size(*cell); };
    if (sizes != Sizes::in_bytes && std::ranges::none_of(cells, is_odd)) return;
    for (std::string* const cell : cells) *cell = size_in_bytes(*cell);
  }

  [[nodiscard]] std::size_t longest(std::size_t column) const {
    std::size_t most = column < header_.size() ? header_[column].size() : 0;
    for (const Cells& row : rows_) most = std::max(most, row[column].size());
    return most;
  }

  [[nodiscard]] std::string line_of(const Cells& cells) const {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string blanks(widths_[i] - cells[i].size(), ' ');
      if (i > 0 || !is_left(i)) line += "  ";
      line += is_left(i) ? cells[i] + blanks : blanks + cells[i];
    }
    return line.substr(0, line.find_last_not_of(' ') + 1);
  }

  const View& view_;
  std::vector<std::size_t> places_;  ///< of the columns that are shown
  Cells header_;                     ///< up to the last title
  std::vector<Cells> rows_;
  std::vector<std::size_t> widths_;
};

/// Index of the flag of without_comments in a stream.
int comment_place() {
  static const int place = std::ios_base::xalloc();
  return place;
}

std::string csv_cell(const Value& value) {
  if (!value.is_known()) return "";
  if (const auto* const text = std::get_if<std::string>(&value)) return *text;
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  return exact_text(std::get<double>(value));
}

}  // namespace

std::optional<double> end_of(const std::optional<Interval>& interval, double Interval::*end) {
  return interval ? std::optional((*interval).*end) : std::nullopt;
}

std::vector<std::string> spelt_alike(const std::vector<Bytes>& sizes) {
  std::vector<std::string> texts = strings_of(sizes, format_bytes);
  if (std::ranges::any_of(texts, is_odd_size))
    std::ranges::transform(texts, texts.begin(), size_in_bytes);
  return texts;
}

std::vector<Heading> size_headings(const std::vector<Bytes>& sizes) {
  std::vector<Heading> headings;
  for (const std::string& size : spelt_alike(sizes)) {
    headings.push_back({size, size, Unit::number});  // to the right
  }
  return headings;
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

std::vector<SummaryRow> rows_of(const View& view) {
  const auto figure = std::ranges::find_if(view.headings, has_figures);
  if (figure == view.headings.end()) return {};
  const auto column = static_cast<std::size_t>(figure - view.headings.begin());
  const auto ends = std::ranges::find_if(view.headings, &Heading::is_interval);
  const double scale = scale_of(figure->unit);
  std::vector<SummaryRow> rows;
  for (const std::vector<Value>& cells : view.rows) {
    SummaryRow& row = rows.emplace_back();
    row.unit = unit_name(figure->unit);
    std::vector<std::string> label;
    for (std::size_t i = 0; i < column; ++i) {
      const Heading& heading = view.headings[i];
      const bool is_for_people = heading.forms.has(Form::terminal) && !heading.title.empty();
      if (is_for_people) label.push_back(label_part(heading, cells[i]));
    }
    std::erase(label, "");
    row.label = join(label, " ");
    if (const auto* const value = std::get_if<double>(&cells[column])) row.value = *value * scale;
    if (ends == view.headings.end()) continue;
    const auto place = static_cast<std::size_t>(ends - view.headings.begin());
    if (const auto* const interval = std::get_if<Interval>(&cells[place])) {
      row.interval = Interval{interval->low * scale, interval->high * scale, interval->level};
    }
  }
  return rows;
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
  if (const auto* const ends = std::get_if<Interval>(&value)) {
    return interval_text(*ends, scale_of(unit));
  }
  switch (unit) {
    case Unit::size:
      return format_bytes(Bytes{std::get<std::int64_t>(value)});
    case Unit::share:
      return fixed_text(per_cent * number_in(value), 1);
    default:
      return whole_or_significant(value, scale_of(unit));
  }
}

nlohmann::json exact_value(const Value& value) {
  return std::visit(
      [](const auto& known) -> nlohmann::json {
        if constexpr (std::is_same_v<std::decay_t<decltype(known)>, std::monostate>)
          return nullptr;
        else if constexpr (std::is_same_v<std::decay_t<decltype(known)>, Interval>)
          return {known.low, known.high};
        else
          return known;
      },
      static_cast<const Value::Base&>(value));
}

std::ostream& without_comments(std::ostream& out) {
  out.iword(comment_place()) = 1;
  return out;
}

std::vector<std::string> lines_of(const View& view) {
  return TextTable(view, Sizes::short_if_alike).lines("", false);
}

void print_view(std::ostream& out, const std::string& title, const View& view, Sizes sizes) {
  if (view.rows.empty() && view.texts.empty()) return;
  const bool comments = out.iword(comment_place()) == 0;
  for (const std::string& line : TextTable(view, sizes).lines(title, comments)) out << line << '\n';
  out << '\n';
}

std::vector<std::string> csv_keys(const Heading& heading) {
  if (!heading.is_interval) return {heading.key};
  std::vector<std::string> parts = split(heading.key, '_');
  auto place = std::ranges::find(parts, "ci");
  place = place == parts.end() ? place : place + 1;
  const auto low = parts.insert(place, "low");
  const std::string key = join(parts, "_");
  *low = "high";
  return {key, join(parts, "_")};
}

void write_csv_row(std::ostream& out, const std::vector<Heading>& headings,
                   const std::vector<std::size_t>& places, const std::vector<Value>& row) {
  std::vector<std::string> cells;
  for (const std::size_t place : places) {
    const auto* const ends = std::get_if<Interval>(&row[place]);
    cells.push_back(csv_cell(ends != nullptr ? Value(ends->low) : row[place]));
    if (headings[place].is_interval) {
      cells.push_back(csv_cell(ends != nullptr ? Value(ends->high) : row[place]));
    }
  }
  out << csv_line(cells);
}

void write_csv(std::ostream& out, const View& view, Form form) {
  const std::vector<std::size_t> places = columns_in(view, form);
  std::vector<std::string> keys;
  for (const std::size_t place : places) {
    std::ranges::copy(csv_keys(view.headings[place]), std::back_inserter(keys));
  }
  out << csv_line(keys);
  for (const auto& row : view.rows) write_csv_row(out, view.headings, places, row);
}

nlohmann::json json_object(const std::vector<const Heading*>& headings,
                           const std::vector<Value>& row) {
  nlohmann::json object = nlohmann::json::object();
  for (std::size_t i = 0; i < headings.size(); ++i) {
    if (!headings[i]->forms.has(Form::json)) continue;
    element_at(object, headings[i]->key) = exact_value(row[i]);
  }
  return object;
}

nlohmann::json to_json(const View& view) {
  std::vector<const Heading*> headings;
  headings.reserve(view.headings.size());
  for (const Heading& heading : view.headings) headings.push_back(&heading);
  nlohmann::json all = nlohmann::json::array();
  for (const auto& row : view.rows) all.push_back(json_object(headings, row));
  return all;
}

}  // namespace hockney::report
