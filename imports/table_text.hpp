#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "imports/suite_run.hpp"

namespace hockney::imports {

/// What launchers and logs put before each line of a program's output: "[1,0]<stdout>:" of
/// mpirun --tag-output, "0: " of srun -l, a time stamp, or several of them, and the number of the
/// line ("cat -n"). Lines with one prefix are the output of one process.
class LinePrefixes {
 public:
  /// Finds the prefixes before titles of suites in a text; at most 256 of them.
  static LinePrefixes of(std::string_view text);

  /// 1 + the number of prefixes: lines without one are source 0.
  [[nodiscard]] std::size_t sources() const { return prefixes_.size() + 1; }
  /// The source of a line, which is cut down to what the program printed.
  std::size_t take_source(std::string_view& line) const;
  /// As in the title's line, time stamps included; empty for source 0.
  [[nodiscard]] std::string_view text(std::size_t source) const;

 private:
  struct Prefix {
    std::string text;
    std::vector<std::string> parts;  ///< literal texts, between which any time stamp stands
    bool counts = false;             ///< in place of the first time stamp the line's number
  };
  static Prefix prefix_of(std::string_view text, std::string_view next_line);
  static std::optional<std::string_view> rest_of(std::string_view line, const Prefix& prefix);

  std::vector<Prefix> prefixes_;
};

/// How many characters at the begin of a text are a time stamp: "Thu Nov 26 14:15:36 2026",
/// "2026-11-26T14:15:36.123Z", "14:15:36", seconds with three digits or more behind the point. 0:
/// it begins with none.
std::size_t time_stamp_length(std::string_view text);

/// Without blanks and carriage returns at its ends.
std::string_view trimmed(std::string_view text);

/// A line that a program printed.
struct TextLine {
  std::string_view text;  ///< without prefix, and without blanks at its ends
  int number = 0;         ///< in the file, from 1
  bool is_cut = false;    ///< the text ends within the line, so that its last number may be cut
};

/// One line after the other of one process, with what messages need to name it.
class Lines {
 public:
  Lines(std::string file, std::string prefix, std::vector<TextLine> lines)
      : file_(std::move(file)), prefix_(std::move(prefix)), lines_(std::move(lines)) {}

  /// Moves to the next line; false at the end.
  bool next();
  /// Of longer lines than any table has (and than std::regex can take) the first 1000 characters.
  [[nodiscard]] std::string_view line() const { return lines_[at_ - 1].text; }
  [[nodiscard]] bool is_cut() const { return lines_[at_ - 1].is_cut; }
  /// A run that begins with this line, its title.
  [[nodiscard]] SuiteRun begin_run(const std::string& suite, const std::string& version) const;
  /// "lat.txt line 7"
  [[nodiscard]] std::string place() const;
  /// "lat.txt line 7 '8  -1.20'", with what would drive a terminal escaped
  [[nodiscard]] std::string quoted() const;
  [[nodiscard]] InputError error(const std::string& problem, const std::string& suggestion) const;

 private:
  std::string file_;
  std::string prefix_;
  std::vector<TextLine> lines_;
  std::size_t at_ = 0;
};

/// The lines of each process whose output the text holds: first those without a prefix. InputError
/// for a text with the character NUL, which no record can hold.
std::vector<Lines> lines_by_process(const SuiteText& text);

/// What a reader finds in the output of every process.
template <class Reader>
std::vector<SuiteRun> read_processes(const SuiteText& text, const RunFacts& facts) {
  std::vector<SuiteRun> all;
  for (Lines& lines : lines_by_process(text)) {
    std::ranges::move(Reader(std::move(lines), facts).read(), std::back_inserter(all));
  }
  return all;
}

/// How many words the rows of a table have.
struct RowShape {
  std::size_t words = 0;
  bool has_further = false;  ///< columns of unknown meaning stand behind those words
};

/// The rows of one table after the other: takes what is whole and new, and counts the other rows.
class TableRows {
 public:
  explicit TableRows(const Lines& lines) : lines_(lines) {}

  /// A header has begun a table of the run.
  void begin(const SuiteRun& run);
  /// Whether a row was taken since then.
  [[nodiscard]] bool has_rows(const SuiteRun& run) const { return run.figures.size() > first_; }
  /// The words of the current line, if it can be a row of the shape; else nullopt, and it is
  /// counted, unless it stands behind the table and holds no numbers. A remark behind a row, which
  /// begins with no letter or digit, is cut off.
  std::optional<std::vector<std::string>> row(SuiteRun& run, RowShape shape);
  /// Counts the current line if it is like a row, in a table whose header was not understood.
  void leave_out_unread(SuiteRun& run, const std::string& why) const;
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

/// Notes a remark of a header of which nothing was understood. It keeps the run apart from others.
void note_remark(SuiteRun& run, const Lines& lines);

/// The words of a line, between blanks.
std::vector<std::string> words(std::string_view line);

/// The columns of a header whose names hold single blanks: two or more, or a tab, part them.
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

/// Whether a call has an operator.
bool is_reduction(std::string_view operation);

/// Adds datatype and operator as hockney says them: those of reductions always, of other calls
/// only where they are not bytes. Empty ones are not known.
void add_datatype(Point& point, const std::string& datatype, const std::string& reduction);

/// "MPI_FLOAT." as hockney writes it: "float".
std::string datatype_name(std::string_view printed);

}  // namespace hockney::imports
