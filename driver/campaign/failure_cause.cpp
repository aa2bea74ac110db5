#include "driver/campaign/failure_cause.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <optional>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/text.hpp"

namespace hockney::campaign {
namespace {

constexpr std::size_t longest_cause = 400;

/// How well a statement explains a failure, the best first.
enum class Weight { own_error, cause, error, signal, program, job_end, nothing };

struct Statement {
  Weight weight = Weight::nothing;
  std::string text;
};

using Lines = std::vector<std::string>;

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string_view behind(std::string_view text, std::string_view part) {
  const std::size_t at = text.find(part);
  return at == std::string_view::npos ? text : text.substr(at + part.size());
}

/// A substring and the weight of lines with it.
struct CausePattern {
  std::string_view part;
  Weight weight;
};

// Texts of Open MPI 4.1 and 5.0, MPICH 4 and 5, Intel MPI 2021, Slurm 22 and the GNU loader. The
// first match counts.
constexpr std::array line_patterns{
    CausePattern{"more process has sent help message", Weight::nothing},
    CausePattern{"more processes have sent help message", Weight::nothing},
    CausePattern{"_base_help_aggregate", Weight::nothing},
    CausePattern{"*** Process received signal", Weight::nothing},
    CausePattern{"*** End of error message", Weight::nothing},
    CausePattern{"*** reported by process", Weight::nothing},
    CausePattern{"*** on ", Weight::nothing},
    CausePattern{"*** Unknown error", Weight::nothing},
    CausePattern{"*** MPI_ERR", Weight::nothing},  // it belongs to "An error occurred"
    CausePattern{"***    and ", Weight::nothing},
    CausePattern{"Signal code: ", Weight::nothing},
    CausePattern{"Failing at address: ", Weight::nothing},
    CausePattern{"==== backtrace ", Weight::nothing},
    CausePattern{"This typically refers to a problem", Weight::nothing},
    CausePattern{"Please see the FAQ page", Weight::nothing},
    CausePattern{"--help' for usage", Weight::nothing},
    CausePattern{"Job step aborted: Waiting", Weight::job_end},
    CausePattern{"Fatal error in ", Weight::cause},
    CausePattern{" has fallback", Weight::cause},  // Intel MPI ends with an assertion about it
    CausePattern{"error while loading shared libraries", Weight::cause},
    CausePattern{"symbol lookup error", Weight::cause},
    CausePattern{"execvp error on file", Weight::cause},
    CausePattern{"execve", Weight::cause},
    CausePattern{"oom-kill", Weight::cause},
    CausePattern{"Out Of Memory", Weight::cause},
    CausePattern{"DUE TO TIME LIMIT", Weight::cause},
    CausePattern{"Exited with exit code", Weight::job_end},
    CausePattern{"application called MPI_Abort", Weight::job_end},
    CausePattern{"In: PMI_Abort", Weight::job_end},
    CausePattern{"Assertion failed in file", Weight::cause},
    CausePattern{"*** An error occurred in ", Weight::error},
    CausePattern{"Signal: ", Weight::signal},
    CausePattern{"Caught signal ", Weight::signal},
    CausePattern{"EXIT STRING: ", Weight::signal},
    CausePattern{"Segmentation fault", Weight::signal},
    CausePattern{"Bus error", Weight::signal},
    CausePattern{"Abort(", Weight::error},
    CausePattern{"ORTE_ERROR_LOG", Weight::error},
    CausePattern{"PMIX ERROR", Weight::error},
    CausePattern{"[mpiexec@", Weight::error},
    CausePattern{"[proxy:", Weight::error},
    CausePattern{"srun: error: ", Weight::error},
    CausePattern{"slurmstepd: error: ", Weight::error}};

/// Texts between rulers that follow every failed job, or that are no failure.
constexpr std::array ruled_patterns{CausePattern{"exited on signal", Weight::signal},
                                    CausePattern{"MPI_INIT has failed", Weight::error},
                                    CausePattern{"It looks like", Weight::error},
                                    CausePattern{"WARNING", Weight::job_end},
                                    CausePattern{"MPI_ABORT was invoked", Weight::job_end},
                                    CausePattern{"Primary job", Weight::job_end},
                                    CausePattern{"exited with non-zero status", Weight::job_end},
                                    CausePattern{"BAD TERMINATION", Weight::job_end}};

template <std::size_t Count>
std::optional<Weight> weight_of(std::string_view text,
                                const std::array<CausePattern, Count>& patterns) {
  const auto* const found = std::ranges::find_if(
      patterns, [&](const CausePattern& pattern) { return has(text, pattern.part); });
  return found == patterns.end() ? std::nullopt : std::optional(found->weight);
}

bool says_something(std::string_view line) {
  return line.find_first_not_of(" \t\r-=") != std::string_view::npos;
}

/// ASCII without runs of blanks: bytes above 127 may be part of a truncated UTF-8 character.
std::string plain(std::string_view text) {
  std::string kept;
  for (const char c : text) {
    const bool is_blank = c <= ' ' || c > '~';
    if (!is_blank) kept += c;
    if (is_blank && (c == ' ' || c == '\t') && !kept.empty() && kept.back() != ' ') kept += ' ';
  }
  while (kept.ends_with(' ')) kept.pop_back();
  return kept;
}

/// "rank 3: ..." of a program that ends its job, "hockney-rma: ...".
bool is_own_error(std::string_view line) {
  constexpr std::string_view rank = "rank ";
  if (line.starts_with(rank)) {
    const std::size_t end = line.find_first_not_of("0123456789", rank.size());
    return end != std::string_view::npos && end > rank.size() && line.substr(end, 2) == ": ";
  }
  return line.starts_with("hockney") && has(line.substr(0, line.find(' ')), ":");
}

/// "[node3:812] " before what Open MPI prints, "[node3:812:0:812] " of UCX.
std::string_view without_process(std::string_view line) {
  const std::size_t end = line.find("] ");
  const bool is_process = line.starts_with('[') && end != std::string_view::npos &&
                          has(line.substr(0, end), ":") && !line.starts_with("[proxy");
  return is_process ? line.substr(end + 2) : line;
}

/// "[ 0] /lib/libc.so.6(+0x3c050)[0x7f]" or " 0  /lib/libc.so.6(+0x3c050) [0x7f]".
bool is_stack_frame(std::string_view line) {
  const std::size_t digit = line.find_first_not_of("[ ");
  if (digit == std::string_view::npos || std::isdigit(line[digit]) == 0) return false;
  const std::size_t end = line.find_first_not_of("0123456789", digit);
  return has(line, "[0x") && end != std::string_view::npos &&
         (line[end] == ' ' || line[end] == ']');
}

/// The last line of the error stack below "Fatal error in MPI_X: ..., error stack:", whose lines
/// are "function(line)....: text"; `line` is moved to it.
std::string root_of_stack(const Lines& lines, std::size_t& line) {
  std::string root;
  for (std::size_t next = line + 1; next < lines.size(); ++next) {
    const std::string_view text = lines[next];
    const std::size_t open = text.find('(');
    const bool is_level = open != std::string_view::npos && open > 0 && open + 1 < text.size() &&
                          std::isdigit(text[open + 1]) != 0;
    const std::size_t colon = text.find(':', open == std::string_view::npos ? 0 : open);
    if (!is_level || colon == std::string_view::npos) break;
    if (std::string said = plain(text.substr(colon + 1)); !said.empty()) root = std::move(said);
    line = next;
  }
  return root;
}

/// The class of error that Open MPI prints some lines below "*** An error occurred in MPI_X".
std::string error_class(const Lines& lines, std::size_t line) {
  constexpr std::size_t reach = 4;
  for (std::size_t next = line + 1; next < lines.size() && next <= line + reach; ++next) {
    const std::size_t at = lines[next].find("*** MPI_ERR_");
    if (at != std::string::npos) return plain(std::string_view(lines[next]).substr(at + 4));
  }
  return {};
}

/// The statement at a line outside of rulers, which may span lines; moves `line` to its last one.
Statement statement_at(const Lines& lines, std::size_t& line) {
  const std::string& whole = lines[line];
  if (!says_something(whole) || is_stack_frame(without_process(whole))) return {};
  if (is_own_error(whole)) return {Weight::own_error, plain(whole)};
  const Weight weight = weight_of(whole, line_patterns).value_or(Weight::program);
  std::string text = plain(without_process(whole));
  constexpr std::string_view fatal = "Fatal error in ";
  constexpr std::string_view stack = ", error stack:";
  if (const std::size_t at = text.find(fatal); at != std::string::npos) {
    text.erase(0, at);
    if (text.ends_with(stack)) {
      text.resize(text.size() - stack.size());
      if (const std::string root = root_of_stack(lines, line); !root.empty()) text += ": " + root;
    }
  }
  if (text.starts_with("*** ")) {
    text.erase(0, 4);
    if (const std::string known = error_class(lines, line); !known.empty()) text += ": " + known;
  }
  if (weight == Weight::signal) text = plain(behind(behind(text, "EXIT STRING: "), "Signal: "));
  return {weight, std::move(text)};
}

/// Launchers print messages about a failed job between two long rulers: Open MPI of '-', Hydra of
/// '='.
bool is_ruler(std::string_view line) {
  constexpr std::size_t shortest = 40;
  return line.size() >= shortest &&
         line.find_first_not_of(line.front() == '=' ? "=" : "-") == std::string_view::npos;
}

/// Whether the line is srun's own message about a failed task.
bool is_of_slurm(std::string_view line) {
  return line.starts_with("srun: ") || line.starts_with("slurmstepd: ");
}

/// The first and the last sentence of a long paragraph: Open MPI names the failure first and its
/// usual cause last.
std::string in_short(const std::string& paragraph) {
  constexpr std::size_t long_enough = 220;
  if (paragraph.size() <= long_enough) return paragraph;
  const std::size_t first = paragraph.find(". ");
  if (first == std::string::npos) return paragraph;
  const std::size_t last = paragraph.rfind(". ", paragraph.size() - 2);
  if (last == first) return paragraph;
  return fmt::format("{} ... {}", paragraph.substr(0, first + 1), paragraph.substr(last + 2));
}

/// Whether the line is a fact like "Component: tcp", not a sentence.
bool is_fact(std::string_view line) {
  const std::size_t colon = line.find(": ");
  return colon != std::string_view::npos && line.find_first_of("(.,*\"") > colon &&
         std::ranges::count(line.substr(0, colon), ' ') < 3;
}

/// A text between two rulers.
Statement ruled_statement(const Lines& lines) {
  std::string first;
  Lines facts;
  bool is_first = true;
  for (const std::string& line : lines) {
    const std::string text = plain(line);
    if (!says_something(text)) {
      is_first = is_first && first.empty();
    } else if (is_first) {
      first += (first.empty() ? "" : " ") + text;
    } else if (is_fact(text)) {
      facts.push_back(text);
    }
  }
  while (first.starts_with('=') || first.starts_with(' ')) first.erase(0, 1);
  if (first.empty()) return {};
  const Weight weight = weight_of(first, ruled_patterns).value_or(Weight::cause);
  std::string text = in_short(first);
  const bool adds_facts = weight == Weight::cause && !facts.empty();
  if (adds_facts) text += fmt::format(" ({})", join(facts, ", "));
  return {weight, std::move(text)};
}

/// All statements in the order of the log.
std::vector<Statement> statements_in(const Lines& lines) {
  std::vector<Statement> statements;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (!is_ruler(plain(lines[line]))) {
      statements.push_back(statement_at(lines, line));
      continue;
    }
    Lines ruled;
    while (++line < lines.size() && !is_ruler(plain(lines[line]))) ruled.push_back(lines[line]);
    statements.push_back(ruled_statement(ruled));
  }
  std::erase_if(statements, [](const Statement& one) {
    return one.text.empty() || one.weight == Weight::nothing;
  });
  return statements;
}

/// The words of a reason without numbers and without text in brackets.
std::string kind_of_failure(std::string_view reason) {
  std::string kind(reason.substr(0, reason.find(" (")));
  std::erase_if(kind, [](char c) { return c >= '0' && c <= '9'; });
  return kind;
}

/// The last bytes of a file; logs of faulty jobs can be large.
std::string last_bytes(const std::string& file, std::streamoff count) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return {};
  const std::streamoff size = in.tellg();
  in.seekg(std::max<std::streamoff>(0, size - count));
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Bytes above 127 may be cut within a character of UTF-8, which JSON cannot hold.
bool is_plain(char c) { return c >= ' ' && c <= '~'; }

std::vector<std::string> reporting_lines(const std::string& text, std::size_t longest) {
  std::vector<std::string> all;
  std::vector<std::string> of_program;
  bool fenced = false;
  for (std::string& line : split(text, '\n')) {
    std::erase_if(line, [](char c) { return !is_plain(c); });
    if (is_ruler(line)) fenced = !fenced;
    if (line.find_first_not_of(" -=") == std::string::npos) continue;
    if (line.size() > longest) line.resize(longest);
    if (!fenced && !is_of_slurm(line)) of_program.push_back(line);
    all.push_back(std::move(line));
  }
  return of_program.empty() ? all : of_program;
}

}  // namespace

