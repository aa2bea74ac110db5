#pragma once

#include <optional>
#include <vector>

#include "campaign/budget.hpp"
#include "campaign/config.hpp"
#include "campaign/findings.hpp"
#include "core/statistics.hpp"

namespace hockney::campaign {

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
