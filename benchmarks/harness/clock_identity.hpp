#pragma once

#include <string>
#include <vector>

namespace hockney {

/// What tells the monotonic clock of this process from others: the boot of its kernel, and its time
/// namespace (time_namespaces(7): a container can be given a clock with an offset). Processes with
/// the same text read the same clock. Empty when the system does not say.
std::string clock_identity();

/// The processes that read one clock, by the position of the first of them. Those whose identity is
/// not known are alone.
std::vector<int> clock_groups(const std::vector<std::string>& identities);

}  // namespace hockney