std::string failure_cause(std::string_view log) {
  const std::vector<Statement> statements = statements_in(split(log, '\n'));
  if (statements.empty()) return {};
  const auto best = std::ranges::min_element(statements, {}, &Statement::weight);
  std::string text = best->text;
  if (best->weight == Weight::program) {  // its last line has the reason
    const auto last =
        std::find_if(statements.rbegin(), statements.rend(),
                     [](const Statement& one) { return one.weight == Weight::program; });
    text = last->text;
  }
  if (text.size() > longest_cause) text = text.substr(0, longest_cause - 3) + "...";
  return text;
}

std::string failure_cause_in_file(const std::string& log_file) {
  constexpr std::streamoff most_bytes = 65536;
  return failure_cause(last_bytes(log_file, most_bytes));
}

std::string log_text(const std::string& log_file) {
  std::error_code unreachable;
  return std::filesystem::exists(log_file, unreachable) ? read_file(log_file) : std::string();
}

std::vector<std::string> last_lines(const std::string& log_file, std::size_t count,
                                    std::size_t longest) {
  constexpr std::streamoff read_bytes = 8192;
  std::vector<std::string> lines = reporting_lines(last_bytes(log_file, read_bytes), longest);
  if (lines.size() > count) lines.erase(lines.begin(), lines.end() - static_cast<long>(count));
  return lines;
}

bool is_same_failure(std::string_view one, std::string_view other) {
  return kind_of_failure(one) == kind_of_failure(other);
}

}  // namespace hockney::campaign
