#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "health/detection/check.hpp"
#include "verdicts/fleet/fleet.hpp"
#include "verdicts/fleet/links.hpp"
#include "health/history/database.hpp"
#include "health/report/health_report.hpp"

namespace hockney::health {

struct JudgingOptions {
  CheckOptions check;  ///< what was accepted and when was maintenance: of the history
  fleet::FleetOptions fleet;
  std::size_t nights_back = 730;      ///< of the history that are read for series
  std::size_t link_nights_back = 31;  ///< of a point, for nodes and links that stay slow
  std::string series = "*";           ///< that are judged; controls are read in any case
};

/// Judges the newest night of the history that does not lie in the future, or the one of
/// `check.today`. InputError for a history without such nights, or without that one. Series are
/// read in portions, so memory does not grow with their number.
Report judge(const HistoryDatabase& database, JudgingOptions options);

/// The day that is judged: the wanted one, or the newest that does not lie in the future.
/// InputError when the history has no such night.
std::int64_t judged_day(const HistoryDatabase& database, std::optional<std::int64_t> wanted);

/// The options of a check of that day, with the history's accepted shifts and maintenance.
CheckOptions with_remarks(const HistoryDatabase& database, CheckOptions options,
                          std::int64_t today);

}  // namespace hockney::health
