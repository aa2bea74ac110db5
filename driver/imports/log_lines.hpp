#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hockney::imports {

/// A command in a log that starts a benchmark ("+ mpirun -np 2 ./osu_latency"), or a heading with a
/// number of ranks.
struct LogCommand {
  std::vector<std::string> words;  ///< without prompt and traces of the shell; none of a heading
  std::size_t program_at = 0;      ///< position of the benchmark; words.size() if it is not named
  std::string program;             ///< "osu_latency"; empty if the benchmark is not named
  std::optional<int> ranks;        ///< of the launcher's options, else of a heading
  int number = 0;                  ///< its line; 0 without any
};

/// The command in a line. Lines that name a benchmark count, even without a launcher.
std::optional<LogCommand> command_in(std::string_view line);

/// The number of ranks in a heading: "16 ranks", "np = 16".
std::optional<int> ranks_in_heading(std::string_view line);

/// The line without prompts, traces of the shell and labels of processes.
std::string_view without_prompt(std::string_view line);

/// Whether the line is a message of a library or the system, a duration or a result ("Max = 11.3
/// GB/s"): it describes no run.
bool is_message(std::string_view line);

/// Lines of a log that describe the next table: headings, commands, settings. A line is in force
/// until another of its kind, or of an earlier kind, follows.
class LinesInForce {
 public:
  /// The lines between two tables.
  void enter(const std::vector<std::string>& lines);
  [[nodiscard]] std::vector<std::string> texts() const;

 private:
  struct Entry {
    std::string kind;
    std::string text;
    std::size_t gap = 0;
  };
  static constexpr std::size_t most = 48;  ///< lines in force
  /// The last lines of a gap between tables.
  [[nodiscard]] std::vector<Entry> entries_of(const std::vector<std::string>& lines) const;
  /// The entry that a line of this kind replaces, if `following` lines of its kind are to come.
  [[nodiscard]] std::optional<std::size_t> replaced(const std::string& kind,
                                                    std::size_t following) const;

  std::vector<Entry> entries_;
  std::size_t gaps_ = 0;
};

}  // namespace hockney::imports
