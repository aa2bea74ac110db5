#include "placement/network/numbered_lines.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace hockney::placement {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view said_in(std::string_view line) {
  if (line.starts_with('#')) return {};
  const std::size_t begin = line.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(blanks) - begin + 1);
}

}  // namespace

bool NumberedLines::next() {
  while (!rest_.empty()) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    if (line_.find('\0') != std::string_view::npos) {
      throw error("the character NUL", "no description of a network has it", "name a text file");
    }
    line_ = said_in(line_);
    if (!line_.empty()) return true;
  }
  return false;
}

InputError NumberedLines::error(const std::string& problem, const std::string& why,
                                const std::string& suggestion) const {
  return InputError({inert(name_) + ":" + std::to_string(number_) + ": " + inert(problem),
                     inert(why), suggestion});
}

std::vector<std::string> words_of_line(std::string_view line) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(blanks), line.size());
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

}  // namespace hockney::placement
