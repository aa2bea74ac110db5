#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hockney::campaign {

/// The statement in a failed launch's log that explains the failure best. One line without control
/// characters; empty if the log has none.
/// Order of preference: errors of hockney's programs; the first cause that an MPI library, the
/// dynamic loader or Slurm reports; errors without a cause; signals; the program's last line; the
/// launcher's message about every failed job.
std::string failure_cause(std::string_view log);

/// failure_cause of the end of a log file; empty if the file does not exist.
std::string failure_cause_in_file(const std::string& log_file);

/// Whether two reasons name the same failure: equal up to the first bracket, except for numbers.
bool is_same_failure(std::string_view one, std::string_view other);

/// The content of a log; empty if it does not exist.
std::string log_text(const std::string& log_file);

/// The last `count` lines of a log, without blank lines and rulers. Each is cut to `longest`
/// characters and has no control characters. Empty if the log does not exist. Lines of the
/// launcher, between rulers or with its name, are used only if the program printed none.
std::vector<std::string> last_lines(const std::string& log_file, std::size_t count,
                                    std::size_t longest = 200);

}  // namespace hockney::campaign
