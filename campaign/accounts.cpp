#include "campaign/accounts.hpp"

#include <algorithm>

namespace hockney {

BudgetUse budget_use(const Manifest& manifest, Seconds spent, int launches_left) {
  BudgetUse use{.spent = spent, .complete = {}, .launches_left = launches_left};
  for (const Attempt& attempt : manifest.attempts) {
    // A complete launch with a remark was slow to end or had to be ended: not what one costs.
    const bool clean = attempt.status == AttemptStatus::complete && attempt.reason.empty();
    if (!clean || !attempt.measuring_seconds || !attempt.slot_seconds) continue;
    use.complete.push_back(
        {{attempt.duration_seconds}, {*attempt.measuring_seconds}, {*attempt.slot_seconds}});
  }
  return use;
}

std::optional<Seconds> expected_remaining(const Manifest& manifest, Seconds spent,
                                          int launches_left) {
  if (manifest.config.budget) return std::max(Seconds{}, *manifest.config.budget - spent);
  double total = 0;
  int ended = 0;
  for (const Attempt& attempt : manifest.attempts) {
    if (attempt.status == AttemptStatus::running) continue;
    total += attempt.duration_seconds;
    ++ended;
  }
  if (ended == 0) return std::nullopt;
  return Seconds{total / ended * launches_left};
}

}  // namespace hockney
