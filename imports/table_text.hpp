#pragma once

#include <cstdint>
#include <optional>
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

  /// Moves to the next line; false at the end. InputError for one that no record can hold.
  bool next();
  /// Without carriage return and blanks at its ends; of longer lines than any table has (and
  /// than std::regex can take) the first 1000 characters.
  [[nodiscard]] std::string_view line() const { return line_; }
  /// Whether the text ends within the line, so that its last number may be cut.
  [[nodiscard]] bool is_cut() const { return is_cut_; }
  /// "lat.txt line 7"
  [[nodiscard]] std::string place() const;
  [[nodiscard]] InputError error(const std::string& problem, const std::string& suggestion) const;

 private:
  std::string name_;
  std::string_view rest_;
  std::string_view line_;
  int number_ = 0;
  bool is_cut_ = false;
};

/// The rows of one table after the other: takes what is whole and new, and counts the other rows.
class TableRows {
 public:
  explicit TableRows(const Lines& lines) : lines_(lines) {}

  /// A header has begun a table of the run.
  void begin(const SuiteRun& run);
  /// The words of the current line, if it can be a row of so many columns; else nullopt, and it is
  /// counted, unless it stands behind the table.
  std::optional<std::vector<std::string>> row(SuiteRun& run, std::size_t columns);
  /// The number of a cell; nullopt for 0, for "N/A", and for any other text, with which the row
  /// counts as left out, although its other figures are taken.
  std::optional<double> figure(const std::string& cell);
  /// Adds the figures of the current row, of which none may be in the table already.
  void take(SuiteRun& run, std::vector<SuiteFigure> figures);
  void leave_out(SuiteRun& run, const std::string& why) const;

 private:
  const Lines& lines_;
  std::size_t first_ = 0;  ///< figure of the table
  bool has_ended_ = false;
  std::string odd_cell_;  ///< of the current row
};

/// The words of a line, between blanks.
std::vector<std::string> words(std::string_view line);

/// The columns of a header whose names hold single blanks: two or more part them.
std::vector<std::string> header_columns(std::string_view line);

// What a cell says; nullopt where it says nothing that could be true.

/// A message size, up to 1 TiB [B].
std::optional<std::int64_t> size_in(const std::string& cell);
/// Up to a million of them, and at least one.
std::optional<int> ranks_in(const std::string& cell);
/// A finite time or rate above 0, up to 1e12, with digits on both sides of its point.
std::optional<double> positive_in(const std::string& cell);

/// "Reduce_scatter_block" or "All Put" as hockney would write it: "reduce-scatter-block".
std::string operation_name(std::string_view title);

}  // namespace hockney::imports
