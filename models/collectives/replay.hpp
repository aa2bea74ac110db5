#pragma once

#include <vector>

#include "models/collectives/hop_costs.hpp"
#include "models/schedules/schedule.hpp"

namespace hockney::collectives {

/// The time from the moment all ranks begin to the moment the last one ends [s]: a max-plus replay
/// in which a message starts when both ranks are ready for it, takes the alpha and beta of its hop
/// class, and waits for the ports of its ranks and for the channel of its sites, which carry one
/// message after the other. `gamma_seconds_per_byte` is the cost of combining [s/B]. RunError where
/// ranks wait for each other for ever.
double replay(const schedules::Schedule& schedule, const RankNetwork& network,
              double gamma_seconds_per_byte = 0);

}  // namespace hockney::collectives
