#pragma once

namespace hockney {

/// What to do, in the words of drain scripts (AWS gpu-cluster-healthcheck: ISOLATE, REBOOT, RESET,
/// MONITOR), ascending. Times cannot tell what a reset would mend, so neither of those is advised.
enum class Severity { none, monitor, isolate };

}  // namespace hockney
