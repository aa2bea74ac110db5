#include "verdicts/fleet/links.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "core/distributions.hpp"
#include "core/error.hpp"
#include "core/statistics.hpp"

namespace hockney::fleet {
namespace {

constexpr double clip = 3;
constexpr double allowance = 0.5;
/// Root of E exp(decay (score - allowance)) = 1, the rate at which false alarms fall with the
/// threshold. It is 1 for normal scores, 0.7 if 2 % of them are at the clip.
constexpr double decay = 0.7;
constexpr std::size_t recent = 7;       // values whose median ends a verdict
constexpr double overshoot = 1.166;     // Siegmund 1985: of a sum of normal scores over its limit
constexpr double median_loss = 1.2533;  // standard error of the median over the mean's
constexpr std::size_t least_repetitions = 3;

/// A link by its hosts in alphabetical order, and its hop class.
using LinkName = std::tuple<std::string, std::string, std::string>;

LinkName name_of(const std::string& a, const std::string& b, const std::string& hop) {
  return {std::min(a, b), std::max(a, b), hop};
}

LinkVerdict verdict_of(const LinkName& name, std::vector<double> logs,
                       const FleetOptions& options) {
  LinkVerdict verdict;
  std::tie(verdict.a, verdict.b, verdict.hop) = name;
  verdict.values = logs.size();
  if (const auto interval = quantile_interval(logs)) {
    verdict.interval =
        Interval{std::expm1(interval->low), std::expm1(interval->high), interval->level};
  }
  verdict.effect = std::expm1(quick_median(logs));
  verdict.severity =
      verdict.effect > options.isolate_beyond ? Severity::isolate : Severity::monitor;
  return verdict;
}

void sort(std::vector<LinkVerdict>& verdicts) {
  std::ranges::stable_sort(verdicts, std::ranges::greater{}, &LinkVerdict::effect);
}

/// The state of one link after some nights.
class LinkState {
 public:
  void observe(const LinkEffect& link, double threshold, double floor) {
    logs_.push_back(std::log1p(link.effect));
    sum_ = std::max(0.0, sum_ + std::clamp(link.score, -clip, clip) - allowance);
    if (slow_) {
      slow_ = median_of_last(recent) > floor / 2;  // half: a steady verdict at the floor
      if (slow_) return;
      sum_ = 0;
    }
    if (sum_ <= 0) logs_.clear();
    slow_ = sum_ > threshold && median_of_last(logs_.size()) > floor;
  }

  [[nodiscard]] bool slow() const { return slow_; }
  [[nodiscard]] const std::vector<double>& logs() const { return logs_; }

 private:
  [[nodiscard]] double median_of_last(std::size_t count) const {
    const auto begin = logs_.end() - static_cast<std::ptrdiff_t>(std::min(count, logs_.size()));
    std::vector<double> last(begin, logs_.end());
    return quick_median(last);
  }

