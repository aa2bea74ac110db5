#include "imports/table_text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
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
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++number_;
  if (line_.find('\0') != std::string_view::npos) {
    throw error("a text with the character NUL", "name the file as the suite wrote it");
  }
  return true;
}

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
  const auto number = as_number<double>(cell);
  return number && std::isfinite(*number) && *number > 0 ? number : std::nullopt;
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
