#pragma once

#include <sys/types.h>

#include <vector>

#include "core/units.hpp"

namespace hockney {

/// The processes below `ancestor`, itself excluded, zombies included, as /proc shows them now.
std::vector<pid_t> descendants(pid_t ancestor);

/// Kills (SIGKILL) and reaps everything below the calling process until nothing is left, or `limit`
/// has passed because a process hangs in the kernel. The caller must be a child subreaper
/// (PR_SET_CHILD_SUBREAPER), or processes whose parent died have escaped already. Returns how many
/// processes had to be killed.
int kill_descendants(Seconds limit);

}  // namespace hockney
