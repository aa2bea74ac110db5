#include "driver/campaign/stopping.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>

#include "core/point.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/samples.hpp"
#include "core/statistics.hpp"

namespace hockney::campaign {
namespace {

/// Why a campaign has its number of launches.
namespace words {

constexpr std::string_view takes = "a launch takes {} beside measuring";
constexpr std::string_view takes_and_measures =
    "a launch takes {} beside measuring and measures for {} at least";
constexpr std::string_view interval_needs = "{}, and an interval needs {} launches";
constexpr std::string_view too_short =
    "{}; the budget is too short for the {} launches an interval needs";
constexpr std::string_view guess = "a guess until the first launch is complete";
constexpr std::string_view no_longer_fitted = "more no longer fitted the budget";
constexpr std::string_view ended_early = "launches ended before their time was up";
constexpr std::string_view worth_measuring =
    "launches are worth measuring for {}, by the noise inside and between them";
constexpr std::string_view every_within = "every interval is within {} of its median";
constexpr std::string_view not_every_within = "not every interval is within {} yet";
constexpr std::string_view most = "the most there may be";

}  // namespace words

constexpr int guessed_launches = 10;
constexpr int fewest = 3;
constexpr double start_up_share = 1.0 / 3;
constexpr Seconds shortest_slot{0.05};
constexpr Seconds usual_start_up{0.6};  // until one is known
constexpr Seconds shortest_limit{10};
constexpr double tolerated_excess = 0.05;  // share of a budget by which a begun block may exceed it

/// How many times `part` fits into `whole`, at most `limit`.
int count_in(Seconds whole, Seconds part, int limit) {
  if (part.value <= 0) return whole.value > 0 ? limit : 0;
  return static_cast<int>(std::clamp(std::floor(whole / part), 0.0, static_cast<double>(limit)));
}

/// The minimum duration of `launches`.
Seconds least_of(const LaunchCost& cost, int launches) {
  return (cost.start_up + std::max(cost.least_measuring, shortest_slot)) * launches;
}

/// A launch that could measure for less than a quarter of its start-up is not worth starting.
constexpr double worthwhile = 1.25;

Seconds shortest_launch(const LaunchCost& cost) {
  return std::max(cost.start_up * worthwhile, cost.start_up + cost.least_measuring);
}

Seconds typical_wall(const BudgetUse& use) {
  std::vector<double> wall;
  wall.reserve(use.complete.size());
  for (const LaunchTimes& launch : use.complete) wall.push_back(launch.wall.value);
  return {median_of_some(wall)};
}

/// The measuring time to give a launch that should measure for `wanted`. On shared machines
/// launches exceed their slots, by a ratio of 4 at most or by as many seconds. The latest ones
/// decide.
Seconds less_overrun(Seconds wanted, const std::vector<LaunchTimes>& complete) {
  constexpr std::size_t latest = 3;
  constexpr double most_ratio = 4;
  double ratio = 1;
  Seconds excess{};
  for (std::size_t i = complete.size() - std::min(complete.size(), latest); i < complete.size();
       ++i) {
    const LaunchTimes& launch = complete[i];
    if (launch.slot.value > 0) ratio = std::max(ratio, launch.measuring / launch.slot);
    excess = std::max(excess, launch.measuring - launch.slot);
  }
  return std::max(wanted / std::min(ratio, most_ratio), wanted - excess);
}

constexpr std::size_t fewest_for_variance = 3;

double log_variance(const std::vector<double>& values) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  const auto count = static_cast<double>(logs.size());
  const double mean = std::accumulate(logs.begin(), logs.end(), 0.0) / count;
  double squares = 0;
  for (const double value : logs) squares += (value - mean) * (value - mean);
  return squares / (count - 1);
}

bool all_positive(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return value > 0; });
}

/// The half-width of the interval, as a share of the median; nullopt without an interval.
std::optional<double> half_width(const std::vector<double>& medians, double level) {
  const auto interval = quantile_interval(medians, 0.5, level);
  if (!interval) return std::nullopt;
  const double half = (interval->high - interval->low) / 2;
  return half == 0 ? 0 : half / median_of_some(medians);
}

std::vector<int> moments(int most) {
  constexpr double growth = 1.4;
  std::vector<int> launches;
  for (const int count : {8, 10, 14, 20, 30}) {
    if (count < most) launches.push_back(count);
  }
  while (!launches.empty() && launches.back() >= 30 && launches.back() * growth < most) {
    launches.push_back(static_cast<int>(std::lround(launches.back() * growth)));
  }
  launches.push_back(most);
  return launches;
}

/// The exact level of the median's interval of n values for a requested `level`. nullopt if n is
/// too small.
std::optional<double> exact_level(int n, double level) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0.0);
  const auto interval = quantile_interval(values, 0.5, level);
  return interval ? std::optional(interval->level) : std::nullopt;
}

