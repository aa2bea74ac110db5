#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/request.hpp"
#include "core/error.hpp"

namespace hockney {

/// What a campaign will take, in lines for people: "about 1 min: 10 launches of 6 s"; and that its
/// launches are too few to tell anything, with what would be enough. By `request.terms`.
std::vector<std::string> what_to_expect(const CampaignRequest& request);

/// Why a budget cannot hold what it has to, by `request.terms`; nullopt when it can, or nobody
/// knows.
std::optional<Message> what_is_too_long(const CampaignRequest& request);

/// Of a campaign that needs `least`, its time so far included.
Message budget_too_small(const CampaignRequest& request, Seconds least);

}  // namespace hockney
