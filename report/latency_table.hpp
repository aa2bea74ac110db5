#pragma once

#include <ostream>
#include <vector>

#include "report/rows.hpp"

namespace hockney {

/// A table for each curve: bytes, time of one operation [us] with its interval over launches, half
/// the interval's width in percent of the time, bandwidth [MB/s = 1e6 B/s], launches and flags.
/// Where there is no interval a line says why; points nobody measured are listed with the reason.
void print_latency_tables(std::ostream& out, const std::vector<Row>& rows);

}  // namespace hockney
