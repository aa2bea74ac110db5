#pragma once

#include <cstddef>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

#include "core/atomic_file.hpp"
#include "core/error.hpp"

namespace hockney {

/// Whether what goes to this descriptor may have colours: to a terminal alone, and not where
/// NO_COLOR is set to anything (no-color.org) or TERM says that there are none.
bool may_color(int descriptor);

/// Whole lines with colours for terminals that have eight: the words of verdicts ("slower",
/// "violated", "regressed" red; "faster", "satisfied" green; "undecided" yellow), and the labels
/// "reliability" and "next" bold. Commands stay as they are. Without its escape sequences it is the
/// same text.
std::string colored(std::string_view text);

/// Whose stdout it is: programs in one process, as of a simulator, cannot each take std::cout over.
enum class StdoutOwner { program, several };

/// Whether words of verdicts have colours where stdout is a terminal that takes them. Not of MPI
/// programs: launchers give ranks terminals whose output goes to files.
enum class OutputColors { none, terminal };

/// What std::cout writes to as long as this lives: stdout, every text inert, checked when the
/// program ends. A closed stdin, stdout or stderr is taken by /dev/null, so that no file of the
/// program gets into its place; what is printed to a closed stdout counts as not written. Neither a
/// reader that went away, as `| head` does, nor a limit on the size of files ends the program in
/// the middle of its work.
class StandardOutput : private DescriptorBuffer {
 public:
  explicit StandardOutput(StdoutOwner owner = StdoutOwner::program,
                          OutputColors colors = OutputColors::none);
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;
  StandardOutput(StandardOutput&&) = delete;
  StandardOutput& operator=(StandardOutput&&) = delete;
  ~StandardOutput() override;

  /// Flushes for good. Why not all that was printed is written; nullopt when it is, and when the
  /// reader of a pipe went away, who wants no more.
  std::optional<std::string> failure();

  /// Ends the program that would end with `code`. When not all that was printed is written, one
  /// line says so, and what was good or a verdict becomes a failed run; `kept` says where the work
  /// is then. A good end whose reader went away is one by SIGPIPE, as of other tools.
  int finish(ExitCode code, const std::string& kept = "");

 private:
  std::string take(std::string& pending) override;

  std::streambuf* before_;  ///< what std::cout has when this does not; null: it never has this
  bool ends_by_pipe_;  ///< SIGPIPE would have ended the program: nobody asked for an error instead
  bool has_colors_;    ///< text is written in whole lines then
  bool is_last_ = false;
};

/// How wide what is printed may be: what $COLUMNS says, else the terminal behind the descriptor;
/// nullopt where it is no terminal.
std::optional<std::size_t> output_columns(int descriptor = 1);

}  // namespace hockney
