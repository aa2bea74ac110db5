#include "verdicts/guidelines.hpp"

#include <cmath>

#include "core/error.hpp"
#include "verdicts/log_ratio.hpp"
#include "verdicts/power.hpp"
#include "verdicts/signed_rank.hpp"

namespace hockney {
namespace {

/// log ratio of each launch.
Contrast contrast_of(const GuidelineCell& cell) {
  Contrast contrast;
  for (const SidePair& pair : cell.pairs) {
    const double ratio = pair.left_seconds / (cell.factor * pair.right_seconds);
    contrast.b.push_back({static_cast<std::size_t>(pair.launch), std::log(ratio)});
  }
  return contrast;
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

/// By Holm's first step, which every smallest p has to pass where no other is as small.
std::size_t launches_for(double factor, double alpha) {
  std::size_t n = 1;
  while (factor * std::exp2(-static_cast<double>(n)) > alpha) ++n;
  return n;
}

GuidelineVerdict measure(GuidelineCell cell, const Contrast& contrast,
                         const GuidelineOptions& options) {
  const double level = 1 - options.alpha;
  std::vector<double> logs;
  for (const LaunchLog& launch : contrast.b) logs.push_back(launch.value);
  GuidelineVerdict verdict{.cell = {}, .left = {}, .right = {}};
  verdict.left = side_of(all_of(cell, &SidePair::left_seconds), level);
  verdict.right = side_of(all_of(cell, &SidePair::right_seconds), level);
  verdict.ratio = std::exp(hodges_lehmann(logs).value_or(0));
  verdict.ratio_interval = ratio_interval(signed_rank_interval(logs, level));
  verdict.p = signed_rank_above(logs, std::log1p(options.delta)).value_or(1);
  verdict.clock_seconds = median(all_of(cell, &SidePair::clock_seconds)).value_or(0);
  verdict.cell = std::move(cell);
  return verdict;
}

/// A shift of the log ratios is found when the lower bound of its interval at 1 - 2 alpha / family,
/// by which Holm's first step is passed, lies above the margin.
std::optional<double> visible_by_ranks(const Contrast& contrast, double per_test) {
  std::vector<double> logs;
  for (const LaunchLog& launch : contrast.b) logs.push_back(launch.value);
  const auto interval = signed_rank_interval(logs, 1 - 2 * per_test);
  if (!interval) return std::nullopt;
  return hodges_lehmann(logs).value_or(0) - interval->low;
}

/// Whether the two medians differ by more than the clocks can miss.
bool is_seen(const GuidelineVerdict& verdict) {
  const double right = verdict.cell.factor * verdict.right.median_seconds;
  return verdict.left.median_seconds - right > verdict.clock_seconds;
}

void decide(GuidelineVerdict& verdict, const GuidelineOptions& options, double factor) {
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
    verdict.launches_needed = launches_for(factor, options.alpha);
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
  std::vector<Contrast> contrasts;
  std::vector<double> by_ranks;
  for (GuidelineCell& cell : cells.cells) {
    contrasts.push_back(contrast_of(cell));
    set.verdicts.push_back(measure(std::move(cell), contrasts.back(), options));
    by_ranks.push_back(set.verdicts.back().p);
  }
  const FamilyTest test = test_family(contrasts, by_ranks, options.correction,
                                      std::log1p(options.delta), Alternative::greater);
  const auto critical = critical_value(test, options.alpha);
  const double factor =
      options.correction == Correction::holm ? static_cast<double>(contrasts.size()) : 1;
  for (std::size_t i = 0; i < contrasts.size(); ++i) {
    GuidelineVerdict& verdict = set.verdicts[i];
    verdict.p = test.p[i];
    verdict.p_adjusted = test.p_adjusted[i];
    const auto shift = critical ? visible_shift(contrasts[i], *critical)
                                : visible_by_ranks(contrasts[i], options.alpha / factor);
    if (shift) verdict.smallest_visible_ratio = (1 + options.delta) * std::exp(*shift);
    decide(verdict, options, factor);
  }
  return set;
}

GuidelineSet judge_guidelines(std::span<const Record> records, const GuidelineOptions& options) {
  return judge_cells(guideline_cells(records), options);
}

}  // namespace hockney
