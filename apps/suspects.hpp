#pragma once

#include <string>

#include "campaign/config.hpp"

namespace hockney {

/// Repetitions of each suspect that `hockney health check --again` needs to judge it.
inline constexpr int usual_repetitions = 3;

/// Makes of a campaign between pairs of nodes the one that measures again, the same night: only the
/// suspects among the links of its records below `folder`, and as many links beside them that were
/// as expected, under its first setting. False, and the config as it was, when no link is suspect.
/// InputError when the records hold no pairs of nodes that a fleet can be judged by.
bool restrict_to_suspects(CampaignConfig& config, const std::string& folder);

}  // namespace hockney
