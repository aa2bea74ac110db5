#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "history/database.hpp"
#include "report/health_report.hpp"
#include "verdicts/health/check.hpp"
#include "verdicts/health/fleet.hpp"
#include "verdicts/health/links.hpp"

namespace hockney {

struct JudgingOptions {
  CheckOptions check;  ///< what was accepted and when was maintenance: of the history
  FleetOptions fleet;
  std::int64_t days_back = 730;      ///< of the history that are read for series
  std::int64_t link_days_back = 30;  ///< for links that stay slow
  std::string series = "*";          ///< that are judged; controls are read in any case
};

/// Judges the newest night of the history, or the one of `check.today`. InputError for a history
/// without nights, or without that one. Series are read in portions, so memory does not grow with
/// their number.
HealthReport judge(const HistoryDatabase& database, JudgingOptions options);

/// Calls `work` with portions of the series of the history, the controls of all in each of them,
/// and how many of them are such.
void for_each_portion(
    const HistoryDatabase& database, const JudgingOptions& options,
    const std::function<void(const std::vector<NightlySeries>&, std::size_t controls)>& work);

/// Accepted shifts and maintenance as a check takes them, and the day it judges.
CheckOptions with_remarks(const HistoryDatabase& database, CheckOptions options);

}  // namespace hockney
