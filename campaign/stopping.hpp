#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/config.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/statistics.hpp"

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

/// What one complete launch found at one point.
struct PointFinding {
  std::string point;  ///< curve and size
  double median_seconds = 0;
  std::optional<double> error;  ///< standard error of the median inside the launch, relative to it
};

struct LaunchFindings {
  std::vector<PointFinding> points;  ///< those with a launch median (core/samples.hpp)
  Seconds measuring{};               ///< time it measured for, all points together
  int left_out = 0;                  ///< points, to keep to its slot
};

/// Of hockney's own numbers: those of other suites (core/point.hpp) need not be precise.
LaunchFindings findings_of(const Record& record);

/// How well a campaign knows its medians.
struct Precision {
  int points = 0;         ///< of all settings
  int within = 0;         ///< with an interval whose half-width is within what was asked for
  double widest = 0;      ///< largest half-width, as a share of its median; of those that have one
  std::string widest_at;  ///< setting, curve and size of it; empty when no point has an interval
  double level = 0;       ///< asked of every interval

  [[nodiscard]] bool reached() const { return points > 0 && within == points; }
  friend bool operator==(const Precision&, const Precision&) = default;
};

/// The findings of all complete launches of a campaign.
class Findings {
 public:
  void add(const std::string& setting, const LaunchFindings& launch);

  /// The intervals of the medians over launches at a level, against the half-width that was asked
  /// for.
  [[nodiscard]] Precision precision(double requested, double level) const;

  /// The measuring time at which the noise inside a launch is as large as that between launches:
  /// ratio of the variance inside, which falls as one over the time, to that between, both of the
  /// logarithm of a launch median, both medians over points. Infinite when launches differ by no
  /// more than their own noise. nullopt before three launches of a setting tell.
  [[nodiscard]] std::optional<Seconds> balance() const;

 private:
  struct Point {
    std::vector<double> medians_seconds;
    std::vector<double> variances_times_seconds;  ///< of the median in a launch, times measuring
    std::vector<double> measuring_seconds;
  };

  std::map<std::string, Point> points_;  ///< by setting, curve and size
};

/// An interim analysis: whether the intervals of a campaign under way are narrow enough to stop.
struct InterimAnalysis {
  int launches = 0;  ///< of each setting, made by then
  double level = 0;  ///< of its intervals

  friend bool operator==(const InterimAnalysis&, const InterimAnalysis&) = default;
};

/// Whoever analyses again and again and stops when pleased is wrong more often than the level of
/// one interval says. So the 5 % that an interval may miss the truth are spent over all analyses:
/// each is given an equal share and what earlier ones left of theirs, and takes the part of it that
/// an exact order-statistic interval can use. Whichever analysis ends the campaign, its intervals
/// hold each median with at least 95 % (the union bound). They are made at 8, 10, 14, 20, 30
/// launches, from there on 1.4 times as many each time, and at `most`, but not where the share is
/// too small for an interval of so few; fewer than 8 are analysed once.
class InterimAnalyses {
 public:
  explicit InterimAnalyses(int most, double level = default_level);

  [[nodiscard]] const std::vector<InterimAnalysis>& all() const { return analyses_; }
  [[nodiscard]] const InterimAnalysis& first() const { return analyses_.front(); }
  /// The analysis at exactly so many launches; null when there is none.
  [[nodiscard]] const InterimAnalysis* at(int launches) const;
  /// The first analysis at more launches; null after the last.
  [[nodiscard]] const InterimAnalysis* after(int launches) const;

 private:
  std::vector<InterimAnalysis> analyses_;
};

/// The number of launches before any has run.
LaunchCount first_plan(const Config& config, const BudgetTerms& terms = {});

/// Decides how many launches a campaign makes: as many as were asked for, as many as a budget
/// holds, or, by interim analyses, until every interval is narrow. Pure.
class Stopping {
 public:
  explicit Stopping(const Config& config, const BudgetTerms& terms = {});

  /// nullopt when time does not decide.
  [[nodiscard]] const std::optional<Budget>& budget() const { return budget_; }

  /// The plan as an analysis of the findings leaves it, when all settings are through with `whole`
  /// launches: no more when every interval is narrow enough; up to the next analysis when the plan
  /// is through, has found anything, and there is no budget to extend it; else as `planned`.
  [[nodiscard]] LaunchCount analyse(const Findings& findings, int whole, LaunchCount planned) const;

  /// How well the medians are known after `whole` launches, by intervals of the level that is right
  /// for a campaign that stops there.
  [[nodiscard]] Precision reached(const Findings& findings, int whole) const;

 private:
  /// Half-width that is requested, and when it is looked for.
  struct Rule {
    double requested = 0;
    InterimAnalyses analyses;
  };

  static std::optional<Rule> rule_of(const Config& config);

  std::optional<Budget> budget_;
  std::optional<Rule> rule_;
};

}  // namespace hockney::campaign
