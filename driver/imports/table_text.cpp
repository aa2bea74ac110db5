#include "driver/imports/table_text.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/point.hpp"
#include "core/text.hpp"

namespace hockney::imports {
namespace {

/// Beginnings of the first lines of the suites' outputs.
constexpr std::array<std::string_view, 10> titles{"# OSU ",
                                                  "# OMB-Py ",
                                                  "#    Intel(R) MPI Bench",
                                                  "#    Intel (R) MPI Bench",
                                                  "# Benchmarking ",
                                                  "# nThread ",
                                                  "# nThread: ",
                                                  "# nccl-tests version",
                                                  "# Collective test starting",
                                                  "# Number of Sender threads"};

/// Whether a text begins like the header of a table, which may be pasted without its title:
/// "#       size         count", "# Size          Latency (us)".
bool is_table_header(std::string_view text) {
  const std::string_view names = trimmed(text.substr(1));
  for (const std::string_view first : {"size", "Size"}) {
    if (!names.starts_with(first)) continue;
    const std::string_view rest = trimmed(names.substr(first.size()));
    return rest.starts_with("count ") || rest.starts_with("Avg Lat") ||
           rest.starts_with("Latency (us)") || rest.starts_with("Bandwidth (MB/s)") ||
           rest.starts_with("Bi-Bandwidth (MB/s)");
  }
  return false;
}

/// The position of a title in a line; npos without one.
std::size_t title_in(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    const std::string_view rest = line.substr(at);
    if (std::ranges::any_of(titles, [&](auto title) { return rest.starts_with(title); })) return at;
    if (is_table_header(rest)) return at;
  }
  return std::string_view::npos;
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// Matches "9" against digits, "a" against letters, "_" against a digit or blank and other
/// characters against themselves.
bool is_like(std::string_view text, std::string_view pattern) {
  if (text.size() < pattern.size()) return false;
  return std::ranges::equal(pattern, text.substr(0, pattern.size()), [](char wanted, char found) {
    if (wanted == '9') return is_digit(found);
    if (wanted == '_') return is_digit(found) || found == ' ';
    if (wanted == 'a') return std::isalpha(static_cast<unsigned char>(found)) != 0;
    return wanted == found;
  });
}

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - at;
}

/// The length of ".123", "Z" and "+01:00" after a clock time.
std::size_t behind_clock(std::string_view text) {
  std::size_t length = 0;
  if (!text.empty() && (text[0] == '.' || text[0] == ',')) {
    const std::size_t digits = digits_at(text, 1);
    if (digits > 0) length = 1 + digits;
  }
  const std::string_view zone = text.substr(length);
  if (zone.starts_with('Z')) return length + 1;
  for (const std::string_view pattern : {"+99:99", "-99:99", "+9999", "-9999"}) {
    if (is_like(zone, pattern)) return length + pattern.size();
  }
  return length;
}

/// "1732630536.123": with at least three decimals, to exclude addresses.
std::size_t seconds_length(std::string_view text) {
  const std::size_t whole = digits_at(text, 0);
  if (whole == 0 || whole >= text.size() || text[whole] != '.') return 0;
  const std::size_t end = whole + 1 + digits_at(text, whole + 1);
  constexpr std::size_t fewest = 3;
  const bool goes_on = end < text.size() && text[end] == '.';
  return end - whole - 1 < fewest || goes_on ? 0 : end;
}

/// Whether a text begins with a number, and the next line with the next number. If the next line
/// has a title, the number is of another rank, not of a line.
bool counts_up(std::string_view text, std::string_view next_line) {
  const auto own = as_number<int>(std::string(text.substr(0, digits_at(text, 0))));
  const auto next = as_number<int>(std::string(next_line.substr(0, digits_at(next_line, 0))));
  const bool is_title = title_in(next_line) != std::string_view::npos;
  return own && next && *next == *own + 1 && !is_title;
}

/// The length of a time stamp at the beginning of a text; 0 without one. Forms are "Thu Nov 26
/// 14:15:36 2026", "2026-11-26T14:15:36.123Z", "14:15:36", and seconds with at least three
/// decimals.
std::size_t time_stamp_length(std::string_view text) {
  constexpr std::string_view clock = "99:99:99";
  for (const std::string_view pattern :
       {"aaa aaa _9 99:99:99 9999", "9999-99-99T99:99:99", "9999-99-99 99:99:99",
        "9999/99/99 99:99:99", "aaa _9 99:99:99", "99:99:99"}) {
    if (!is_like(text, pattern)) continue;
    const std::size_t length = pattern.size();
    return pattern.ends_with(clock) ? length + behind_clock(text.substr(length)) : length;
  }
  return seconds_length(text);
}

/// Prefixes that launchers and logs add to each line of a program's output. Examples are
/// "[1,0]<stdout>:" (mpirun --tag-output), "0: " (srun -l), time stamps, line numbers ("cat -n"),
/// and combinations. Lines with one prefix are the output of one process.
class LinePrefixes {
 public:
  /// Finds at most 256 prefixes before titles of suites in a text.
  static LinePrefixes of(std::string_view text) {
    constexpr std::size_t longest = 200;
    constexpr std::size_t most = 256;
    LinePrefixes found;
    while (!text.empty() && found.prefixes_.size() < most) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = trimmed(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      const std::size_t title = title_in(line.substr(0, 2 * longest));
      if (title == std::string_view::npos || title == 0 || title > longest) continue;
      // Blank lines have only the prefix, without the blank after it.
      const std::string_view next = trimmed(text.substr(0, text.find('\n')));
      Prefix prefix = prefix_of(trimmed(line.substr(0, title)), next);
      if (std::ranges::find(found.prefixes_, prefix.parts, &Prefix::parts) ==
          found.prefixes_.end()) {
        found.prefixes_.push_back(std::move(prefix));
      }
    }
    return found;
  }

