#pragma once

#include <optional>
#include <vector>

#include "campaign/budget.hpp"
#include "campaign/config.hpp"
#include "campaign/findings.hpp"
#include "core/statistics.hpp"

namespace hockney {

/// A moment at which a campaign looks whether its intervals are narrow enough to stop.
struct Look {
  int launches = 0;  ///< of each setting, made by then
  double level = 0;  ///< of the intervals it looks at

  friend bool operator==(const Look&, const Look&) = default;
};

/// Whoever looks again and again and stops when pleased is wrong more often than the level of one
/// interval says. So the 5 % that an interval may miss the truth are spent over all looks: each is
/// given an equal share and what earlier ones left of theirs, and takes the part of it that an
/// exact order-statistic interval can use. Whichever look ends the campaign, its intervals hold
/// each median with at least 95 % (the union bound). Looks are at 8, 10, 14, 20, 30 launches, from
/// there on 1.4 times as many each time, and at `most`, but not where the share is too small for an
/// interval of so few; fewer than 8 are looked at once.
class Looks {
 public:
  explicit Looks(int most, double level = default_level);

  [[nodiscard]] const std::vector<Look>& all() const { return looks_; }
  [[nodiscard]] const Look& first() const { return looks_.front(); }
  /// The look at exactly so many launches; null when there is none.
  [[nodiscard]] const Look* at(int launches) const;
  /// The first look at more launches; null after the last.
  [[nodiscard]] const Look* after(int launches) const;

 private:
  std::vector<Look> looks_;
};

/// The number of launches before any has run.
LaunchCount first_plan(const CampaignConfig& config, const BudgetTerms& terms = {});

/// Decides how many launches a campaign makes: as many as were asked for, as many as a budget
/// holds, or, looking again and again, until every interval is narrow. Pure.
class Stopping {
 public:
  explicit Stopping(const CampaignConfig& config, const BudgetTerms& terms = {});

  /// nullopt when time does not decide.
  [[nodiscard]] const std::optional<Budget>& budget() const { return budget_; }

  /// The plan as a look at the findings leaves it, when all settings are through with `whole`
  /// launches: no more when every interval is narrow enough; up to the next look when the plan is
  /// through, has found anything, and there is no budget to extend it; else as `planned`.
  [[nodiscard]] LaunchCount look(const Findings& findings, int whole, LaunchCount planned) const;

  /// How well the medians are known after `whole` launches, by intervals of the level that is right
  /// for a campaign that stops there.
  [[nodiscard]] Precision reached(const Findings& findings, int whole) const;

 private:
  /// Half-width asked for, and when it is looked for.
  struct Rule {
    double asked = 0;
    Looks looks;
  };

  static std::optional<Rule> rule_of(const CampaignConfig& config);

  std::optional<Budget> budget_;
  std::optional<Rule> rule_;
};

}  // namespace hockney
