#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/units.hpp"

namespace hockney {

/// Beyond, intervals shrink by a few per cent only.
inline constexpr int default_most_launches = 30;

/// How many launches of each setting, and why, in words for the manifest.
struct LaunchCount {
  int launches = 0;
  std::string because;
};

/// What complete launches are known to cost.
struct LaunchCost {
  Seconds start_up{};  ///< wall time beside measuring
  Seconds
      least_measuring{};  ///< the program needs so long for one round; 0 when it keeps its slots
};

/// The number of launches that a budget of wall time holds: as many as keep all start-up within a
/// third of the budget, at most `most`; at least 6 (the fewest for an interval of a median at 95 %)
/// when their start-up is within half of it; else fewer, but at least 3; and no more than have the
/// time to measure for as long as the program needs.
LaunchCount plan_budget(Seconds budget, const LaunchCost& cost, std::size_t settings,
                        int most = default_most_launches);

/// How long each launch should measure so that the median over launches is known best in a given
/// time: sqrt(start_up * balance), where the balance is Findings::balance, from minimising
/// (V_between + V_within/t) (start_up + t) (Kalibera and Jones 2013, section 6, for two levels).
Seconds best_measuring(const LaunchCost& cost, Seconds balance);

/// The times of a complete launch.
struct LaunchTimes {
  Seconds wall{};
  Seconds measuring{};
  Seconds slot{};  ///< what it was given for measuring
};

/// Median start-up, and the shortest measuring if any launch went beyond its slot by more than a
/// tenth. nullopt for no launches.
std::optional<LaunchCost> typical_cost(const std::vector<LaunchTimes>& launches);

/// What happened to the budget so far.
struct BudgetUse {
  Seconds spent{};                    ///< wall time since the campaign began
  std::vector<LaunchTimes> complete;  ///< launches
  int launches_left = 1;              ///< over all settings, the next one included
  std::optional<Seconds> balance;     ///< Findings::balance
};

/// Shares a budget of wall time among launches. Pure: it is told the time.
class Budget {
 public:
  /// `launches` per setting, or nullopt when the budget decides: `most` then at most.
  Budget(Seconds total, std::size_t settings, std::optional<int> launches,
         int most = default_most_launches)
      : total_(total), settings_(settings), launches_(launches), most_(most) {}

  /// The number of launches to plan before any has run.
  [[nodiscard]] LaunchCount first_guess() const;

  /// Asked after every launch: how many launches of each setting there should be in all, of which
  /// `begun` have at least begun. Decided by plan_budget when the first launch is complete, and
  /// again after the second, since the first is often slow. From then on, launches that no longer
  /// fit are taken back (down to 3), and when the plan is through with time to spare as many are
  /// added as the time holds. Once variances are known (BudgetUse::balance), what is left goes
  /// where it buys most: best_measuring() for each launch, at least 6 launches if they fit.
  [[nodiscard]] LaunchCount revise(const BudgetUse& use, int begun, LaunchCount planned) const;

  /// The measuring time of the next launch: an even share of what is left, less the start-up.
  [[nodiscard]] Seconds slot(const BudgetUse& use) const;

  /// How long the next launch may take before it counts as hung.
  [[nodiscard]] Seconds limit(const BudgetUse& use, Seconds launch_timeout) const;

 private:
  [[nodiscard]] Seconds left(const BudgetUse& use) const;
  [[nodiscard]] LaunchCount balanced(const BudgetUse& use, int begun, int planned,
                                     const LaunchCost& cost, Seconds balance) const;
  [[nodiscard]] int launches_that_fit(const BudgetUse& use, int begun, int planned) const;

  Seconds total_;
  std::size_t settings_;
  std::optional<int> launches_;
  int most_;
};

}  // namespace hockney
