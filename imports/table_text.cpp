#include "imports/table_text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <sstream>

#include "core/text.hpp"

namespace hockney::imports {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace

bool Lines::next() {
  if (rest_.empty()) return false;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  constexpr std::size_t longest = 1000;
  line_ = trimmed(rest_.substr(0, std::min(end, longest)));
  is_cut_ = end == rest_.size();
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++number_;
  if (line_.find('\0') != std::string_view::npos) {
    throw error("a text with the character NUL", "name the file as the suite wrote it");
  }
  return true;
}

std::string Lines::place() const { return name_ + " line " + std::to_string(number_); }

InputError Lines::error(const std::string& problem, const std::string& suggestion) const {
  return InputError({problem, "file '" + name_ + "', line " + std::to_string(number_), suggestion});
}

std::vector<std::string> words(std::string_view line) {
  std::istringstream stream{std::string(line)};
  std::vector<std::string> found;
  for (std::string word; stream >> word;) found.push_back(word);
  return found;
}

std::vector<std::string> header_columns(std::string_view line) {
  std::vector<std::string> columns;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find("  "), line.size());
    columns.emplace_back(trimmed(line.substr(0, end)));
    line = trimmed(line.substr(end));
  }
  return columns;
}

std::optional<std::int64_t> size_in(const std::string& cell) {
  constexpr std::int64_t largest = std::int64_t{1} << 40;
  const auto size = as_number<std::int64_t>(cell);
  return size && *size >= 0 && *size <= largest ? size : std::nullopt;
}

std::optional<int> ranks_in(const std::string& cell) {
  constexpr int most = 1'000'000;
  const auto ranks = as_number<int>(cell);
  return ranks && *ranks >= 1 && *ranks <= most ? ranks : std::nullopt;
}

std::optional<double> positive_in(const std::string& cell) {
  constexpr double most = 1e12;
  const auto number = cell.ends_with('.') ? std::nullopt : as_number<double>(cell);
  return number && std::isfinite(*number) && *number > 0 && *number <= most ? number : std::nullopt;
}

void TableRows::begin(const SuiteRun& run) {
  first_ = run.figures.size();
  has_ended_ = false;
}

std::optional<std::vector<std::string>> TableRows::row(SuiteRun& run, std::size_t columns) {
  std::vector<std::string> cells = words(lines_.line());
  odd_cell_.clear();
  if (cells.empty()) has_ended_ = true;
  const auto is_like_row = [&] {
    return cells.size() == columns && std::isdigit(static_cast<unsigned char>(cells[0][0])) != 0;
  };
  if (cells.empty() || (has_ended_ && !is_like_row())) return std::nullopt;
  if (cells.size() != columns) {
    leave_out(run, "it has " + std::to_string(cells.size()) +
                       (cells.size() == 1 ? " word" : " words") + ", the table " +
                       std::to_string(columns) + " columns");
    return std::nullopt;
  }
  if (!lines_.is_cut()) return cells;
  leave_out(run, "the file ends in this row, whose last number may be cut");
  return std::nullopt;
}

std::optional<double> TableRows::figure(const std::string& cell) {
  const auto found = positive_in(cell);
  if (!found && cell != "N/A" && as_number<double>(cell) != 0.0) odd_cell_ = cell;
  return found;
}

void TableRows::take(SuiteRun& run, std::vector<SuiteFigure> figures) {
  if (!odd_cell_.empty()) {
    leave_out(run, "'" + odd_cell_ + "' is no time or rate");
  } else if (figures.empty()) {
    leave_out(run, "none of its figures is above 0");
  }
  const auto in_table = run.figures.begin() + static_cast<std::ptrdiff_t>(first_);
  for (const SuiteFigure& figure : figures) {
    if (std::find_if(in_table, run.figures.end(), [&](const SuiteFigure& other) {
          return other.point == figure.point;
        }) != run.figures.end()) {
      return leave_out(run, "its table has this size already");
    }
  }
  std::ranges::move(figures, std::back_inserter(run.figures));
}

void TableRows::leave_out(SuiteRun& run, const std::string& why) const {
  constexpr std::size_t longest = 60;
  const std::string line(lines_.line().substr(0, longest));
  run.left_out.add({1, inert(lines_.place() + " '" + line + "'") + ": " + inert(why)});
}

std::string operation_name(std::string_view title) {
  std::string name(title);
  std::ranges::transform(name, name.begin(), [](unsigned char letter) {
    return std::isalnum(letter) != 0 ? static_cast<char>(std::tolower(letter)) : '-';
  });
  const auto repeated =
      std::ranges::unique(name, [](char a, char b) { return a == '-' && b == a; });
  name.erase(repeated.begin(), repeated.end());
  return name;
}

}  // namespace hockney::imports
