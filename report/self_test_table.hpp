#pragma once

#include <ostream>

#include "verdicts/self_test.hpp"

namespace hockney {

/// False alarms, power and coverage in per cent with their intervals, one line each.
void print_self_test(std::ostream& out, const SelfTest& test);

}  // namespace hockney