  /// 1 + the number of prefixes: lines without one are source 0.
  [[nodiscard]] std::size_t sources() const { return prefixes_.size() + 1; }

  /// The source of a line; removes the prefix from the line.
  std::size_t take_source(std::string_view& line) const {
    std::size_t source = 0;
    std::string_view rest = line;
    for (std::size_t i = 0; i < prefixes_.size(); ++i) {
      const auto own = rest_of(line, prefixes_[i]);
      if (!own || (source > 0 && own->size() >= rest.size())) continue;
      source = i + 1;  // the longest matching prefix
      rest = *own;
    }
    line = rest;
    return source;
  }

  /// The prefix in the title's line, with time stamps; empty for source 0.
  [[nodiscard]] std::string_view text(std::size_t source) const {
    return source == 0 ? std::string_view() : std::string_view(prefixes_[source - 1].text);
  }

 private:
  struct Prefix {
    std::string text;
    std::vector<std::string> parts;  ///< literal texts, separated by time stamps
    bool counts = false;             ///< the first separator is the line's number
  };

  static Prefix prefix_of(std::string_view text, std::string_view next_line) {
    Prefix prefix{.text = std::string(text), .parts = {""}};
    std::size_t begin = 0;
    if (counts_up(text, next_line)) {
      prefix.counts = true;
      prefix.parts.emplace_back();
      begin = digits_at(text, 0);
    }
    for (std::size_t at = begin; at < text.size();) {
      const bool within_word =
          at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0;
      const std::size_t length = within_word ? 0 : time_stamp_length(text.substr(at));
      if (length > 0) {
        prefix.parts.emplace_back();
      } else {
        prefix.parts.back() += text[at];
      }
      at += std::max<std::size_t>(length, 1);
    }
    return prefix;
  }

  static std::optional<std::string_view> rest_of(std::string_view line, const Prefix& prefix) {
    for (std::size_t part = 0; part < prefix.parts.size(); ++part) {
      if (part > 0) {
        const bool is_number = prefix.counts && part == 1;
        const std::size_t length = is_number ? digits_at(line, 0) : time_stamp_length(line);
        if (length == 0) return std::nullopt;
        line.remove_prefix(length);
      }
      if (!line.starts_with(prefix.parts[part])) return std::nullopt;
      line.remove_prefix(prefix.parts[part].size());
    }
    return trimmed(line);
  }

