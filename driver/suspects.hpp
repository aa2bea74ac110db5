#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/record.hpp"
#include "driver/campaign/config.hpp"
#include "verdicts/fleet/fleet.hpp"

namespace hockney::driver {

/// Repetitions of each suspect that `hockney health check --again` needs for a verdict.
inline constexpr int usual_repetitions = 3;

/// Changes a campaign between pairs of nodes into one that measures again in the same night, under
/// its first setting. It measures only the suspects among the links of the records below `folder`,
/// and as many links that were as expected. Returns the hosts of its ranks, as pairs are named by
/// ranks. nullopt without suspects, with the config unchanged. InputError for:
/// - a sweep, or records of another campaign;
/// - launches with ranks on different hosts;
/// - records that allow no verdict on a fleet.
std::optional<fleet::HostsOfRanks> restrict_to_suspects(campaign::Config& config,
                                                        const std::string& folder);

/// RunError if a rank of a record ran on another host: then other links than the suspects were
/// measured.
void require_hosts(std::span<const Record> records, const fleet::HostsOfRanks& hosts);

}  // namespace hockney::driver
