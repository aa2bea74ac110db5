#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hockney {

/// Fields of /proc/PID/stat, numbered as in proc(5).
struct ProcessStat {
  enum Field : std::size_t {
    state = 3,
    parent = 4,
    flags = 9,
    user_ticks = 14,
    system_ticks = 15,
    last_cpu = 39
  };

  std::string command;              ///< cut by the kernel at 15 characters
  std::vector<std::string> fields;  ///< from the third on

  /// 0 for a field that is missing or no number.
  [[nodiscard]] std::int64_t number(Field field) const;
  /// "R" while it runs or could run, "Z" for a zombie; empty if missing.
  [[nodiscard]] std::string state_letter() const;
};

/// nullopt if the file cannot be read or has another form.
std::optional<ProcessStat> read_process_stat(const std::string& file);

}  // namespace hockney