  std::vector<Prefix> prefixes_;
};

bool is_number(const std::string& word) { return as_number<double>(word).has_value(); }

/// Whether the first cell is a size and the second a number.
bool is_like_figures(const std::vector<std::string>& cells) {
  return cells.size() > 1 && size_in(cells[0]) && is_number(cells[1]);
}

/// Whether a word begins like a number.
bool begins_number(const std::string& word) {
  const bool is_signed = word.size() > 1 && std::string_view("+-.").find(word[0]) != word.npos;
  return is_digit(word[is_signed ? 1 : 0]) || is_number(word);
}

/// Whether the first two words are numbers, if only bad ones; dates and text are none.
bool is_like_row(const std::vector<std::string>& cells) {
  if (cells.size() < 2) return false;
  const bool is_date = !is_number(cells[0]) && time_stamp_length(cells[0] + " " + cells[1]) > 0;
  return begins_number(cells[0]) && !is_date &&
         (begins_number(cells[1]) || cells[1] == "N/A" || cells[1].starts_with("out-of-mem"));
}

bool is_remark(const std::string& word) {
  return std::isalnum(static_cast<unsigned char>(word[0])) == 0 &&
         std::string_view("+-.").find(word[0]) == std::string_view::npos;
}

/// The text with a sign for each number with one decimal point.
std::string without_decimals(const std::string& text) {
  std::string shape;
  for (const std::string& word : words(text)) {
    const bool is_decimal = word.find('.') != word.npos && is_number(word);
    shape += (is_decimal ? "0" : word) + " ";
  }
  return shape;
}

/// The number of lines at the beginning of all gaps that follow each table, also the last one.
std::size_t length_of_ends(const std::vector<std::vector<std::string>>& gaps, auto shape) {
  std::size_t length = gaps.back().size();
  for (std::size_t gap = 1; gap + 1 < gaps.size(); ++gap) {
    length = std::min(length, gaps[gap].size());
    std::size_t same = 0;
    while (same < length && shape(gaps[gap][same]) == shape(gaps.back()[same])) ++same;
    length = same;
  }
  return length;
}

/// Removes what is printed after each table, also after the last one: "Done", "Peak = 11.3 GB/s".
void remove_ends(std::vector<std::vector<std::string>>& gaps) {
  if (gaps.size() < 3) return;
  const auto between = std::ranges::subrange(gaps.begin() + 1, gaps.end() - 1);
  std::size_t length = length_of_ends(gaps, without_decimals);
  // A heading of a run that printed no table is no end of the runs before.
  if (std::ranges::any_of(between, [&](const auto& gap) { return gap.size() == length; })) {
    length = length_of_ends(gaps, [](const std::string& line) { return line; });
  }
  for (auto& gap : between)
    gap.erase(gap.begin(), gap.begin() + static_cast<std::ptrdiff_t>(length));
}

/// Adds the command or the heading in a line.
void add_command(LogCommands& commands, std::string_view line, int number) {
  if (line.empty() || is_digit(line.front())) return;
  if (auto command = command_in(line)) {
    // A command without ranks has those of a heading, not those of the command before.
    const bool inherits = !commands.empty() && commands.back().words.empty();
    if (inherits && !command->ranks) command->ranks = commands.back().ranks;
    command->number = number;
    commands.push_back(*std::move(command));
  } else if (const auto ranks = ranks_in_heading(line)) {
    commands.push_back({.words = {}, .program = {}, .ranks = ranks, .number = number});
  }
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

bool Lines::next() {
  if (at_ == lines_.size()) return false;
  ++at_;
  return true;
}

LogCommand Lines::command() const {
  const auto next = std::ranges::lower_bound(*commands_, number(), {}, &LogCommand::number);
  return next == commands_->begin() ? LogCommand{} : *std::prev(next);
}

std::string Lines::place() const {
  return fmt::format("{} line {}", file_, lines_[at_ - 1].number);
}

SuiteRun Lines::begin_run(const std::string& suite, const std::string& version) const {
  SuiteRun run{.suite = suite, .version = version};
  run.place = place();
  run.title = trimmed(line().substr(1));
  run.prefix = prefix_;
  run.begin_line = number();
  if (!version.empty()) run.facts["version"] = version;
  return run;
}

void Lines::note_row(SuiteRun& run) const {
  run.last_row = number();
  if (run.first_row == 0) run.first_row = run.last_row;
}

std::string Lines::quoted() const {
  constexpr std::size_t longest = 60;
  return escaped(fmt::format("{} '{}'", place(), line().substr(0, longest)));
}

InputError Lines::error(const std::string& problem, const std::string& suggestion) const {
  return InputError(
      {problem, fmt::format("file '{}', line {}", file_, lines_[at_ - 1].number), suggestion});
}

std::vector<Lines> lines_by_process(const SuiteText& text) {
  constexpr std::size_t longest = 1000;
  const LinePrefixes prefixes = LinePrefixes::of(text.text);
  const auto commands = std::make_shared<LogCommands>();
  std::vector<std::vector<TextLine>> found(prefixes.sources());
  int number = 0;
  for (std::string_view rest = text.text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    TextLine line{.text = trimmed(rest.substr(0, std::min(end, longest))),
                  .number = ++number,
                  .is_cut = end == rest.size()};
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.text.find('\0') != std::string_view::npos) {
      throw InputError({"a text with the character NUL",
                        fmt::format("file '{}', line {}", text.name, number),
                        "name the file as the suite wrote it"});
    }
    const std::size_t source = prefixes.take_source(line.text);
    add_command(*commands, line.text, number);
    found[source].push_back(line);
  }
  std::vector<Lines> all;
  for (std::size_t source = 0; source < found.size(); ++source) {
    all.emplace_back(text.name, std::string(prefixes.text(source)), std::move(found[source]),
                     commands);
  }
  return all;
}

std::optional<std::string> untitled_table(const SuiteText& text) {
  for (Lines& lines : lines_by_process(text)) {
    while (lines.next()) {
      const std::string_view line = lines.line();
      if (line.starts_with('#') && (is_table_header(line) || line.starts_with("#bytes #rep"))) {
        return lines.quoted();
      }
    }
  }
  return std::nullopt;
}

void add_context(std::vector<SuiteRun>& runs, std::vector<TextLine> log_lines) {
  std::ranges::sort(log_lines, {}, &TextLine::number);
  std::vector<SuiteRun*> ordered;
  for (SuiteRun& run : runs) ordered.push_back(&run);
  const auto first_row = [](const SuiteRun* run) {
    return run->first_row > 0 ? run->first_row : run->begin_line;
  };
  std::ranges::stable_sort(ordered, {}, first_row);
  std::vector<std::vector<std::string>> gaps(ordered.size() + 1);
  std::size_t gap = 0;
  for (const TextLine& line : log_lines) {
    while (gap < ordered.size() && line.number > first_row(ordered[gap])) ++gap;
    const bool is_within = gap > 0 && line.number < ordered[gap - 1]->last_row;
    if (!is_within) gaps[gap].emplace_back(line.text);
  }
  for (auto& lines : gaps) {
    constexpr std::size_t most = 400;
    if (lines.size() > most) lines.erase(lines.begin(), lines.end() - most);
    std::erase_if(lines, [](const std::string& line) { return is_message(line); });
  }
  remove_ends(gaps);
  LinesInForce in_force;
  for (std::size_t run = 0; run < ordered.size(); ++run) {
    if (!gaps[run].empty()) in_force.enter(gaps[run]);
    ordered[run]->context = in_force.texts();
  }
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
    const std::size_t end = std::min({line.find("  "), line.find('\t'), line.size()});
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
  end();
  first_ = run.figures.size();
  known_.clear();
  has_ended_ = false;
}

void TableRows::end() {
  for (const TextWithin& text : text_) lines_.note_log_line(text.line);
  text_.clear();
}

void TableRows::leave_out_text(SuiteRun& run) {
  for (const TextWithin& text : text_) run.left_out.add(text.quoted + ": " + escaped(text.why));
  text_.clear();
}

std::optional<std::vector<std::string>> TableRows::no_row(SuiteRun& run, const std::string& why,
                                                          bool is_text) {
  if (is_text && !lines_.is_cut()) {
    text_.push_back({.line = lines_.current(), .quoted = lines_.quoted(), .why = why});
  } else {
    leave_out_text(run);
    leave_out(run, why);
  }
  return std::nullopt;
}

std::optional<std::vector<std::string>> TableRows::row(SuiteRun& run, RowShape shape) {
  std::vector<std::string> cells = words(lines_.line());
  odd_cell_.clear();
  if (cells.size() > shape.words && (shape.has_further || is_remark(cells[shape.words]))) {
    cells.resize(shape.words);
  }
  if (cells.empty()) {
    has_ended_ = true;
    return std::nullopt;
  }
  const bool fits = cells.size() == shape.words;
  const bool is_text =
      !is_like_row(cells) && !(fits && cells.size() == 1 && begins_number(cells[0]));
  const bool is_row = fits && std::isdigit(static_cast<unsigned char>(cells[0][0])) != 0;
  if (has_ended_ && !is_like_figures(cells) && (is_text || !is_row)) {
    lines_.note_log_line();
    return std::nullopt;
  }
  if (!fits) {
    return no_row(run,
                  fmt::format("it has {} word{}, the table {} columns", cells.size(),
                              cells.size() == 1 ? "" : "s", shape.words),
                  is_text);
  }
  if (is_text) return no_row(run, fmt::format("'{}' is no size", cells[0]), true);
  leave_out_text(run);
  if (!lines_.is_cut()) return cells;
  return no_row(run, "the file ends in this row, whose last number may be cut", false);
}

void TableRows::leave_out_unread(SuiteRun& run, const std::string& why) {
  if (is_like_figures(words(lines_.line()))) {
    leave_out(run, why);
  } else {
    lines_.note_log_line();
  }
}

std::optional<double> TableRows::figure(const std::string& cell) {
  const auto found = positive_in(cell);
  if (!found && cell != "N/A" && as_number<double>(cell) != 0.0) odd_cell_ = cell;
  return found;
}

void TableRows::take(SuiteRun& run, std::vector<SuiteFigure> figures) {
  if (!odd_cell_.empty()) {
    leave_out(run, fmt::format("'{}' is no time or rate", odd_cell_));
  } else if (figures.empty()) {
    leave_out(run, "none of its figures is above 0");
  }
  lines_.note_row(run);
  for (const SuiteFigure& figure : figures) {
    for (const std::size_t place : known_[key_of(figure.point)]) {
      if (run.figures[place].point == figure.point) {
        return leave_out(run, "its table has this size already");
      }
    }
  }
  for (SuiteFigure& figure : figures) {
    known_[key_of(figure.point)].push_back(run.figures.size());
    run.figures.push_back(std::move(figure));
  }
}

void TableRows::leave_out(SuiteRun& run, const std::string& why) const {
  run.left_out.add(lines_.quoted() + ": " + escaped(why));
}

void TableReader::add_time(Point point, std::optional<double> microseconds, const std::string& work,
                           std::int64_t counted, bool is_corrupt) {
  if (!microseconds) return;
  if (!work.empty()) point.parameters[work_parameter] = work;
  figures_.push_back({std::move(point), *microseconds / 1e6, counted, is_corrupt});
}

void note_remark(SuiteRun& run, const Lines& lines) {
  run.not_understood.add(lines.quoted());
  std::string& all = run.facts["header"];
  all += (all.empty() ? "" : " ") + operation_name(trimmed(lines.line().substr(1)));
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

std::string datatype_name(std::string_view printed) {
  std::string_view plain = trimmed(printed);
  if (plain.ends_with('.')) plain.remove_suffix(1);
  if (plain.starts_with("MPI_")) plain.remove_prefix(4);
  return operation_name(plain);
}

bool is_reduction(std::string_view operation) {
  return operation.find("reduce") != std::string_view::npos || operation.ends_with("accumulate");
}

void add_datatype(Point& point, const std::string& datatype, const std::string& reduction) {
  const bool reduces = is_reduction(point.operation);
  const bool is_bytes = datatype == "byte" || datatype == "char";
  if (!datatype.empty() && (reduces || !is_bytes)) point.parameters["datatype"] = datatype;
  if (!reduction.empty() && reduces) point.parameters["operator"] = reduction;
}

}  // namespace hockney::imports
