#pragma once

#include <cstddef>
#include <set>

#include "verdicts/matching.hpp"
#include "verdicts/multiplicity.hpp"

namespace hockney::verdicts {

// Comparisons of launches on a machine with several states: only launches of one state are
// compared.

/// Numbers of machine states (Record::state).
using States = std::set<int>;

/// Whether the launches of both sides are in several known states.
bool has_states(const MatchedPoint& point);

/// The states in which both sides have launches; empty without several states.
States common_states(const MatchedPoint& point);

/// The launches of both sides in these states, as logarithms without the location of their state.
/// The median difference of the sides within states remains. Launches are numbered within side and
/// state, which is their stratum.
Contrast stratified(const MatchedPoint& point, const States& states, std::size_t sides);

/// The launches of a side in the state that most launches of both sides share; all if `states` is
/// empty.
SideTimes in_usual_state(const SideTimes& side, const MatchedPoint& point, const States& states);

}  // namespace hockney::verdicts
