#pragma once

#include <span>
#include <string>
#include <vector>

#include "health/detection/nightly_series.hpp"
#include "health/report/health_report.hpp"
#include "report/page/page.hpp"

namespace hockney::health {

/// The names of the series that the page of a report draws: those that changed, then others, 12 at
/// most.
std::vector<std::string> pictured_series(const Report& report);

/// The page of a night: the headline and what changed; each of `series`, up to that night, with the
/// band of its baseline, its change, changes of the environment and notes; and the nodes of each
/// point.
report::Page health_page(const Report& report, std::span<const NightlySeries> series);

}  // namespace hockney::health
