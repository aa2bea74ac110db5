#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace hockney::placement {

/// A text that describes a network, and the file or command that it came from.
struct NetworkText {
  std::string_view text;
  std::string name;
};

/// The lines of a text that say something: without those that `#` begins, blanks at their ends and
/// carriage returns.
class NumberedLines {
 public:
  explicit NumberedLines(const NetworkText& text) : name_(text.name), rest_(text.text) {}

  /// Moves to the next line; false at the end. InputError for one with the character NUL.
  bool next();
  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] int number() const { return number_; }
  /// "<name>:<number of the line>: <problem> (<why>) <suggestion>".
  [[nodiscard]] InputError error(const std::string& problem, const std::string& why,
                                 const std::string& suggestion) const;

 private:
  std::string name_;
  std::string_view rest_;
  std::string_view line_;
  int number_ = 0;
};

/// The words of a line, between blanks.
std::vector<std::string> words_of_line(std::string_view line);

}  // namespace hockney::placement
