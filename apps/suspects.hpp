#pragma once

#include <optional>
#include <span>
#include <string>

#include "campaign/config.hpp"
#include "core/record.hpp"
#include "verdicts/fleet/host_pairs.hpp"

namespace hockney::apps {

/// Repetitions of each suspect that `hockney health check --again` needs to judge it.
inline constexpr int usual_repetitions = 3;

/// Makes of a campaign between pairs of nodes the one that measures again, the same night: only the
/// suspects among the links of its records below `folder`, and as many links beside them that were
/// as expected, under its first setting. Where its ranks have to run, since pairs are named by
/// ranks; nullopt, and the config as it was, when no link is suspect. InputError for a sweep, for
/// records of another campaign, for launches that did not have their ranks on the same hosts, and
/// where no fleet can be judged.
std::optional<fleet::HostsOfRanks> restrict_to_suspects(campaign::Config& config,
                                                         const std::string& folder);

/// RunError when a rank of one of the records ran elsewhere: other links than the suspects have
/// been measured.
void require_hosts(std::span<const Record> records, const fleet::HostsOfRanks& hosts);

}  // namespace hockney::apps