int most_of(const Config& config) { return config.most_launches.value_or(default_most_launches); }

std::optional<Budget> budget_of(const Config& config, const BudgetTerms& terms) {
  if (!config.budget) return std::nullopt;
  return Budget({.total = *config.budget,
                 .settings = config.settings.size(),
                 .launches = config.launches,
                 .most = most_of(config),
                 .terms = terms});
}

}  // namespace

int launches_for_interval() { return static_cast<int>(samples_for_interval()); }

std::optional<LaunchCost> typical_cost(const std::vector<LaunchTimes>& launches) {
  if (launches.empty()) return std::nullopt;
  const double tolerated = 1.1;
  std::vector<double> start_up;
  start_up.reserve(launches.size());
  Seconds shortest = launches.front().measuring;
  Seconds beyond_sparse{};
  bool overran = false;
  for (const LaunchTimes& launch : launches) {
    start_up.push_back(std::max(0.0, (launch.wall - launch.measuring).value));
    shortest = std::min(shortest, launch.measuring);
    if (launch.is_sparse) beyond_sparse = std::max(beyond_sparse, launch.measuring * 2);
    overran = overran || (!launch.is_shortened && launch.measuring > launch.slot * tolerated);
  }
  return LaunchCost{{median_of_some(start_up)},
                    std::max(overran ? shortest : Seconds{}, beyond_sparse)};
}

LaunchCount plan_budget(Seconds budget, const LaunchCost& cost, std::size_t settings, int most) {
  const auto count = static_cast<double>(settings);
  const Seconds start_up = cost.start_up * count;
  const std::string because =
      cost.least_measuring.value > 0
          ? fmt::format(words::takes_and_measures, format_duration(cost.start_up),
                        format_duration(cost.least_measuring))
          : fmt::format(words::takes, format_duration(cost.start_up));
  const int enough_launches = launches_for_interval();
  const int held = count_in(budget, start_up + cost.least_measuring * count, most);
  const int comfortable = std::min(held, count_in(budget * start_up_share, start_up, most));
  if (comfortable >= std::min(enough_launches, most)) return {comfortable, because};
  const int crowded = count_in(budget * start_up_share_at_most, start_up, most);
  if (std::min(held, crowded) >= enough_launches) {
    return {enough_launches, fmt::format(words::interval_needs, because, enough_launches)};
  }
  const int few = std::min({std::max(fewest, comfortable), held, crowded});
  return {std::max(1, few), fmt::format(words::too_short, because, enough_launches)};
}

Seconds best_measuring(const LaunchCost& cost, Seconds balance) {
  const double best = std::sqrt(cost.start_up.value * balance.value);
  return std::max({Seconds{best}, cost.least_measuring, shortest_slot});
}

LaunchCount Budget::first_guess() const {
  if (plan_.launches) return {*plan_.launches, "as asked"};
  if (plan_.terms.start_up) {
    return plan_budget(plan_.total, {*plan_.terms.start_up, {}}, plan_.settings, plan_.most);
  }
  return {std::min(guessed_launches, plan_.most), std::string(words::guess)};
}

LaunchCount Budget::revise(const BudgetUse& use, int begun, LaunchCount planned) const {
  if (plan_.launches) return planned;
  const auto cost = typical_cost(use.complete);
  if (cost && use.complete.size() <= 2) {
    Seconds for_launches = left(use);
    for (const LaunchTimes& launch : use.complete) for_launches = for_launches + launch.wall;
    LaunchCount decided = plan_budget(for_launches, *cost, plan_.settings, plan_.most);
    const int of_round = left_of_block(use, begun, planned.launches);
    const Seconds after_round = left(use) - cost->start_up * of_round;
    const Seconds round = cost->start_up * worthwhile * settings();
    const int more = after_round.value > 0 ? count_in(after_round, round, plan_.most) : 0;
    const bool takes_rest = use.complete.back().is_sparse && of_round == 0 && more > 0;
    decided.launches = std::clamp(decided.launches, begun + (takes_rest ? 1 : 0), begun + more);
    return decided;
  }
  const int fitting = launches_that_fit(use, begun, planned.launches);
  if (fitting < planned.launches) return {fitting, std::string(words::no_longer_fitted)};
  if (cost && use.balance) return balanced(use, begun, planned.launches, *cost, *use.balance);
  if (use.launches_left > 0 || !cost) return planned;
  const int more = count_in(left(use), typical_wall(use) * settings(), plan_.most);
  const int extended = std::min(planned.launches + more, plan_.most);
  if (extended <= planned.launches) return planned;
  return {extended, std::string(words::ended_early)};
}

