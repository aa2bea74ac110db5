#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/statistics.hpp"
#include "driver/campaign/config.hpp"

namespace hockney::campaign {

/// Further launches shrink the intervals by only a few per cent.
inline constexpr int default_most_launches = 30;

/// Largest share of a budget for the start-up of the fewest launches that give an interval.
inline constexpr double start_up_share_at_most = 0.8;

/// The number of launches of each setting, and the reason as text for the manifest.
struct LaunchCount {
  int launches = 0;
  std::string because;
};

/// The cost of a launch, from complete ones.
struct LaunchCost {
  Seconds start_up{};         ///< wall time without measuring
  Seconds least_measuring{};  ///< the program's time for one round; 0 if it keeps to its slots
};

/// The fewest launches that give a 95 % interval of a median: 6. Fewer cannot show a difference
/// either, even if all agree: the smallest p is 2/2^n.
int launches_for_interval();

/// The number of launches of each setting for a budget of wall time, at most `most`. As many as
/// keep their start-up within a third of the budget, if these are at least 6
/// (launches_for_interval) or `most`. Else 6, if their start-up is within four fifths of it. Else
/// fewer: as many as in a third, but 3 if they leave a fifth to measuring, and at least 1. If it is
/// more than 1, each launch has the time to measure as long as the program needs.
LaunchCount plan_budget(Seconds budget, const LaunchCost& cost, std::size_t settings,
                        int most = default_most_launches);

/// Measuring time of each launch that gives the most precise median over launches in a given time:
/// sqrt(start_up * balance). It minimises (V_between + V_within/t) (start_up + t) (Kalibera and
/// Jones 2013, section 6, for two levels). `balance` is Findings::balance.
Seconds best_measuring(const LaunchCost& cost, Seconds balance);

/// The times of a complete launch.
struct LaunchTimes {
  Seconds wall{};
  Seconds measuring{};
  Seconds slot{};             ///< measuring time that it was given
  bool is_shortened = false;  ///< it skipped points to keep to its time
  bool is_sparse = false;     ///< it reached less than half of the points
};

/// Median start-up. Adds the shortest measuring time if a launch that skipped no point exceeded its
/// slot by more than a tenth, and twice the time of a launch that reached less than half of the
/// points. nullopt for no launches.
std::optional<LaunchCost> typical_cost(const std::vector<LaunchTimes>& launches);

/// Use of the budget so far.
struct BudgetUse {
  Seconds spent{};                    ///< wall time since the campaign began
  Seconds due{};                      ///< for verification runs, before the next launch
  std::vector<LaunchTimes> complete;  ///< launches
  int launches_left = 1;              ///< over all settings, the next one included
  std::optional<Seconds> balance;     ///< Findings::balance
};

/// The time of a launch.
struct LaunchSlot {
  Seconds measuring{};
  Seconds first_epoch{};  ///< longest one; counts if it is longer than `measuring`
};

/// If the requested launches exceed the budget: launches_first exceeds it, both_hold refuses the
/// campaign.
enum class BudgetRule { launches_first, both_hold };

/// Terms of a budget that are not in the config.
struct BudgetTerms {
  BudgetRule rule = BudgetRule::launches_first;
  std::optional<Seconds> start_up;  ///< expected start-up until a launch is complete
};

/// A budget and the settings that share it.
struct BudgetPlan {
  Seconds total{};
  std::size_t settings = 1;
  std::optional<int> launches;       ///< of each setting; nullopt: from the budget
  int most = default_most_launches;  ///< maximum if the budget decides
  BudgetTerms terms;
};

/// Shares a budget of wall time among launches. Pure: times are arguments.
class Budget {
 public:
  explicit Budget(BudgetPlan plan) : plan_(plan) {}

  /// The number of launches before the first one has run.
  [[nodiscard]] LaunchCount first_guess() const;

  /// Called after every launch; returns the total number of launches of each setting. At least
  /// `begun` of them have begun. The number is from plan_budget when the first launch is complete,
  /// and again after the second, since the first is often slow. Later, launches that no longer fit
  /// are dropped, down to the begun ones or one less. If the plan ends early, as many launches are
  /// added as fit.
  /// After a launch that reached less than half of the points, one launch gets the rest of a budget
  /// that is too short for more.
  /// Once variances are known (BudgetUse::balance), each launch gets best_measuring(), with at
  /// least 6 launches if they fit.
  [[nodiscard]] LaunchCount revise(const BudgetUse& use, int begun, LaunchCount planned) const;

  /// The measuring time of the next launch: an equal share of the remaining budget, less the
  /// start-up, and less what the latest launches exceeded theirs by.
  [[nodiscard]] Seconds slot(const BudgetUse& use) const;

  /// Longest first epoch of the next launch, in which each point is measured once: as long as its
  /// slot, or as a sixth of the budget allows if six launches fit (launches_for_interval), else
  /// half of what is left. All points of few launches are better than some points of many.
  [[nodiscard]] Seconds first_epoch(const BudgetUse& use) const;

