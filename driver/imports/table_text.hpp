#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "driver/imports/log_lines.hpp"
#include "driver/imports/suite_run.hpp"

namespace hockney::imports {

/// The text without blanks and carriage returns at its ends.
std::string_view trimmed(std::string_view text);

/// A line of a program's output.
struct TextLine {
  std::string_view text;  ///< without prefix, and without blanks at its ends
  int number = 0;         ///< in the file, from 1
  bool is_cut = false;    ///< the text ends within the line, whose last number may be truncated
};

/// The commands and headings with ranks in a file, of all processes, in order.
using LogCommands = std::vector<LogCommand>;

/// The lines of one process, with their places for messages.
class Lines {
 public:
  Lines(std::string file, std::string prefix, std::vector<TextLine> lines,
        std::shared_ptr<const LogCommands> commands)
      : file_(std::move(file)),
        prefix_(std::move(prefix)),
        lines_(std::move(lines)),
        commands_(std::move(commands)) {}

  /// Moves to the next line; false at the end.
  bool next();
  /// At most the first 1000 characters: no table has longer lines, and std::regex cannot handle
  /// them.
  [[nodiscard]] std::string_view line() const { return lines_[at_ - 1].text; }
  [[nodiscard]] bool is_cut() const { return lines_[at_ - 1].is_cut; }
  [[nodiscard]] int number() const { return lines_[at_ - 1].number; }
  [[nodiscard]] const TextLine& current() const { return lines_[at_ - 1]; }
  /// Notes that the line is a row of the run.
  void note_row(SuiteRun& run) const;
  /// Notes that the line is text of the log, no part of a table.
  void note_log_line() { note_log_line(current()); }
  void note_log_line(const TextLine& line) {
    if (!line.text.empty()) log_lines_.push_back(line);
  }
  [[nodiscard]] const std::vector<TextLine>& log_lines() const { return log_lines_; }
  /// The last command, and the ranks of its or a heading's line, before the current line of the
  /// file.
  [[nodiscard]] LogCommand command() const;
  /// A run with this line as title.
  [[nodiscard]] SuiteRun begin_run(const std::string& suite, const std::string& version) const;
  /// "lat.txt line 7"
  [[nodiscard]] std::string place() const;
  /// "lat.txt line 7 '8  -1.20'", with control characters escaped
  [[nodiscard]] std::string quoted() const;
  [[nodiscard]] InputError error(const std::string& problem, const std::string& suggestion) const;

 private:
  std::string file_;
  std::string prefix_;
  std::vector<TextLine> lines_;
  std::shared_ptr<const LogCommands> commands_;
  std::vector<TextLine> log_lines_;
  std::size_t at_ = 0;
};

/// Gives each run the lines of the log that are in force at its table: those between the tables
/// before it.
void add_context(std::vector<SuiteRun>& runs, std::vector<TextLine> log_lines);

/// The lines of each process in the text; first those without a prefix. InputError for the
/// character NUL, which records cannot contain.
std::vector<Lines> lines_by_process(const SuiteText& text);

/// The number of words in the rows of a table.
struct RowShape {
  std::size_t words = 0;
  bool has_further = false;  ///< columns of unknown meaning follow
};

/// Reads the rows of tables: takes complete, new rows and counts the others.
class TableRows {
 public:
  explicit TableRows(Lines& lines) : lines_(lines) {}

  /// Begins a table of the run. Lines of text behind the table before are of the log.
  void begin(const SuiteRun& run);
  void end();
  /// Whether the table has a row yet.
  [[nodiscard]] bool has_rows(const SuiteRun& run) const { return run.figures.size() > first_; }
  /// The words of the current line, if it can be a row of the shape; else nullopt. Other lines are
  /// counted, unless they are text behind the last row of the table. A remark at the end of a row
  /// is removed; it begins with neither letter nor digit.
  std::optional<std::vector<std::string>> row(SuiteRun& run, RowShape shape);
  /// Counts the current line if it is like a row, in a table with an unreadable header.
  void leave_out_unread(SuiteRun& run, const std::string& why);
  /// The number of a cell; nullopt for 0, "N/A" and any other text. With other text the row counts
  /// as left out, but its other figures are taken.
  std::optional<double> figure(const std::string& cell);
  /// Adds the figures of the current row, unless the table already has one of their points.
  void take(SuiteRun& run, std::vector<SuiteFigure> figures);
  void leave_out(SuiteRun& run, const std::string& why) const;

