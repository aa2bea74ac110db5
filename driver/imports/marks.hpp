#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hockney::imports {

/// A word around a run that may distinguish it from others: of a line of its log, its command or
/// its file's name. Dates, durations and numbers that count repetitions are no marks.
struct Mark {
  std::string text;
  /// If not empty, the text ends with a number without meaning of its own ("lat-2"). It counts
  /// repetitions, depending on the other numbers of this family.
  std::string family{};
  std::int64_t number = 0;
  bool counts_from_one = false;  ///< only numbers from 0 or 1 on, or above 1000, count repetitions
};

std::vector<Mark> marks_of_line(std::string_view line);
/// Of the arguments of a benchmark; sizes and numbers of repetitions are none.
std::vector<Mark> marks_of_command(const std::vector<std::string>& words);
/// Of a file's name without its folders.
std::vector<Mark> marks_of_file(std::string_view name);

/// Whether the numbers of a family count repetitions: 1, 2, 3, or jobs; not 2, 4, 8.
bool are_counters(const std::vector<std::int64_t>& sorted, bool counts_from_one);

/// Whether a word before a number makes it a counter: "run", "job", "launch".
bool is_counter_word(std::string_view word);

/// The text without dates and times.
std::string without_dates(std::string_view text);

}  // namespace hockney::imports
