#pragma once

#include <ostream>

#include "core/record.hpp"

namespace hockney {

/// The series of one launch, a table for each curve: bytes, samples, median [us], bandwidth [MB/s =
/// 1e6 B/s]. Without an interval, because that needs several launches, and it says so.
void print_launch(std::ostream& out, const Record& record);

}  // namespace hockney
