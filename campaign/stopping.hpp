#pragma once

#include <optional>

#include "campaign/budget.hpp"
#include "campaign/config.hpp"
#include "campaign/findings.hpp"
#include "campaign/looks.hpp"

namespace hockney {

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
