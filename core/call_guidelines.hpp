#pragma once

#include <string>
#include <vector>

#include "core/guideline.hpp"

namespace hockney {

/// The guidelines between two calls of MPI that are timed anyway, without mock-ups.
std::vector<Guideline> guidelines_between_calls();

/// Those of one operation with itself: between sizes, and between numbers of ranks. One that can
/// work in place is held against itself out of place.
std::vector<Guideline> unary_guidelines(const std::string& operation, bool has_in_place);

}  // namespace hockney
