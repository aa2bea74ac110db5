#pragma once

#include <string>
#include <string_view>

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

/// Launchers print messages about a failed job between two long rulers: Open MPI of '-', Hydra of
/// '='.
bool is_ruler(std::string_view line);

/// Whether the line is srun's own message about a failed task.
bool is_of_slurm(std::string_view line);

}  // namespace hockney::campaign
