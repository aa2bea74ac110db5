#include "report/screens/narrow.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "report/screens/screen.hpp"

namespace hockney::report {
namespace {

constexpr std::size_t blanks_between = 2;  // columns of a table, at least
constexpr std::size_t narrowest = 20;      // a first column that is worth showing

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// Characters of UTF-8, each one column wide.
std::size_t shown_width(const std::string& text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues_character));
}

/// The first so many characters.
std::string first_characters(const std::string& text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (continues_character(text[at])) continue;
    if (count-- == 0) break;
  }
  return text.substr(0, at);
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Whether two cells stand in the line, the blanks before the first not counted.
bool has_columns(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first != std::string::npos && line.find("  ", first) != std::string::npos;
}

/// Which places of the lines are blank in all of them.
std::vector<bool> common_blanks(std::span<const std::string> lines, std::size_t width) {
  std::vector<bool> blank(width, true);
  for (const std::string& line : lines) {
    std::size_t place = 0;
    for (const char byte : line) {
      if (continues_character(byte)) continue;
      if (place < width && byte != ' ') blank[place] = false;
      ++place;
    }
  }
  return blank;
}

/// Where the last column of a table ends that is whole within `width`; nullopt where not even the
/// first is.
std::optional<std::size_t> last_whole_column(std::span<const std::string> lines,
                                             std::size_t width) {
  const std::vector<bool> blank = common_blanks(lines, width + blanks_between);
  for (std::size_t end = width; end >= narrowest; --end) {
    if (blank[end] && blank[end + 1] && !blank[end - 1]) return end;
  }
  return std::nullopt;
}

/// "model, time by size" of the rest of a header.
std::string headers_in(const std::string& rest) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < rest.size();) {
    const std::size_t end = std::min(rest.find("  ", at), rest.size());
    if (std::string name = trimmed(rest.substr(at, end - at)); !name.empty()) {
      names.push_back(std::move(name));
    }
    at = end + 1;
  }
  return join(names);
}

/// Rows whose cells stand below each other, where no two columns fit.
Lines rows_in_parts(std::span<const std::string> table, std::size_t width) {
  Lines lines;
  for (const std::string& row : table) {
    std::ranges::move(parts_in_lines(row, width), std::back_inserter(lines));
  }
  return lines;
}

/// The lines of a table without the columns that there is no room for, and a line that names them.
Lines without_last_columns(std::span<const std::string> table, std::size_t width) {
  const std::size_t end = last_whole_column(table, width).value_or(0);
  Lines lines;
  for (const std::string& line : table) {
    const std::string kept = first_characters(line, end);
    lines.push_back(kept.substr(0, kept.find_last_not_of(' ') + 1));
  }
  if (std::ranges::none_of(lines, has_columns)) return rows_in_parts(table, width);
  const std::string names =
      headers_in(table.front().substr(first_characters(table.front(), end).size()));
  const std::string note = names.empty() ? "(a wider terminal shows more columns)"
                                         : "(a wider terminal also shows: " + names + ")";
  std::ranges::move(wrapped(note, width), std::back_inserter(lines));
  return lines;
}

}  // namespace

Lines narrowed(const Lines& lines, std::size_t width) {
  Lines all;
  for (auto first = lines.begin(); first != lines.end();) {
    const auto last = std::find(first, lines.end(), "");
    const std::span<const std::string> block(first, last);
    const bool is_table = std::ranges::count_if(block, has_columns) > 1;
    const bool is_too_wide = std::ranges::any_of(
        block, [&](const std::string& line) { return shown_width(line) > width; });
    if (is_table && is_too_wide) {
      const auto begin = std::ranges::find_if(block, has_columns);
      std::copy(block.begin(), begin, std::back_inserter(all));
      std::ranges::move(without_last_columns({begin, block.end()}, width), std::back_inserter(all));
    } else {
      std::ranges::copy(block, std::back_inserter(all));
    }
    if (last != lines.end()) all.emplace_back();
    first = last == lines.end() ? last : last + 1;
  }
  Lines fitting;
  for (const std::string& line : all) {
    std::ranges::move(shown_width(line) <= width ? Lines{line}
                      : has_columns(line)        ? parts_in_lines(line, width)
                                                 : wrapped(line, width),
                      std::back_inserter(fitting));
  }
  return fitting;
}

void print_narrowed(std::ostream& out, std::optional<std::size_t> columns,
                    const std::function<void(std::ostream&)>& print) {
  const std::size_t width = columns.value_or(screen_columns);
  if (width >= screen_columns) return print(out);
  std::ostringstream whole;
  print(whole);
  std::string text = whole.str();
  if (text.ends_with('\n')) text.pop_back();
  for (const std::string& line : narrowed(split(text, '\n'), width)) out << line << '\n';
}

Lines parts_in_lines(const std::string& line, std::size_t width) {
  Lines lines;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find("  ", at), line.size());
    const std::string part = trimmed(line.substr(at, end - at));
    at = end + 1;
    if (part.empty()) continue;
    const bool fits =
        !lines.empty() && shown_width(lines.back()) + blanks_between + shown_width(part) <= width;
    if (fits) {
      lines.back() += "  " + part;
    } else {
      std::ranges::move(wrapped(part, width), std::back_inserter(lines));
    }
  }
  return lines;
}

}  // namespace hockney::report