 private:
  struct TextWithin {
    TextLine line;
    std::string quoted;
    std::string why;
  };
  std::optional<std::vector<std::string>> no_row(SuiteRun& run, const std::string& why,
                                                 bool is_text);
  void leave_out_text(SuiteRun& run);

  Lines& lines_;
  std::vector<TextWithin> text_;  ///< since the last row: left out if another row follows
  std::size_t first_ = 0;         ///< figure of the table
  std::unordered_map<std::string, std::vector<std::size_t>> known_;  ///< its figures (key_of)
  bool has_ended_ = false;
  std::string odd_cell_;  ///< of the current row
};

/// Reads the runs in the output of one process. Each suite has a reader of its own.
class TableReader {
 public:
  TableReader(Lines lines, RunFacts facts) : lines_(std::move(lines)), facts_(std::move(facts)) {}
  virtual ~TableReader() = default;

  std::vector<SuiteRun> read() {
    while (lines_.next()) read_line();
    rows_.end();
    return std::move(runs_);
  }
  [[nodiscard]] const std::vector<TextLine>& log_lines() const { return lines_.log_lines(); }

 protected:
  virtual void read_line() = 0;
  /// The figure in a cell of the current row; `cells` is a map.
  template <class Cells, class Key>
  std::optional<double> figure_in(const Cells& cells, const Key& column) {
    const auto cell = cells.find(column);
    return cell == cells.end() ? std::nullopt : rows_.figure(cell->second);
  }
  /// Adds a time of the current row, if there is one. `work` is the point's parameter; empty
  /// without work.
  void add_time(Point point, std::optional<double> microseconds, const std::string& work,
                std::int64_t counted, bool is_corrupt);

  Lines lines_;
  TableRows rows_{lines_};
  RunFacts facts_;
  std::vector<SuiteRun> runs_;
  std::vector<SuiteFigure> figures_;  ///< of the current row
};

/// The runs that a reader finds in the output of all processes.
template <class Reader>
std::vector<SuiteRun> read_processes(const SuiteText& text, const RunFacts& facts) {
  std::vector<SuiteRun> all;
  std::vector<TextLine> log_lines;
  for (Lines& lines : lines_by_process(text)) {
    Reader reader(std::move(lines), facts);
    std::ranges::move(reader.read(), std::back_inserter(all));
    std::ranges::copy(reader.log_lines(), std::back_inserter(log_lines));
  }
  add_context(all, std::move(log_lines));
  return all;
}

/// Notes an unknown remark of a header. It separates the run from others.
void note_remark(SuiteRun& run, const Lines& lines);

/// The words of a line, separated by blanks.
std::vector<std::string> words(std::string_view line);

/// The columns of a header, separated by a tab or at least two blanks; names may have single
/// blanks.
std::vector<std::string> header_columns(std::string_view line);

// Values of cells; nullopt for impossible values.

/// A message size, up to 1 TiB [B].
std::optional<std::int64_t> size_in(const std::string& cell);
/// From one to a million.
std::optional<int> ranks_in(const std::string& cell);
/// A finite time or rate above 0, up to 1e12, with digits on both sides of the decimal point.
std::optional<double> positive_in(const std::string& cell);

/// "Reduce_scatter_block" or "All Put" in hockney's notation: "reduce-scatter-block".
std::string operation_name(std::string_view title);

/// Whether a call has a reduction operator.
bool is_reduction(std::string_view operation);

/// Adds datatype and operator in hockney's notation. Reductions always have them, other calls only
/// if the datatype is not bytes. Empty ones are unknown.
void add_datatype(Point& point, const std::string& datatype, const std::string& reduction);

/// "MPI_FLOAT." in hockney's notation: "float".
std::string datatype_name(std::string_view printed);

}  // namespace hockney::imports
