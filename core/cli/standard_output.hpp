#pragma once

#include <cstddef>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

#include "core/atomic_file.hpp"
#include "core/error.hpp"

namespace hockney {

/// Whether output to this descriptor may have colours: only on a terminal, and not if NO_COLOR is
/// set and not empty (no-color.org) or TERM names a terminal without colours.
bool may_color(int descriptor);

/// Adds colours, for terminals with eight of them, to whole lines. Words of verdicts: red for
/// "slower", "violated", "regressed"; green for "faster", "satisfied"; yellow for "undecided". The
/// labels "trust" and "next" are bold. Commands stay plain. Only escape sequences are added.
std::string colored(std::string_view text);

/// Who owns stdout. Programs in one process, as under a simulator, cannot each replace std::cout's
/// buffer.
enum class StdoutOwner { program, several };

/// Whether verdict words are coloured if stdout is a terminal with colours. MPI programs use
/// `none`: launchers give ranks terminals even if the output goes to a file.
enum class OutputColors { none, terminal };

/// Replaces the buffer of std::cout while it lives: escapes every text and checks at the end that
/// all was written. Opens /dev/null in place of a closed stdin, stdout or stderr, so that no other
/// file of the program gets that number. Text for a closed stdout counts as not written. SIGPIPE
/// (the reader has closed the pipe, as `| head` does) and SIGXFSZ (limit on file sizes) do not end
/// the program.
class StandardOutput : private DescriptorBuffer {
 public:
  explicit StandardOutput(StdoutOwner owner = StdoutOwner::program,
                          OutputColors colors = OutputColors::none);
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;
  StandardOutput(StandardOutput&&) = delete;
  StandardOutput& operator=(StandardOutput&&) = delete;
  ~StandardOutput() override;

  /// Flushes for the last time. Returns the reason if not all text was written; nullopt if all was,
  /// or if the reader has closed the pipe.
  std::optional<std::string> failure();

  /// Returns the exit code for a program that would end with `code`. If not all text was written,
  /// prints one line, which names `kept`, the place of the work; good and verdict_failed become
  /// run_failed. If the reader has closed the pipe and `code` is good, exits by SIGPIPE like other
  /// tools.
  int finish(ExitCode code, const std::string& kept = "");

 private:
  std::string take(std::string& pending) override;

  std::streambuf* before_;  ///< std::cout's own buffer; null: it is not replaced
  bool ends_by_pipe_;       ///< whether SIGPIPE had its default action, which ends the program
  bool has_colors_;         ///< text is then written in whole lines
  bool is_last_ = false;
};

/// The width of output in columns: $COLUMNS, else that of the terminal behind the descriptor;
/// nullopt if it is no terminal.
std::optional<std::size_t> output_columns(int descriptor = 1);

}  // namespace hockney
