#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "core/statistics.hpp"
#include "core/summary.hpp"

namespace hockney::report {

// The first screen of a command: what was measured where, the result, findings, reliability, and
// the next steps. 24 lines and at most 100 columns. Remarks give way to results, which are cut only
// beyond most_result_lines; --all prints everything.

using hockney::NextStep;
using Lines = std::vector<std::string>;

struct Screen {
  Lines faults;    ///< reasons for figures left out (report/curve_tables.hpp); printed first
  Lines warnings;  ///< reliability that changes the answer; printed before it
  Lines header;    ///< empty for records outside campaigns
  Lines answer;
  std::vector<SummaryRow> rows{};  ///< figures of the answer as values, for the key `summary`
  std::vector<Finding> findings;   ///< worst first
  std::string verdict;             ///< one line; empty: the first line of the summary
  Lines reliability;
  std::vector<NextStep> next;
};

enum class ScreenSize {
  verdict,  ///< only the verdict
  first,    ///< the lines that a terminal has
  whole     ///< every line
};

inline constexpr std::size_t screen_lines = 24;
inline constexpr std::size_t most_result_lines = 26;
inline constexpr std::size_t screen_columns = 100;

struct ScreenStyle {
  bool blocks = false;                   ///< whether Unicode blocks are allowed
  std::size_t columns = screen_columns;  ///< width of the terminal, for optional parts
};

/// The key `summary` of a document: head, figures, findings, reliability and next steps.
nlohmann::json to_json(const Screen& screen);

/// Prints the screen, at most min(100, `columns`) columns wide. A long summary is cut to the
/// available lines; the number of further lines is printed.
void print_screen(std::ostream& out, const Screen& screen, ScreenSize size = ScreenSize::first,
                  std::optional<std::size_t> columns = std::nullopt);

/// Lines of at most `width` characters: sentences are wrapped at blanks, rows of tables stay whole.
Lines wrapped_sentences(const Lines& lines, std::size_t width);

/// Lines of at most `width` characters. Tables (adjacent lines in columns two blanks apart) lose
/// their last columns, which are named below. Sentences are wrapped at blanks.
Lines narrowed(const Lines& lines, std::size_t width);

/// Wraps a line of parts, two blanks apart, into lines of at most `width` characters.
Lines parts_in_lines(const std::string& line, std::size_t width);

/// Two lines: hosts, processor, MPI library; then operations, ranks, launches, their duration and
/// the start of the first (UTC).
Lines header_of(std::span<const Record> records);

/// The name of an MPI library without package details: "Open MPI v4.1.4".
std::string library_name(const std::string& library);

/// Distinct names, in order of appearance.
class Names {
 public:
  void add(const std::string& name);
  [[nodiscard]] bool empty() const { return names_.empty(); }
  /// Escaped: "a, b, c and 4 more".
  [[nodiscard]] std::string text(std::size_t most = 3) const;

 private:
  std::vector<std::string> names_;
};

/// The words that all names have, in the order of the first.
std::string common_words(const std::vector<std::string>& names);

/// The words that distinguish each name from the others. Words common to all, and words repeated by
/// the setting, are left out. A single name keeps all words.
std::vector<std::string> labels_of(const std::vector<std::string>& names);

/// Rows in columns as wide as their longest text, two blanks apart.
Lines columns_of(const std::vector<std::vector<std::string>>& rows);

/// The lines printed by `print`, without empty lines at both ends, and without '#' before texts of
/// tables.
Lines lines_printed(const std::function<void(std::ostream&)>& print);

}  // namespace hockney::report