LaunchCount Budget::balanced(const BudgetUse& use, int begun, int planned, const LaunchCost& cost,
                             Seconds balance) const {
  const Seconds measuring = std::min(best_measuring(cost, balance), plan_.total);
  const Seconds block = (cost.start_up + measuring) * settings();
  const Seconds after_block = std::max(
      Seconds{}, left(use) - (cost.start_up + measuring) * left_of_block(use, begun, planned));
  // The nearest number: the remaining launches share the difference.
  const int best = begun + count_in(after_block + block / 2, block, plan_.most);
  const int room = begun + count_in(after_block, shortest_launch(cost) * settings(), plan_.most);
  const int needed = std::min(launches_for_interval(), plan_.most);
  const int launches = std::min({std::max(best, needed), room, plan_.most});
  return {std::max(begun, launches),
          fmt::format(words::worth_measuring, format_duration(measuring))};
}

int Budget::left_of_block(const BudgetUse& use, int begun, int planned) const {
  return use.launches_left - settings() * (planned - begun);
}

int Budget::launches_that_fit(const BudgetUse& use, int begun, int planned) const {
  const LaunchCost cost = known_cost(use).value_or(LaunchCost{});
  const int of_block = left_of_block(use, begun, planned);
  const Seconds bearable = left(use) + plan_.total * tolerated_excess;
  // Only whole blocks count; least_beyond() handles the first one.
  if (begun > 1 && of_block > 0 && least_of(cost, of_block) > bearable) return begun - 1;
  const int fitting = count_in(left(use), shortest_launch(cost), use.launches_left);
  return std::min(planned, begun + std::max(0, fitting - of_block) / settings());
}

std::optional<LaunchCost> Budget::known_cost(const BudgetUse& use) const {
  if (const auto cost = typical_cost(use.complete)) return cost;
  return plan_.terms.start_up ? std::optional(LaunchCost{*plan_.terms.start_up, {}}) : std::nullopt;
}

Seconds Budget::slot(const BudgetUse& use) const {
  const Seconds share = left(use) / std::max(1, use.launches_left);
  const auto cost = known_cost(use);
  // Before the cost is known, a third is reserved for start-up, as in plan_budget.
  const Seconds slot = cost ? share - cost->start_up : share * (1 - start_up_share);
  return std::max(less_overrun(slot, use.complete), shortest_slot);
}

Seconds Budget::first_epoch(const BudgetUse& use) const {
  if (plan_.launches) return slot(use);
  const int of_round = (std::max(1, use.launches_left) - 1) % settings() + 1;
  const Seconds start_up = known_cost(use).value_or(LaunchCost{usual_start_up, {}}).start_up;
  const Seconds each = plan_.total / (launches_for_interval() * settings()) - start_up;
  const Seconds rest = left(use) / of_round - start_up;
  const bool six_fit = each >= start_up;
  return std::max(slot(use), std::min(rest, six_fit ? each : rest / 2));
}

std::optional<Seconds> Budget::least_beyond(const BudgetUse& use, int planned) const {
  const bool all = plan_.launches.has_value();
  if (all && plan_.terms.rule == BudgetRule::launches_first) return std::nullopt;
  auto cost = known_cost(use);
  const int due = all ? use.launches_left : left_of_block(use, 1, planned);
  if (!cost || due <= 0) return std::nullopt;
  // The first launch is often slow.
  if (use.complete.size() == 1 && plan_.terms.start_up) {
    cost->start_up = std::min(cost->start_up, *plan_.terms.start_up);
  }
  const Seconds least = use.spent + use.due + least_of(*cost, due);
  return least > plan_.total * (1 + tolerated_excess) ? std::optional(least) : std::nullopt;
}

Seconds Budget::limit(const BudgetUse& use, Seconds launch_timeout) const {
  const LaunchCost cost = known_cost(use).value_or(LaunchCost{});
  const Seconds expected = cost.start_up + std::max(slot(use), cost.least_measuring);
  return std::min(launch_timeout, std::max({shortest_limit, left(use), expected * 3}));
}

Seconds Budget::left(const BudgetUse& use) const {
  return std::max(Seconds{}, plan_.total - use.spent - use.due);
}

LaunchFindings findings_of(const Record& record) {
  LaunchFindings findings{.points = {}, .measuring = {record.measuring_seconds}};
  for (const PlannedPoint& planned : record.points) {
    if (planned.reason.starts_with(not_reached_reason)) ++findings.left_out;
  }
  for (const TimedSeries& timed : timed_series({&record, 1}).series) {
    const Point& point = timed.series->point;
    if (is_of_other_suite(point)) continue;
    const auto error = median_error(counted_samples(*timed.series));
    findings.points.push_back(
        {.point = fmt::format("{} {}", curve_name(point), format_bytes(point.bytes)),
         .median_seconds = timed.seconds,
         .error = error ? std::optional(*error / timed.seconds) : std::nullopt});
  }
  return findings;
}

