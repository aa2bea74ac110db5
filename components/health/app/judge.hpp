#pragma once

#include <cstdint>
#include <optional>

#include "components/health/app/judging_options.hpp"
#include "components/health/history/database.hpp"
#include "components/health/report/health_report.hpp"

namespace hockney::health {

/// Judges the newest night of the history up to now, or the night of `check.today`. InputError for
/// a history without such nights, or without that one. Series are read in portions, so memory does
/// not grow with their number.
Report judge(const HistoryDatabase& database, JudgingOptions options);

/// The judged day: `wanted`, or the newest up to now. InputError if the history has no such night.
std::int64_t judged_day(const HistoryDatabase& database, std::optional<std::int64_t> wanted);

/// Adds the history's accepted shifts and maintenance to the options of a check of `today`.
CheckOptions with_remarks(const HistoryDatabase& database, CheckOptions options,
                          std::int64_t today);

}  // namespace hockney::health
