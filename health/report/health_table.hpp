#pragma once

#include <ostream>

#include "health/report/health_report.hpp"

namespace hockney {

/// Which series have a row of their own: those that changed, or all.
enum class ShownSeries { changed, all };

/// The headline, changed series with their evidence, nodes and links that are named, what is
/// undecided and why, and the line of reason last.
void print_health_table(std::ostream& out, const HealthReport& report,
                        ShownSeries shown = ShownSeries::changed);

}  // namespace hockney
