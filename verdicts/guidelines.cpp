#include "verdicts/guidelines.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/error.hpp"
#include "core/json_fields.hpp"
#include "core/json_node.hpp"
#include "core/json_values.hpp"
#include "core/record.hpp"
#include "core/text.hpp"
#include "verdicts/compare_axis.hpp"
#include "verdicts/guideline_cells.hpp"
#include "verdicts/multiplicity.hpp"
#include "verdicts/rank_tests.hpp"

namespace hockney::verdicts {
namespace {

/// log ratios of the launches.
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

GuidelineVerdict measure(GuidelineCell cell, const Contrast& contrast,
                         const GuidelineOptions& options) {
  const double level = 1 - options.alpha;
  const std::vector<double> logs = values_of(contrast.b);
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

/// A violation is found if the lower bound of the shift's interval exceeds the margin. The interval
/// is at 1 - 2 alpha / family, which passes Holm's first step.
std::optional<double> visible_by_ranks(const Contrast& contrast, double per_test) {
  const std::vector<double> logs = values_of(contrast.b);
  const auto interval = signed_rank_interval(logs, 1 - 2 * per_test);
  if (!interval) return std::nullopt;
  return hodges_lehmann(logs).value_or(0) - interval->low;
}

/// Whether the two medians differ by more than the clocks' resolution.
bool is_seen(const GuidelineVerdict& verdict) {
  const double right = verdict.cell.factor * verdict.right.median_seconds;
  return verdict.left.median_seconds - right > verdict.clock_seconds;
}

void decide(GuidelineVerdict& verdict, const FamilyResult& family,
            const GuidelineOptions& options) {
  const bool shown =
      shown_by(verdict.p_adjusted, options.alpha, verdict.ratio, options.delta) == Shown::above;
  if (shown && is_seen(verdict)) {
    verdict.verdict = Compliance::violated;
  } else if (verdict.ratio_interval && verdict.ratio_interval->high <= 1 + options.delta) {
    verdict.verdict = Compliance::satisfied;
  } else if (shown) {
    verdict.doubt = Doubt::clock;
  } else if (!verdict.smallest_visible_ratio) {
    verdict.doubt = Doubt::too_few_launches;
    verdict.launches_needed = family.launches_for(
        options.alpha, [](std::size_t n) { return std::exp2(-static_cast<double>(n)); });
  } else {
    verdict.doubt = Doubt::spread;
  }
}

constexpr const char* axis = "algorithm";

/// One comparison per campaign, because launches of several campaigns cannot be compared.
std::vector<std::pair<std::string, AxisCompareSet>> compare_sweeps(
    std::span<const Record> records) {
  std::map<std::string, std::vector<Record>> campaigns;
  for (const Record& record : records) {
    const bool is_swept = record.status == LaunchStatus::complete && record.campaign &&
                          record.campaign->axes.contains(axis);
    if (is_swept) campaigns[record.campaign->name].push_back(record);
  }
  std::vector<std::pair<std::string, AxisCompareSet>> sweeps;
  sweeps.reserve(campaigns.size());
  for (const auto& [name, launches] : campaigns) {
    sweeps.emplace_back(name, compare_by_axis(launches, axis));
  }
  return sweeps;
}

/// Whether the sweep's point measures the left side of the cell.
bool is_left(const Point& swept, const GuidelineCell& cell) {
  const GuidelineSide& side = cell.guideline.left;
  return is_of(swept, side) && swept.bytes == cell.left.bytes && swept.ranks == cell.left.ranks &&
         other_parameters(swept, side) == other_parameters(cell.left, side);
}

auto call_of(const GuidelineCell& cell) {
  return std::tie(cell.campaign, cell.setting, cell.left.operation, cell.left.ranks, cell.left.pair,
                  cell.left.parameters, cell.left.bytes);
}

void consider(const std::string& campaign, const AxisComparison& value, const Comparison& row,
              Violation& violation) {
  violation.was_swept = true;
  const bool is_better = row.verdict == Verdict::faster &&
                         (!violation.repair || row.ratio < violation.repair->against_default.ratio);
  if (is_better) violation.repair = Repair{campaign, value.value, value.others, row};
}

void find_repair(const std::vector<std::pair<std::string, AxisCompareSet>>& sweeps,
                 Violation& violation) {
  for (const auto& [campaign, sweep] : sweeps) {
    for (const AxisComparison& value : sweep.comparisons) {
      for (const Comparison& row : value.set.comparisons) {
        if (is_left(row.point, violation.verdict->cell)) {
          consider(campaign, value, row, violation);
        }
      }
    }
  }
}

/// Rivals are other ways to do the same call at the same size.
void rank_rivals(std::vector<Violation>& violations) {
  for (Violation& one : violations) {
    one.is_fastest = one.verdict->cell.guideline.map == SizeRelation::same;
    for (const Violation& other : violations) {
      if (other.verdict->cell.guideline.map != SizeRelation::same ||
          call_of(other.verdict->cell) != call_of(one.verdict->cell)) {
        continue;
      }
      ++one.rivals;
      if (other.verdict->ratio > one.verdict->ratio) one.is_fastest = false;
    }
  }
}

bool is_of(const KnownViolation& known, const GuidelineVerdict& verdict) {
  const GuidelineCell& cell = verdict.cell;
  return known.guideline == cell.guideline.name &&
         known.bytes.value_or(cell.left.bytes) == cell.left.bytes &&
         known.ranks.value_or(cell.left.ranks) == cell.left.ranks;
}

}  // namespace

GuidelineSet judge_cells(GuidelineCells cells, const GuidelineOptions& options) {
  check_family_options(options.alpha, "delta", options.delta);
  GuidelineSet set{.options = options,
                   .verdicts = {},
                   .unmeasured = std::move(cells.unmeasured),
                   .launches = cells.launches,
                   .nodes = cells.nodes,
                   .launches_left_out = cells.launches_left_out};
  std::vector<Contrast> contrasts;
  std::vector<double> by_ranks;
  for (GuidelineCell& cell : cells.cells) {
    contrasts.push_back(contrast_of(cell));
    set.verdicts.push_back(measure(std::move(cell), contrasts.back(), options));
    by_ranks.push_back(set.verdicts.back().p);
  }
  const double margin = std::log1p(options.delta);
  const FamilyResult family =
      judge(contrasts, by_ranks, options.correction, options.alpha, margin, Alternative::greater);
  for (std::size_t i = 0; i < contrasts.size(); ++i) {
    GuidelineVerdict& verdict = set.verdicts[i];
    verdict.p = family.test.p[i];
    verdict.p_adjusted = family.test.p_adjusted[i];
    const auto shift = family.threshold
                           ? visible_shift(contrasts[i], family.threshold->critical)
                           : visible_by_ranks(contrasts[i], options.alpha / family.factor);
    if (shift) verdict.smallest_visible_ratio = (1 + options.delta) * std::exp(*shift);
    decide(verdict, family, options);
    if (!family.shifts[i]) continue;
    const Shown shown = verdict.p_adjusted <= options.alpha ? Shown::above : Shown::nothing;
    Interval above = agreeing(*family.shifts[i], margin, shown, Alternative::greater);
    above.level = 2 * above.level - 1;  // each end separately
    verdict.family_interval = ratio_interval(above);
  }
  return set;
}

GuidelineSet judge_guidelines(std::span<const Record> records, const GuidelineOptions& options) {
  GuidelineSet set = judge_cells(guideline_cells(records), options);
  set.faults = find_faults(records);
  return set;
}

std::vector<Violation> find_violations(const GuidelineSet& set, std::span<const Record> sweep) {
  std::vector<Violation> violations;
  for (const GuidelineVerdict& verdict : set.verdicts) {
    if (verdict.verdict == Compliance::violated) violations.push_back({.verdict = &verdict});
  }
  std::ranges::stable_sort(violations, [](const Violation& a, const Violation& b) {
    return call_of(a.verdict->cell) < call_of(b.verdict->cell);
  });
  rank_rivals(violations);
  const auto sweeps = compare_sweeps(sweep);
  for (Violation& violation : violations) find_repair(sweeps, violation);
  return violations;
}

Interval saved_share(const GuidelineVerdict& verdict) {
  const auto saved = [](double ratio) { return 1 - 1 / ratio; };
  const Interval ratio = verdict.ratio_interval.value_or(
      Interval{.low = verdict.ratio, .high = verdict.ratio, .level = 0});
  return {.low = saved(ratio.low), .high = saved(ratio.high), .level = ratio.level};
}

constexpr auto fields_of(std::type_identity<KnownViolation>) {
  return strict_object(key("guideline", &KnownViolation::guideline),
                       key("bytes", &KnownViolation::bytes), key("ranks", &KnownViolation::ranks),
                       key("note", &KnownViolation::note, KeyUse::null_if_empty));
}

void read_into(const JsonNode& node, KnownViolation& known) { read_fields(node, known); }

void to_json(nlohmann::json& json, const KnownViolation& known) { write_fields(json, known); }

std::vector<KnownViolation> read_guideline_baseline(const JsonNode& document) {
  document.require_schema(guideline_baseline_schema, "name a file of known violations");
  document.allow_only({"schema", "known"});
  return read_value<std::vector<KnownViolation>>(document.at("known"));
}

void check_known(const std::vector<KnownViolation>& known, const GuidelineSet& set,
                 const std::string& file) {
  std::set<std::string> judged;
  for (const GuidelineVerdict& verdict : set.verdicts) judged.insert(verdict.cell.guideline.name);
  for (const UnmeasuredCell& cell : set.unmeasured) judged.insert(cell.guideline);
  for (const KnownViolation& one : known) {
    if (judged.contains(one.guideline)) continue;
    throw InputError({fmt::format("{}: unknown guideline '{}'", file, one.guideline),
                      "none of the records states it",
                      suggest(one.guideline, {judged.begin(), judged.end()})});
  }
}

bool is_known(const std::vector<KnownViolation>& known, const GuidelineVerdict& verdict) {
  return std::ranges::any_of(known, [&](const KnownViolation& one) { return is_of(one, verdict); });
}

std::vector<KnownViolation> not_seen(const std::vector<KnownViolation>& known,
                                     const GuidelineSet& set) {
  std::vector<KnownViolation> gone;
  for (const KnownViolation& one : known) {
    const bool is_seen = std::ranges::any_of(set.verdicts, [&](const GuidelineVerdict& verdict) {
      return verdict.verdict == Compliance::violated && is_of(one, verdict);
    });
    if (!is_seen) gone.push_back(one);
  }
  return gone;
}

}  // namespace hockney::verdicts
