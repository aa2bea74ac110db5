#pragma once

#include <cstdint>

namespace hockney {

/// Page faults of this process so far that needed no reading from disk (getrusage(2), ru_minflt):
/// one for each page of memory that is touched for the first time since the system gave it.
std::int64_t page_faults();

}  // namespace hockney
