#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/units.hpp"

namespace hockney::campaign {

/// Beyond, intervals shrink by a few per cent only.
inline constexpr int default_most_launches = 30;

/// Of a budget, for the start-up of as few launches as tell anything.
inline constexpr double start_up_share_at_most = 0.8;

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

/// The fewest launches that tell anything at 95 %, 6: fewer give no interval of a median, and all
/// of them agreeing is no evidence of a difference, whose smallest p is 2/2^n.
int fewest_telling_launches();

/// The number of launches that a budget of wall time holds: as many as keep all start-up within a
/// third of the budget, at most `most`; at least 6 (fewest_telling_launches) when their start-up is
/// within four fifths of it; else fewer, but 3 if they fit, and at least 1; and no more than have
/// the time to measure for as long as the program needs.
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
  Seconds slot{};             ///< what it was given for measuring
  bool is_shortened = false;  ///< it left points out to keep to its slot
};

/// Median start-up, and the shortest measuring if any launch went beyond its slot by more than a
/// tenth although it left nothing out. nullopt for no launches.
std::optional<LaunchCost> typical_cost(const std::vector<LaunchTimes>& launches);

/// What happened to the budget so far.
struct BudgetUse {
  Seconds spent{};                    ///< wall time since the campaign began
  Seconds due{};                      ///< to be spent before the next launch: on verification runs
  std::vector<LaunchTimes> complete;  ///< launches
  int launches_left = 1;              ///< over all settings, the next one included
  std::optional<Seconds> balance;     ///< Findings::balance
};

/// What gives way when the launches that were asked for do not fit the budget: the budget, or
/// neither, and then the campaign is refused.
enum class BudgetRule { launches_first, both_hold };

/// What is known of a budget beside the config.
struct BudgetTerms {
  BudgetRule rule = BudgetRule::launches_first;
  std::optional<Seconds> start_up;  ///< expected of a launch, until one is complete
};

/// What a campaign has to share, and among whom.
struct BudgetPlan {
  Seconds total{};
  std::size_t settings = 1;
  std::optional<int> launches;       ///< of each setting; nullopt: the budget decides
  int most = default_most_launches;  ///< then
  BudgetTerms terms;
};

/// Shares a budget of wall time among launches. Pure: it is told the time.
class Budget {
 public:
  explicit Budget(BudgetPlan plan) : plan_(plan) {}

  /// The number of launches to plan before any has run.
  [[nodiscard]] LaunchCount first_guess() const;

  /// Asked after every launch: how many launches of each setting there should be in all, of which
  /// `begun` have at least begun. Decided by plan_budget when the first launch is complete, and
  /// again after the second, since the first is often slow. From then on, launches that no longer
  /// fit are taken back (down to those begun, or those before), and when the plan is through with
  /// time to spare as many are added as the time holds. Once variances are known
  /// (BudgetUse::balance), what is left goes where it buys most: best_measuring() for each launch,
  /// at least 6 launches if they fit.
  [[nodiscard]] LaunchCount revise(const BudgetUse& use, int begun, LaunchCount planned) const;

  /// The measuring time of the next launch: an even share of what is left, less the start-up.
  [[nodiscard]] Seconds slot(const BudgetUse& use) const;

  /// The least that the whole campaign can take, when that is more than the budget: what is spent
  /// and due, and one launch of each setting, or all that were asked for where both hold.
  /// nullopt when it fits, or nothing is known of what a launch costs.
  [[nodiscard]] std::optional<Seconds> least_beyond(const BudgetUse& use, int planned) const;

  /// How long the next launch may take before it counts as hung.
  [[nodiscard]] Seconds limit(const BudgetUse& use, Seconds launch_timeout) const;

 private:
  [[nodiscard]] Seconds left(const BudgetUse& use) const;
  [[nodiscard]] LaunchCount balanced(const BudgetUse& use, int begun, int planned,
                                     const LaunchCost& cost, Seconds balance) const;
  [[nodiscard]] int launches_that_fit(const BudgetUse& use, int begun, int planned) const;
  [[nodiscard]] std::optional<LaunchCost> known_cost(const BudgetUse& use) const;
  [[nodiscard]] int left_of_block(const BudgetUse& use, int begun, int planned) const;
  [[nodiscard]] int settings() const { return static_cast<int>(plan_.settings); }

  BudgetPlan plan_;
};

}  // namespace hockney::campaign
