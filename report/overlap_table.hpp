#pragma once

#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "core/statistics.hpp"

namespace hockney {

/// How much of a nonblocking operation goes on beside other work.
struct OverlapRow {
  Point point;                         ///< without the work
  std::string setting;                 ///< empty outside campaigns
  std::string tests;                   ///< calls of MPI_Test in the work
  std::optional<double> pure_seconds;  ///< of the operation without work
  std::optional<double> work_seconds;  ///< of the work without the operation
  std::optional<double> both_seconds;  ///< of both at once
  std::vector<double> overlaps;        ///< 1 - (both - work) / pure, one for each launch
  std::optional<double> overlap;       ///< median of these; as it is: below 0 where both at once
                                       ///< take longer than one after the other
  std::optional<Interval> interval;    ///< exact, over launches; needs six
};

/// A row for every point that was measured with work during it. Overlaps are of the medians of one
/// launch. Only complete launches count.
std::vector<OverlapRow> overlap_rows(std::span<const Record> records, double level = default_level);

/// A table for each curve of a nonblocking operation: bytes, calls of MPI_Test, the times of the
/// operation, of the work and of both at once [us], and the share of the operation that the work
/// hides, with its interval over launches; "-" for what is not known.
void print_overlap_tables(std::ostream& out, const std::vector<OverlapRow>& rows);

}  // namespace hockney
