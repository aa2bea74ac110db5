#pragma once

#include <span>
#include <string>

#include "core/record.hpp"
#include "report/rows.hpp"
#include "report/screen.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/machine_states.hpp"

namespace hockney::report {

/// "cache line 43.0 ns" or "copy 12.1 GB/s", with the ranks unless it is the median of all.
std::string value_text(const verdicts::StateCause& cause, double value);

/// "two machine states: cache line 43.0 ns in 7 launches, 197 ns in 7".
std::string states_text(const verdicts::StateGroup& group);

/// A line for each group of launches with several machine states, with the time of one point in
/// each state: "...; pingpong at 8: 0.105 us (0.103 .. 0.111) and 0.351 us (0.350 .. 0.355)". Then
/// launches whose state changed, and launches without a free core. Empty if the records were not
/// judged (verdicts/machine_states.hpp), or nothing was found.
Lines machine_words(std::span<const Record> records, std::span<const Row> rows);

/// The states of a comparison. "the machine moved: ..." if the sides have no state in common at
/// some points; "..., compared within states" otherwise. Empty with one state.
Lines machine_words(const verdicts::CompareSet& set);

}  // namespace hockney::report
