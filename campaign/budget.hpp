#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/units.hpp"

namespace hockney {

/// How many launches of each setting, and why, in words for the manifest.
struct LaunchCount {
  int launches = 0;
  std::string because;
};

/// The number of launches that a budget of wall time holds when each launch costs `overhead` beside
/// its measuring: as many as keep all overhead within a third of the budget, at most 30; at least 6
/// (the fewest for an interval of a median at 95 %) when their overhead is within half of it; else
/// fewer, but at least 3.
LaunchCount plan_budget(Seconds budget, Seconds overhead, std::size_t settings);

/// What a complete launch cost.
struct LaunchCost {
  Seconds wall{};
  Seconds overhead{};  ///< what launch_overhead says
};

/// What happened to the budget so far.
struct BudgetUse {
  Seconds spent{};                ///< wall time since the campaign began
  std::vector<LaunchCost> costs;  ///< of the complete launches
  int launches_left = 1;          ///< over all settings, the next one included
};

/// Shares a budget of wall time among launches. Pure: it is told the time.
class Budget {
 public:
  /// `launches` per setting, or nullopt when the budget decides.
  Budget(Seconds total, std::size_t settings, std::optional<int> launches)
      : total_(total), settings_(settings), launches_(launches) {}

  /// The number of launches to plan before any has run.
  [[nodiscard]] LaunchCount first_guess() const;

  /// Asked after every launch: how many launches of each setting there should be in all, of which
  /// `begun` have at least begun. Decided by plan_budget when the first launch is complete; later
  /// launches that no longer fit are taken back (down to 3), and when the plan is through with time
  /// to spare as many are added as the time holds.
  [[nodiscard]] LaunchCount revise(const BudgetUse& use, int begun, LaunchCount planned) const;

  /// The measuring time of the next launch: an even share of what is left, less the overhead.
  [[nodiscard]] Seconds slot(const BudgetUse& use) const;

  /// How long the next launch may take before it counts as hung.
  [[nodiscard]] Seconds limit(const BudgetUse& use, Seconds launch_timeout) const;

 private:
  [[nodiscard]] Seconds left(const BudgetUse& use) const;
  [[nodiscard]] int launches_that_fit(const BudgetUse& use, int begun, int planned) const;

  Seconds total_;
  std::size_t settings_;
  std::optional<int> launches_;
};

/// Wall time of a launch that was not measuring within its slot: what runs over the slot counts, so
/// that a program which cannot be so short gets fewer launches, not a broken budget.
Seconds launch_overhead(Seconds wall, Seconds measuring, std::optional<Seconds> slot);

}  // namespace hockney