void Findings::add(const std::string& setting, const LaunchFindings& launch) {
  for (const PointFinding& finding : launch.points) {
    Point& point = points_[fmt::format("{}: {}", setting, finding.point)];
    point.medians_seconds.push_back(finding.median_seconds);
    point.measuring_seconds.push_back(launch.measuring.value);
    if (!finding.error) continue;
    point.variances_times_seconds.push_back(*finding.error * *finding.error *
                                            launch.measuring.value);
  }
}

Precision Findings::precision(double requested, double level) const {
  Precision found{.points = static_cast<int>(points_.size()), .level = level};
  for (const auto& [name, point] : points_) {
    const auto half = half_width(point.medians_seconds, level);
    if (!half) continue;
    if (*half <= requested) ++found.within;
    if (*half < found.widest && !found.widest_at.empty()) continue;
    found.widest = *half;
    found.widest_at = name;
  }
  return found;
}

std::optional<Seconds> Findings::balance() const {
  std::vector<double> inside_times_seconds;
  std::vector<double> inside;
  std::vector<double> total;
  for (const auto& [name, point] : points_) {
    const bool enough = point.medians_seconds.size() >= fewest_for_variance;
    const auto noise = median(point.variances_times_seconds);
    if (!enough || !noise || !all_positive(point.medians_seconds)) continue;
    const double measuring = median_of_some(point.measuring_seconds);
    if (!(measuring > 0)) continue;
    inside_times_seconds.push_back(*noise);
    inside.push_back(*noise / measuring);
    total.push_back(log_variance(point.medians_seconds));
  }
  if (total.empty()) return std::nullopt;
  const double between = median_of_some(total) - median_of_some(inside);
  if (between <= 0) return Seconds{std::numeric_limits<double>::infinity()};
  return Seconds{median_of_some(inside_times_seconds) / between};
}

InterimAnalyses::InterimAnalyses(int most, double level) {
  const std::vector<int> launches = moments(most);
  const double share = (1 - level) / static_cast<double>(launches.size());
  double unspent = 0;
  for (const int count : launches) {
    unspent += share;
    const auto exact = exact_level(count, 1 - unspent);
    if (exact || count == most) analyses_.push_back({count, exact.value_or(1 - unspent)});
    if (exact) unspent -= 1 - *exact;
  }
}

const InterimAnalysis* InterimAnalyses::at(int launches) const {
  const auto found = std::ranges::find(analyses_, launches, &InterimAnalysis::launches);
  return found == analyses_.end() ? nullptr : &*found;
}

const InterimAnalysis* InterimAnalyses::after(int launches) const {
  const auto found = std::ranges::upper_bound(analyses_, launches, {}, &InterimAnalysis::launches);
  return found == analyses_.end() ? nullptr : &*found;
}

LaunchCount first_plan(const Config& config, const BudgetTerms& terms) {
  if (const auto budget = budget_of(config, terms)) return budget->first_guess();
  if (config.launches) return {*config.launches, "as asked"};
  return {InterimAnalyses(most_of(config)).first().launches,
          "the fewest an interval is looked at with"};
}

std::optional<Stopping::Rule> Stopping::rule_of(const Config& config) {
  const auto requested = precision_of(config);
  if (!requested) return std::nullopt;
  return Rule{*requested, InterimAnalyses(most_of(config))};
}

Stopping::Stopping(const Config& config, const BudgetTerms& terms)
    : budget_(budget_of(config, terms)), rule_(rule_of(config)) {}

LaunchCount Stopping::analyse(const Findings& findings, int whole, LaunchCount planned) const {
  if (!rule_ || whole == 0) return planned;
  const auto& [requested, analyses] = *rule_;
  const InterimAnalysis* here = analyses.at(whole);
  if (here != nullptr && findings.precision(requested, here->level).reached()) {
    return {whole, fmt::format(words::every_within, format_fraction(requested))};
  }
  const bool nothing_found = findings.precision(requested, default_level).points == 0;
  if (budget_ || whole < planned.launches || nothing_found) return planned;
  const InterimAnalysis* next = analyses.after(whole);
  if (next != nullptr) {
    return {next->launches, fmt::format(words::not_every_within, format_fraction(requested))};
  }
  return {planned.launches, std::string(words::most)};
}

Precision Stopping::reached(const Findings& findings, int whole) const {
  if (!rule_) return findings.precision(default_precision, default_level);
  const auto& [requested, analyses] = *rule_;
  // A campaign that ends between two analyses may use the level of the next one.
  const InterimAnalysis* here =
      analyses.at(whole) != nullptr ? analyses.at(whole) : analyses.after(whole);
  return findings.precision(requested, here != nullptr ? here->level : analyses.all().back().level);
}

}  // namespace hockney::campaign
