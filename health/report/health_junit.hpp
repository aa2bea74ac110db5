#pragma once

#include <vector>

#include "health/report/health_report.hpp"
#include "report/junit.hpp"

namespace hockney {

/// One case for the state of the night, and one for each series, node and slow link. Regressions
/// and named nodes and links fail, with what is known of them; undecided ones are skipped with the
/// reason.
std::vector<JUnitSuite> health_junit(const HealthReport& report);

/// What there is to say of a verdict beside its line: baseline and value, controls, environment,
/// notes; one a line.
std::vector<std::string> evidence_lines(const JudgedSeries& judged);

}  // namespace hockney
