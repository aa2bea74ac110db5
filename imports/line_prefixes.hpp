#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace hockney::imports
