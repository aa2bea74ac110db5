#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/budget.hpp"
#include "campaign/execution.hpp"
#include "campaign/manifest.hpp"
#include "campaign/request.hpp"
#include "core/error.hpp"

namespace hockney::campaign {

/// What a campaign will take, in lines for people: "about 1 min: 10 launches of 6 s"; and that its
/// launches are too few to tell anything, with what would be enough. By `request.terms`.
std::vector<std::string> what_to_expect(const Request& request);

/// Of a campaign that goes on, by its first step: "3 of 7 launches are complete, 4 to come".
std::vector<std::string> what_is_to_come(const Step& first);

/// Of a campaign that is complete: how many launches it has, and the commands that add some.
std::string how_to_add(const Manifest& manifest, const std::string& folder);

/// Why a budget cannot hold what it has to, by `request.terms`; nullopt when it can, or nobody
/// knows.
std::optional<Message> what_is_too_long(const Request& request);

/// Of a campaign that needs `least`, its time so far included.
Message budget_too_small(const Request& request, Seconds least);

/// What the attempts of a manifest say about the use of its budget.
BudgetUse budget_use(const Manifest& manifest, Seconds spent, int launches_left);

/// How long the rest of a campaign should take: what is left of the budget; without one, launches
/// to come take as long as those that were. nullopt before there are any.
std::optional<Seconds> expected_remaining(const Manifest& manifest, Seconds spent,
                                          int launches_left);

}  // namespace hockney::campaign
