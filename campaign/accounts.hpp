#pragma once

#include <optional>

#include "campaign/budget.hpp"
#include "campaign/manifest.hpp"

namespace hockney {

/// What the attempts of a manifest say about the use of its budget.
BudgetUse budget_use(const Manifest& manifest, Seconds spent, int launches_left);

/// How long the rest of a campaign should take: what is left of the budget; without one, launches
/// to come take as long as those that were. nullopt before there are any.
std::optional<Seconds> expected_remaining(const Manifest& manifest, Seconds spent,
                                          int launches_left);

}  // namespace hockney
