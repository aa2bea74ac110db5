#include "report/table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::report {

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  // The exponent of the rounded number: 9.9996 has four digits as 10.00.
  std::ostringstream scientific;
  scientific << std::scientific;
  scientific.precision(digits - 1);
  scientific << value;
  const std::string rounded = scientific.str();
  const int exponent = std::stoi(rounded.substr(rounded.find('e') + 1));
  return fixed_text(value, std::clamp(digits - 1 - exponent, 0, 15));
}

std::string significant(const std::optional<double>& value, double scale, int digits) {
  return value ? significant(*value * scale, digits) : "-";
}

std::string fixed_text(double value, int decimals) {
  std::ostringstream text;
  text << std::fixed;
  text.precision(decimals);
  text << value;
  return text.str();
}

std::string exact_text(double value) {
  std::array<char, 32> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}

std::string microseconds_text(const std::optional<double>& seconds) {
  return significant(seconds, microseconds);
}

namespace {

struct UnitText {
  const char* name;
  double scale;  ///< units per second, or per byte/s
};

UnitText unit_of_time(double seconds) {
  if (seconds < 1e-3) return {" us", microseconds};
  if (seconds < 1) return {" ms", 1e3};
  return {" s", 1};
}

}  // namespace

std::string short_time(double seconds, int digits) {
  const UnitText unit = unit_of_time(seconds);
  return significant(seconds * unit.scale, digits) + unit.name;
}

std::string short_time(double seconds, const std::optional<Interval>& interval, int digits) {
  const std::string time = short_time(seconds, digits);
  return interval ? time + " (" + interval_text(interval, unit_of_time(seconds).scale, digits) + ")"
                  : time;
}

std::string short_rate(BytesPerSecond rate, int digits) {
  const UnitText unit = rate.value < 1e9 ? UnitText{" MB/s", 1e-6} : UnitText{" GB/s", 1e-9};
  return significant(rate.value * unit.scale, digits) + unit.name;
}

std::string short_bytes(double bytes) {
  constexpr double largest_in_bytes = 9999;
  if (bytes <= largest_in_bytes) return fixed_text(bytes, 0) + " B";
  if (bytes < 1e6) return significant(bytes * 1e-3, 3) + " KB";
  return bytes < 1e9 ? significant(bytes * 1e-6, 3) + " MB" : significant(bytes * 1e-9, 3) + " GB";
}

std::string interval_text(const std::optional<Interval>& interval, double scale, int digits) {
  if (!interval) return "-";
  return significant(interval->low * scale, digits) + " .. " +
         significant(interval->high * scale, digits);
}

std::string error_text(const std::optional<double>& fraction, int decimals) {
  return fraction ? fixed_text(per_cent * *fraction, decimals) + " %" : "-";
}

std::string count_text(std::size_t count, const std::string& noun) {
  const std::string plural = noun.ends_with("series") ? "" : noun.ends_with("ch") ? "es" : "s";
  return std::to_string(count) + " " + noun + (count == 1 ? "" : plural);
}

std::string places_text(const std::map<std::string, std::string>& places) {
  return places.empty() ? "" : ", at " + inert(join_assignments(places));
}

void Table::header(const std::string& remark) {
  std::vector<std::string> cells = strings_of(columns_, &TableColumn::header);
  while (!cells.empty() && cells.back().empty()) cells.pop_back();
  row(std::move(cells), remark);
  std::get<TableRow>(lines_.back()).is_header = true;
}

void Table::row(std::vector<std::string> cells, const std::string& remark) {
  if (cells.size() > columns_.size()) throw std::logic_error("a row with more cells than columns");
  lines_.emplace_back(TableRow{.cells = std::move(cells), .remark = remark});
}

void Table::text(const std::string& line) { lines_.emplace_back(line); }

std::size_t Table::blanks_beside(std::size_t column) const {
  if (columns_[column].align == Align::left) {
    const bool is_last = column + 1 == columns_.size();
    return !is_last && columns_[column + 1].align == Align::left ? 2 : 0;
  }
  if (columns_[column].width == 0) return 2;
  return column > 0 ? 1 : 0;
}

