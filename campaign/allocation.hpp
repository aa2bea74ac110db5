#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.hpp"

namespace hockney::campaign {

/// What Slurm has given the job that this process is part of.
struct Allocation {
  std::string job;
  std::vector<std::string> nodes;     ///< none where they cannot be told
  std::optional<int> tasks_of_first;  ///< ranks that launchers put on the first node, if known
  std::optional<Seconds> time_left;   ///< nullopt: without limit, or not known

  friend bool operator==(const Allocation&, const Allocation&) = default;
};

/// What squeue prints for a job in this format; empty where it cannot be asked.
using JobQuery = std::function<std::string(const std::string& job, const std::string& format)>;

/// By the variables of the environment, and for the time that is left by `ask`; nullopt outside of
/// any allocation.
std::optional<Allocation> current_allocation(const JobQuery& ask);

/// The fewest ranks of which some are on another node than the first, which launchers fill before
/// the next; 0 where there is no other.
int fewest_across_nodes(const Allocation& allocation);

/// Asks squeue, which has ten seconds.
std::string query_job(const std::string& job, const std::string& format);

/// A time as Slurm writes it: "59:03", "1:00:00", "2-03:04:05"; nullopt for all else, such as
/// "UNLIMITED".
std::optional<Seconds> parse_slurm_time(std::string_view text);

/// When a campaign must have ended by itself, before its job is ended.
struct Deadline {
  std::string job;
  std::chrono::steady_clock::time_point at;
};

/// A little before the end of the allocation; nullopt where that has no end.
std::optional<Deadline> deadline_of(const Allocation& allocation);

/// Why no further launch is begun, the longest so far having taken so long: it would not end in
/// time. nullopt where it would.
std::optional<std::string> why_too_late(const std::optional<Deadline>& deadline, Seconds longest);

}  // namespace hockney::campaign