  /// The minimum duration of the whole campaign if it exceeds the budget. It includes time spent
  /// and due, and one launch of each setting. Under both_hold it includes all requested launches.
  /// nullopt if it fits or the cost of a launch is unknown.
  [[nodiscard]] std::optional<Seconds> least_beyond(const BudgetUse& use, int planned) const;

  /// Time limit of the next launch, after which it counts as hung.
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

/// The result of one complete launch at one point.
struct PointFinding {
  std::string point;  ///< curve and size
  double median_seconds = 0;
  std::optional<double> error;  ///< relative standard error of the median within the launch
};

struct LaunchFindings {
  std::vector<PointFinding> points;  ///< those with a launch median (core/samples.hpp)
  Seconds measuring{};               ///< of all points together
  int left_out = 0;                  ///< points skipped to keep to its slot
};

/// The findings of hockney's own points. Points of other suites (core/point.hpp) need not be
/// precise.
LaunchFindings findings_of(const Record& record);

/// Precision of a campaign's medians.
struct Precision {
  int points = 0;         ///< of all settings
  int within = 0;         ///< with a half-width within the requested one
  double widest = 0;      ///< largest half-width, as a share of its median
  std::string widest_at;  ///< its setting, curve and size; empty without intervals
  double level = 0;       ///< requested of every interval

  [[nodiscard]] bool reached() const { return points > 0 && within == points; }
  friend bool operator==(const Precision&, const Precision&) = default;
};

/// The findings of all complete launches of a campaign.
class Findings {
 public:
  void add(const std::string& setting, const LaunchFindings& launch);

  /// Compares the intervals of medians over launches at a level with the requested half-width.
  [[nodiscard]] Precision precision(double requested, double level) const;

  /// The measuring time at which the noise within a launch equals that between launches. It is the
  /// ratio of the two variances of a launch median's logarithm, each a median over points. The
  /// variance within a launch falls with the inverse of the measuring time. Infinite if launches
  /// differ by no more than their own noise. nullopt before three launches of a setting.
  [[nodiscard]] std::optional<Seconds> balance() const;

 private:
  struct Point {
    std::vector<double> medians_seconds;
    std::vector<double> variances_times_seconds;  ///< of a launch median, times measuring time
    std::vector<double> measuring_seconds;
  };

  std::map<std::string, Point> points_;  ///< by setting, curve and size
};

/// An interim analysis: checks whether the intervals of a running campaign are narrow enough to
/// stop.
struct InterimAnalysis {
  int launches = 0;  ///< complete launches of each setting
  double level = 0;  ///< of its intervals

  friend bool operator==(const InterimAnalysis&, const InterimAnalysis&) = default;
};

/// The interim analyses of a campaign, with corrected levels. Repeated analyses that stop at the
/// first success err more often than the level of one interval says. So the 5 % error probability
/// is spent over all analyses. Each gets an equal share and the unspent rest of earlier ones, and
/// uses the part that an exact order-statistic interval can use. At any analysis that ends the
/// campaign, each interval covers its median with at least 95 % (union bound).
/// Analyses are at 8, 10, 14, 20, 30 launches, then at 1.4 times as many each time, and at `most`.
/// A share too small for an interval of so few launches is carried over. With fewer than 8 launches
/// there is one analysis.
class InterimAnalyses {
 public:
  explicit InterimAnalyses(int most, double level = default_level);

  [[nodiscard]] const std::vector<InterimAnalysis>& all() const { return analyses_; }
  [[nodiscard]] const InterimAnalysis& first() const { return analyses_.front(); }
  /// The analysis at exactly `launches` launches, or null.
  [[nodiscard]] const InterimAnalysis* at(int launches) const;
  /// The first analysis at more than `launches` launches; null after the last.
  [[nodiscard]] const InterimAnalysis* after(int launches) const;

 private:
  std::vector<InterimAnalysis> analyses_;
};

/// The number of launches before the first one has run.
LaunchCount first_plan(const Config& config, const BudgetTerms& terms = {});

/// Decides the number of launches of a campaign: as requested, as the budget allows, or until
/// interim analyses find every interval narrow. Pure.
class Stopping {
 public:
  explicit Stopping(const Config& config, const BudgetTerms& terms = {});

  /// nullopt without a budget.
  [[nodiscard]] const std::optional<Budget>& budget() const { return budget_; }

  /// The number of launches after an analysis of `whole` complete blocks. `whole` if every interval
  /// is narrow enough. The next analysis' number if the plan is finished, the findings have points,
  /// and there is no budget. Else `planned`.
  [[nodiscard]] LaunchCount analyse(const Findings& findings, int whole, LaunchCount planned) const;

  /// Precision of the medians after `whole` launches, at the level for a campaign that stops there.
  [[nodiscard]] Precision reached(const Findings& findings, int whole) const;

 private:
  /// The requested half-width, and the analyses that check it.
  struct Rule {
    double requested = 0;
    InterimAnalyses analyses;
  };

  static std::optional<Rule> rule_of(const Config& config);

  std::optional<Budget> budget_;
  std::optional<Rule> rule_;
};

}  // namespace hockney::campaign