std::vector<std::size_t> Table::widths(
    std::span<const std::variant<TableRow, std::string>> lines) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t longest = 0;
    for (const auto& line : lines) {
      const auto* const row = std::get_if<TableRow>(&line);
      if (row != nullptr && i < row->cells.size())
        longest = std::max(longest, row->cells[i].size());
    }
    const auto least = static_cast<std::size_t>(columns_[i].width);
    widths.push_back(std::max(least, longest + blanks_beside(i)));
  }
  return widths;
}

namespace {

/// Whether a size of 1K or more is no multiple of 1K: "1448", not "64" or "1K".
bool is_odd_size(const std::string& cell) {
  constexpr std::int64_t kibibyte = 1024;
  const auto number = as_number<std::int64_t>(cell);
  return number && *number >= kibibyte;
}

/// "1024" for "1K"; other text is unchanged.
std::string in_bytes(const std::string& cell) {
  const bool has_unit = !cell.empty() && cell.front() >= '0' && cell.front() <= '9' &&
                        (cell.ends_with('K') || cell.ends_with('M') || cell.ends_with('G'));
  return has_unit ? std::to_string(parse_bytes(cell).value) : cell;
}

}  // namespace

std::vector<std::string> spelt_alike(const std::vector<Bytes>& sizes) {
  std::vector<std::string> texts = strings_of(sizes, format_bytes);
  if (std::ranges::any_of(texts, is_odd_size))
    std::ranges::transform(texts, texts.begin(), in_bytes);
  return texts;
}

std::vector<std::variant<Table::TableRow, std::string>> Table::spelt_lines() const {
  auto lines = lines_;
  std::vector<std::string*> sizes;
  for (auto& line : lines) {
    auto* const row = std::get_if<TableRow>(&line);
    if (row == nullptr || row->is_header) continue;
    for (std::size_t i = 0; i < row->cells.size(); ++i) {
      if (columns_[i].is_size) sizes.push_back(&row->cells[i]);
    }
  }
  const auto is_odd = [](const std::string* cell) { return is_odd_size(*cell); };
  if (!in_bytes_ && std::ranges::none_of(sizes, is_odd)) return lines;
  for (std::string* const cell : sizes) *cell = in_bytes(*cell);
  return lines;
}

std::string Table::line_of(const TableRow& row, std::span<const std::size_t> widths) const {
  std::string text = indent_;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const std::string& cell = row.cells[i];
    const std::string blanks(widths[i] - cell.size(), ' ');
    const bool is_left = columns_[i].align == Align::left;
    const bool is_last = i + 1 == row.cells.size() && row.remark.empty();
    if (is_left && i > 0 && columns_[i - 1].align == Align::right) text += "  ";
    text += is_left ? cell + (is_last ? "" : blanks) : blanks + cell;
  }
  return text + (row.remark.empty() ? "" : "  " + row.remark);
}

std::vector<std::string> Table::lines(bool comments) const {
  const auto spelt = spelt_lines();
  const std::vector<std::size_t> widths = this->widths(spelt);
  // "# " shifts a header that begins at the left; then rows are shifted as well.
  const bool moves =
      comments && std::ranges::any_of(spelt, [&](const auto& line) {
        const auto* const row = std::get_if<TableRow>(&line);
        return row != nullptr && row->is_header && !line_of(*row, widths).starts_with(' ');
      });
  std::vector<std::string> lines;
  lines.reserve(spelt.size());
  for (const auto& line : spelt) {
    const auto* const row = std::get_if<TableRow>(&line);
    std::string text = row == nullptr ? std::get<std::string>(line) : line_of(*row, widths);
    const bool is_comment = comments && (row == nullptr || row->is_header) && !text.empty();
    if (is_comment) {
      text = text.front() == ' ' ? "#" + text.substr(1) : "# " + text;
    } else if (moves && row != nullptr) {
      text = "  " + text;
    }
    lines.push_back(std::move(text));
  }
  return lines;
}

namespace {

/// Index of the flag of without_comments in a stream.
int comment_place() {
  static const int place = std::ios_base::xalloc();
  return place;
}

}  // namespace

std::ostream& without_comments(std::ostream& out) {
  out.iword(comment_place()) = 1;
  return out;
}

std::ostream& operator<<(std::ostream& out, const Table& table) {
  const bool comments = table.comments_ && out.iword(comment_place()) == 0;
  for (const std::string& line : table.lines(comments)) out << line << '\n';
  return out;
}

}  // namespace hockney::report