  double sum_ = 0;  ///< CUSUM of the scores
  bool slow_ = false;
  std::vector<double> logs_;  ///< effects since the sum was 0 [log ratio]
};

double threshold_for(std::size_t links, const FleetOptions& options) {
  const double run_length = static_cast<double>(links) / options.false_nodes_per_night;
  return std::max(std::log(allowance * run_length) / decay - overshoot, 2 * clip);
}

/// log(time / expected time of that night), for each link measured again.
using Repetitions = std::map<LinkName, std::vector<double>>;

Repetitions excess(const FleetNight& night, std::span<const NightlyPair> again) {
  std::map<LinkName, double> expected;
  for (const LinkEffect& link : night.links) {
    expected[name_of(link.a, link.b, link.hop)] = std::log(link.expected_seconds);
  }
  Repetitions found;
  for (const NightlyPair& pair : again) {
    if (!(pair.seconds > 0) || !std::isfinite(pair.seconds)) {
      throw InputError({fmt::format("the pair {} and {} took {:f} s when measured again", pair.a,
                                    pair.b, pair.seconds),
                        "times are positive and finite", "repair or remove it"});
    }
    const LinkName name = name_of(pair.a, pair.b, pair.hop);
    const auto known = expected.find(name);
    if (known != expected.end()) found[name].push_back(std::log(pair.seconds) - known->second);
  }
  return found;
}

/// Shift of the whole night since, from links that are not suspects.
struct NightDrift {
  double moved = 0;        ///< [log ratio]
  std::size_t values = 0;  ///< number of values used
};

NightDrift drift(const Repetitions& repetitions, const std::vector<LinkName>& suspects) {
  std::vector<double> all;
  for (const auto& [name, logs] : repetitions) {
    if (std::ranges::find(suspects, name) != suspects.end()) continue;
    all.insert(all.end(), logs.begin(), logs.end());
  }
  return {all.empty() ? 0 : quick_median(all), all.size()};
}

/// RepetitionSpread of the repetitions of a link, pooled over links measured more than once.
struct RepetitionSpread {
  double sigma = 0;  ///< [log ratio]
  double degrees = 0;
};

RepetitionSpread spread_of(const Repetitions& repetitions) {
  double squares = 0;
  RepetitionSpread spread;
  for (const auto& [name, logs] : repetitions) {
    const double mean =
        std::accumulate(logs.begin(), logs.end(), 0.0) / static_cast<double>(logs.size());
    for (const double log : logs) squares += (log - mean) * (log - mean);
    spread.degrees += static_cast<double>(logs.size() - 1);
  }
  if (spread.degrees > 0) spread.sigma = std::sqrt(squares / spread.degrees);
  return spread;
}

/// Variance of a link's expected time from the pairs of its nodes, without the factor median_loss.
double expected_variance(const FleetNight& night, const LinkName& name) {
  double of_nodes = 0;
  for (const NodeEffect& node : night.nodes) {
    const bool is_end = node.host == std::get<0>(name) || node.host == std::get<1>(name);
    if (is_end && node.pairs > 0) of_nodes += 1 / static_cast<double>(node.pairs);
  }
  return night.pair_sigma * night.pair_sigma * of_nodes;
}

/// The verdict on a suspect's repetitions; `error` is the standard error of the log of their
/// median.
LinkVerdict repeated_verdict(const LinkName& name, const std::vector<double>& logs, double error,
                             double degrees, const FleetOptions& options) {
  constexpr double level = 0.95;
  LinkVerdict verdict = verdict_of(name, logs, options);
  verdict.is_repeated = true;
  const double log_effect = std::log1p(verdict.effect);
  const double reach = student_upper_quantile(degrees, (1 - level) / 2) * error;
  verdict.interval =
      Interval{std::expm1(log_effect - reach), std::expm1(log_effect + reach), level};
  return verdict;
}

}  // namespace

std::string evidence_text(const LinkVerdict& link) {
  const std::string_view plural = link.values == 1 ? "" : "s";
  return link.is_repeated ? fmt::format("by {} repetition{}", link.values, plural)
                          : fmt::format("for {} night{}", link.values, plural);
}

std::vector<LinkVerdict> persistent_links(std::span<const FleetNight> nights,
                                          const FleetOptions& options) {
  std::map<LinkName, LinkState> watches;
  std::size_t most_links = 1;
  for (const FleetNight& night : nights) most_links = std::max(most_links, night.links.size());
  const double threshold = threshold_for(most_links, options);
  for (const FleetNight& night : nights) {
    for (const LinkEffect& link : night.links) {
      if (link.is_explained) continue;
      watches[name_of(link.a, link.b, link.hop)].observe(link, threshold,
                                                         std::log1p(options.practical));
    }
  }
  std::vector<LinkVerdict> named;
  for (const auto& [name, watch] : watches) {
    if (watch.slow()) named.push_back(verdict_of(name, watch.logs(), options));
  }
  sort(named);
  return named;
}

std::vector<LinkVerdict> confirm_links(const FleetNight& night, std::span<const NightlyPair> again,
                                       const FleetOptions& options) {
  std::vector<LinkVerdict> named;
  if (night.suspects.empty()) return named;
  std::vector<LinkName> suspects;
  suspects.reserve(night.suspects.size());
  for (const LinkEffect& link : night.suspects) {
    suspects.push_back(name_of(link.a, link.b, link.hop));
  }
  Repetitions repetitions = excess(night, again);
  const NightDrift others = drift(repetitions, suspects);
  const RepetitionSpread spread = spread_of(repetitions);
  const double sigma = std::max(night.pair_sigma, spread.sigma);
  const double tail = options.false_nodes_per_night / static_cast<double>(suspects.size());
  for (const LinkName& name : suspects) {
    std::vector<double>& logs = repetitions[name];
    if (logs.size() < least_repetitions) continue;
    for (double& log : logs) log -= others.moved;
    double of_values = 1 / static_cast<double>(logs.size());
    if (others.values > 0) of_values += 1 / static_cast<double>(others.values);
    const double error =
        median_loss * std::sqrt(sigma * sigma * of_values + expected_variance(night, name));
    LinkVerdict verdict = repeated_verdict(name, logs, error, spread.degrees, options);
    const bool beyond = std::log1p(verdict.effect) >
                        student_upper_quantile(spread.degrees, std::min(tail, 0.5)) * error;
    if (beyond && verdict.effect > options.practical) named.push_back(std::move(verdict));
  }
  sort(named);
  return named;
}

}  // namespace hockney::fleet
