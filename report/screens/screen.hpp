#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "core/statistics.hpp"

namespace hockney::report {

// The first screen of a command: what was measured where, the result, its reliability, and what
// to do next, in at most 24 lines and about 100 columns. Everything else is asked for (--all).

using Lines = std::vector<std::string>;

/// A command that goes on from here, and what it is good for.
struct NextStep {
  std::string command;
  std::string purpose;
};

struct Screen {
  Lines faults;  ///< why figures are left out, before all else (report/curve_tables.hpp)
  Lines header;  ///< none where the records are no campaign's
  Lines answer;
  std::string verdict;  ///< in one line; empty: the first line of the answer
  Lines reliability;
  std::vector<NextStep> next;
};

enum class ScreenSize {
  verdict,  ///< that line alone
  first,    ///< as many lines as a terminal has
  whole     ///< every line
};

inline constexpr std::size_t screen_lines = 24;
inline constexpr std::size_t screen_columns = 100;

struct ScreenStyle {
  bool blocks = false;                   ///< whether characters of Unicode may draw
  std::size_t columns = screen_columns;  ///< of the terminal, for what may be left out
};

/// Prints it, at most 100 columns wide or `columns`, where the terminal has fewer. Of an answer
/// that is too long as many lines as there is room for, and how many more there are.
void print_screen(std::ostream& out, const Screen& screen, ScreenSize size = ScreenSize::first,
                  std::optional<std::size_t> columns = std::nullopt);

/// Lines of at most `width` characters: sentences are parted at blanks, rows of tables are not.
Lines wrapped_sentences(const Lines& lines, std::size_t width);

/// Lines of at most `width` characters: of tables, which are lines together in columns two blanks
/// apart, the last columns are left out and named; sentences are parted at blanks.
Lines narrowed(const Lines& lines, std::size_t width);

/// A line of parts two blanks apart in lines of at most `width` characters.
Lines parts_in_lines(const std::string& line, std::size_t width);

/// Two lines: hosts, processor, MPI library; operations, ranks, launches, their time and when the
/// first of them began (UTC).
Lines header_of(std::span<const Record> records);

/// The name of an MPI library without what it says of its package: "Open MPI v4.1.4".
std::string library_name(const std::string& library);

/// Names, each once, in order of appearance.
class Names {
 public:
  void add(const std::string& name);
  [[nodiscard]] bool empty() const { return names_.empty(); }
  /// Inert: "a, b, c and 4 more".
  [[nodiscard]] std::string text(std::size_t most = 3) const;

 private:
  std::vector<std::string> names_;
};

/// The words of each name that tell it from the others: without those that all share, and those
/// that its setting says already. Of one name all words.
std::vector<std::string> labels_of(const std::vector<std::string>& names);

/// Texts below each other in columns that are as wide as their longest text, two blanks apart.
Lines columns_of(const std::vector<std::vector<std::string>>& rows);

/// What `print` prints, as lines, without empty ones at both ends and '#' before texts of tables.
Lines lines_printed(const std::function<void(std::ostream&)>& print);

/// What `print` prints, narrowed() where there are fewer than 100
/// columns.
void print_narrowed(std::ostream& out, std::optional<std::size_t> columns,
                    const std::function<void(std::ostream&)>& print);

}  // namespace hockney::report
