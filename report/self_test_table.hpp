#pragma once

#include <ostream>

#include "verdicts/self_test.hpp"

namespace hockney {

/// False alarms, power, coverage and syncs within their bound in per cent with their intervals, one
/// line each, and how far the syncs were from the truth.
void print_self_test(std::ostream& out, const SelfTest& test);

}  // namespace hockney
