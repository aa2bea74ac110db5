#pragma once

#include <ostream>
#include <vector>

#include "report/rows.hpp"

namespace hockney {

/// A table for each curve: bytes, time of one operation [us] with its interval over launches, half
/// the interval's width in percent of the time, bandwidth [MB/s = 1e6 B/s], launches and flags; of
/// collectives the bandwidth of the busiest rank, too.
/// Where ranks begin together, their skew in percent of the time; where their own times were
/// recorded, the shortest and the longest of any rank; with `tails` high quantiles, "-"
/// where a launch has too few samples for one. Notes follow (report/curve_notes.hpp); points nobody
/// measured are listed with the reason.
void print_latency_tables(std::ostream& out, const std::vector<Row>& rows, bool tails = false);

}  // namespace hockney
