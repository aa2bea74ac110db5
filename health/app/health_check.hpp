#pragma once

#include <string>
#include <vector>

#include "health/fleet/fleet.hpp"
#include "health/report/health_report.hpp"

namespace hockney {

/// Adds to each point of the report the suspect links that repetitions of the same night confirm:
/// records below `paths`, each launch of which is a repetition of every pair of nodes in it, under
/// whatever setting. InputError when they hold no pair of nodes at a point of the report.
void confirm_suspects(HealthReport& report, const std::vector<std::string>& paths,
                      const FleetOptions& options);

}  // namespace hockney
