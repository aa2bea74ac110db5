#include "verdicts/guidelines.hpp"

#include <cmath>

#include "core/error.hpp"
#include "verdicts/log_ratio.hpp"
#include "verdicts/multiplicity.hpp"
#include "verdicts/signed_rank.hpp"

namespace hockney {
namespace {

/// log ratio of each launch.
std::vector<double> log_ratios(const GuidelineCell& cell) {
  std::vector<double> logs;
  logs.reserve(cell.pairs.size());
  for (const SidePair& pair : cell.pairs) {
    logs.push_back(std::log(pair.left_seconds / (cell.factor * pair.right_seconds)));
  }
  return logs;
}

std::vector<double> all_of(const GuidelineCell& cell, double SidePair::*time) {
  std::vector<double> values;
  values.reserve(cell.pairs.size());
  for (const SidePair& pair : cell.pairs) values.push_back(pair.*time);
  return values;
}

SideTime side_of(const std::vector<double>& seconds, double level) {
  return {.median_seconds = median(seconds).value_or(0),
          .interval_seconds = quantile_interval(seconds, 0.5, level)};
}

/// The smallest p of n launches that all agree.
double smallest_p(std::size_t n) { return std::exp2(-static_cast<double>(n)); }

/// By Holm's first step, which every smallest p has to pass where no other is as small.
std::size_t launches_for(std::size_t family, double alpha) {
  std::size_t n = 1;
  while (static_cast<double>(family) * smallest_p(n) > alpha) ++n;
  return n;
}

/// A shift of the log ratios by theta is found when the lower bound of its interval at
/// 1 - 2 alpha / family, by which Holm's first step is passed, lies above the margin.
std::optional<double> smallest_visible(const std::vector<double>& logs, double margin,
                                       double per_test) {
  const double estimate = hodges_lehmann(logs).value_or(0);
  const auto interval = signed_rank_interval(logs, 1 - 2 * per_test);
  if (!interval) return std::nullopt;
  return std::exp(margin + estimate - interval->low);
}

GuidelineVerdict measure(GuidelineCell cell, const GuidelineOptions& options, std::size_t family) {
  const double level = 1 - options.alpha;
  const double margin = std::log1p(options.delta);
  const std::vector<double> logs = log_ratios(cell);
  GuidelineVerdict verdict{.cell = {}, .left = {}, .right = {}};
  verdict.left = side_of(all_of(cell, &SidePair::left_seconds), level);
  verdict.right = side_of(all_of(cell, &SidePair::right_seconds), level);
  verdict.ratio = std::exp(hodges_lehmann(logs).value_or(0));
  verdict.ratio_interval = ratio_interval(signed_rank_interval(logs, level));
  verdict.p = signed_rank_above(logs, margin).value_or(1);
  verdict.clock_seconds = median(all_of(cell, &SidePair::clock_seconds)).value_or(0);
  verdict.smallest_visible_ratio =
      smallest_visible(logs, margin, options.alpha / static_cast<double>(family));
  verdict.cell = std::move(cell);
  return verdict;
}

/// Whether the two medians differ by more than the clocks can miss.
bool is_seen(const GuidelineVerdict& verdict) {
  const double right = verdict.cell.factor * verdict.right.median_seconds;
  return verdict.left.median_seconds - right > verdict.clock_seconds;
}

void decide(GuidelineVerdict& verdict, const GuidelineOptions& options, std::size_t family) {
  const double limit = 1 + options.delta;
  const bool shown = verdict.p_adjusted <= options.alpha && verdict.ratio > limit;
  if (shown && is_seen(verdict)) {
    verdict.verdict = Compliance::violated;
  } else if (verdict.ratio_interval && verdict.ratio_interval->high <= limit) {
    verdict.verdict = Compliance::satisfied;
  } else if (shown) {
    verdict.doubt = Doubt::clock;
  } else if (!verdict.smallest_visible_ratio) {
    verdict.doubt = Doubt::too_few_launches;
    verdict.launches_needed = launches_for(family, options.alpha);
  } else {
    verdict.doubt = Doubt::spread;
  }
}

void check(const GuidelineOptions& options) {
  const bool chance = options.alpha > 0 && options.alpha <= 0.5;
  if (!chance) {
    throw InputError({"alpha is " + std::to_string(options.alpha),
                      "it is the chance of a false alarm, above 0 and at most 0.5", "use 0.05"});
  }
  const bool share = options.delta >= 0 && std::isfinite(options.delta);
  if (!share) {
    throw InputError({"delta is " + std::to_string(options.delta), "it is a fraction, 0 or more",
                      "use 0.05 for five per cent"});
  }
}

}  // namespace

GuidelineSet judge_cells(GuidelineCells cells, const GuidelineOptions& options) {
  check(options);
  GuidelineSet set{.options = options,
                   .verdicts = {},
                   .unmeasured = std::move(cells.unmeasured),
                   .launches = cells.launches,
                   .launches_left_out = cells.launches_left_out};
  const std::size_t family = cells.cells.size();
  std::vector<double> p;
  for (GuidelineCell& cell : cells.cells) {
    set.verdicts.push_back(measure(std::move(cell), options, family));
    p.push_back(set.verdicts.back().p);
  }
  const std::vector<double> adjusted = holm(p);
  for (std::size_t i = 0; i < family; ++i) {
    set.verdicts[i].p_adjusted = adjusted[i];
    decide(set.verdicts[i], options, family);
  }
  return set;
}

GuidelineSet judge_guidelines(std::span<const Record> records, const GuidelineOptions& options) {
  return judge_cells(guideline_cells(records), options);
}

}  // namespace hockney
