#pragma once

#include <string>
#include <string_view>

namespace hockney::campaign {

/// The statement in the log of a failed launch that explains the failure best, on one line and free
/// of control characters; empty when the log says nothing. In this order: errors of hockney's own
/// programs; causes that an MPI library, the dynamic loader or Slurm names (of several the first);
/// errors without a cause; signals; the last line of the program; what a launcher prints of every
/// job that failed.
std::string failure_cause(std::string_view log);

/// The same of the end of a log file; empty when there is none.
std::string failure_cause_in_file(const std::string& log_file);

/// Whether two reasons name the same failure: the same words but for numbers, up to what stands in
/// brackets.
bool is_same_failure(std::string_view one, std::string_view other);

/// Launchers put what they say about a job that failed between two long rulers: Open MPI of '-',
/// Hydra of '='.
bool is_ruler(std::string_view line);

/// Slurm's launcher says so itself when a task has failed.
bool is_of_slurm(std::string_view line);

}  // namespace hockney::campaign
