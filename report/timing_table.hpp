#pragma once

#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "report/rows.hpp"

namespace hockney {

/// A point as another suite would have timed it, beside hockney's own time.
struct SuiteTime {
  std::string suite;
  Row row;
  std::vector<double> ratios;              ///< suite / hockney, one for each launch with both times
  std::optional<double> ratio;             ///< median of these
  std::optional<Interval> ratio_interval;  ///< exact, over launches; needs six
};

/// One point of a campaign and what other suites would have said of it.
struct TimingRow {
  Row own;  ///< hockney's
  std::vector<SuiteTime> suites;
};

/// The rows of a campaign, parted.
struct TimedRows {
  std::vector<Row> alone;           ///< of curves that were timed in hockney's way only
  std::vector<TimingRow> compared;  ///< of the others
};

/// Rows as campaign_rows makes them and in its order, those of different timings of one point
/// together, with intervals at `level`. Ratios are paired by launch: what a launch does to all of
/// its times cancels out.
TimedRows timed_rows(std::span<const Record> records, double level = default_level);

/// A table for each curve that was timed in several ways: bytes, hockney's time of one operation
/// [us] with its interval over launches, then for each suite what it would print [us] and that
/// relative to hockney's time in the same launch, with its interval over launches; launches and
/// flags. "-" for what is not known; points nobody measured are listed with the reason.
void print_timing_tables(std::ostream& out, const std::vector<TimingRow>& rows);

}  // namespace hockney
