#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "imports/suite_run.hpp"

namespace hockney::imports {

/// One line after the other of a text, with what messages need to name it.
class Lines {
 public:
  explicit Lines(const SuiteText& text) : name_(text.name), rest_(text.text) {}

  /// Moves to the next line; false at the end.
  bool next();
  /// Without carriage return and blanks at its ends.
  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] InputError error(const std::string& problem, const std::string& suggestion) const;

 private:
  std::string name_;
  std::string_view rest_;
  std::string_view line_;
  int number_ = 0;
};

/// The words of a line, between blanks.
std::vector<std::string> words(std::string_view line);

/// The columns of a header whose names hold single blanks: two or more part them.
std::vector<std::string> header_columns(std::string_view line);

/// The numbers of a row, if it is nothing else; empty otherwise.
std::vector<double> numbers(std::string_view line);

/// "Reduce_scatter_block" or "All Put" as hockney would write it: "reduce-scatter-block".
std::string operation_name(std::string_view title);

}  // namespace hockney::imports
