#include "benchmarks/engine/clock.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <vector>

#include "core/statistics.hpp"

namespace hockney::benchmarks {
namespace {

std::int64_t ageing(std::int64_t ticks, double drift) {
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(std::abs(ticks)) * drift));
}

constexpr double significant_errors = 3;
constexpr double learning_share = 0.1;  // of the horizon

double ticks(std::int64_t difference) { return static_cast<double>(difference); }

/// The offset at the last instant from all offsets together. If they contradict each other, the
/// clocks drift more than the limit; then only the last one is used.
Offset anchor_of(std::span<const Offset> offsets) {
  const Offset& last = offsets.back();
  OffsetBounds bounds;
  for (const Offset& offset : offsets) {
    bounds.narrow(offset.at, offset.estimate - offset.bound, offset.estimate + offset.bound);
  }
  return bounds.offset(last.at).value_or(last);
}

/// The offsets without disturbed ones, whose bounds are more than twice the median.
std::vector<Offset> undisturbed(std::span<const Offset> offsets) {
  std::vector<std::int64_t> bounds;
  for (const Offset& offset : offsets) bounds.push_back(offset.bound);
  const auto middle = bounds.begin() + static_cast<std::ptrdiff_t>(bounds.size() / 2);
  std::ranges::nth_element(bounds, middle);
  std::vector<Offset> kept;
  std::ranges::copy_if(offsets, std::back_inserter(kept),
                       [&](const Offset& offset) { return offset.bound / 2 <= *middle; });
  return kept;
}

/// Whether each half of the offsets shows the slope, to within half of it. Correlated errors make
/// the standard error too small, but they bend the halves differently.
bool halves_agree(std::span<const Offset> offsets, double slope) {
  const std::size_t half = offsets.size() / 2;
  const auto agrees = [slope](std::span<const Offset> part) {
    const auto drift = fit_drift(part);
    return drift && std::abs(drift->slope - slope) <= std::abs(slope) / 2;
  };
  return agrees(offsets.first(half)) && agrees(offsets.subspan(half));
}

/// Whether a round trip is within a tenth of the shortest, as in SKaMPI.
bool near(std::int64_t round_trip, std::int64_t quickest) {
  return round_trip - quickest <= quickest / 10;
}

}  // namespace

std::int64_t bound_at(const Offset& offset, std::int64_t at) {
  return offset.bound + ageing(at - offset.at, offset.drift);
}

void OffsetBounds::add(const Sandwich& exchange) {
  // Readings are truncated to whole ticks, so that each is up to one tick early.
  narrow(exchange.before, exchange.before - exchange.reference - 1,
         exchange.after - exchange.reference + 1);
}

/// An old limit widens by the drift until a new one is made, so the widened limits are compared.
/// Their difference does not depend on the instant to which both are aged.
double OffsetBounds::lead(const Limit& limit, const Limit& other, double drift) {
  return static_cast<double>(limit.value - other.value) +
         drift * static_cast<double>(limit.at - other.at);
}

void OffsetBounds::narrow(std::int64_t at, std::int64_t low, std::int64_t high) {
  const Limit new_low{at, low};
  const Limit new_high{at, high};
  if (!low_ || lead(new_low, *low_, drift_) > 0) low_ = new_low;
  if (!high_ || lead(new_high, *high_, -drift_) < 0) high_ = new_high;
}

std::optional<Offset> OffsetBounds::offset(std::int64_t at) const {
  if (!low_ || !high_) return std::nullopt;
  const std::int64_t low = low_->value - ageing(at - low_->at, drift_);
  const std::int64_t high = high_->value + ageing(at - high_->at, drift_);
  if (low > high) return std::nullopt;
  const std::int64_t middle = std::midpoint(low, high);
  return Offset{.at = at,
                .estimate = middle,
                .bound = std::max(high - middle, middle - low),
                .drift = drift_};
}

std::optional<Drift> fit_drift(std::span<const Offset> offsets) {
  if (offsets.size() < 3) return std::nullopt;
  const auto n = static_cast<double>(offsets.size());
  const Offset& origin = offsets.front();
  double mean_x = 0;
  double mean_y = 0;
  for (const Offset& point : offsets) {
    mean_x += ticks(point.at - origin.at) / n;
    mean_y += ticks(point.estimate - origin.estimate) / n;
  }
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (const Offset& point : offsets) {
    const double x = ticks(point.at - origin.at) - mean_x;
    const double y = ticks(point.estimate - origin.estimate) - mean_y;
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  if (xx <= 0) return std::nullopt;
  const double slope = xy / xx;
  const double residual = std::fmax(0, yy - slope * xy);
  return Drift{.slope = slope, .error = std::sqrt(residual / (n - 2) / xx)};
}

std::int64_t ClockModel::to_global(std::int64_t local) const {
  return local - anchor.estimate - std::llround(slope * ticks(local - anchor.at));
}

std::int64_t ClockModel::to_local(std::int64_t global) const {
  // g = t - e - s (t - a). With d = g + e - a, the elapsed t - a is d / (1 - s) = d + d s / (1 -
  // s).
  const std::int64_t difference = global + anchor.estimate - anchor.at;
  return anchor.at + difference + std::llround(ticks(difference) * (slope / (1 - slope)));
}

std::int64_t ClockModel::certain_bound(std::int64_t local) const { return bound_at(anchor, local); }

double ClockModel::predicted_error(double horizon) const {
  return std::hypot(ticks(anchor.bound), horizon * rate_error);
}

std::optional<ClockModel> fit_clock(std::span<const Offset> offsets, double horizon) {
  if (offsets.empty()) return std::nullopt;
  ClockModel model{.anchor = anchor_of(offsets), .rate_error = drift_limit};
  const std::vector<Offset> kept = undisturbed(offsets);
  const auto drift = fit_drift(kept);
  if (!drift) return model;
  const double learning = ticks(kept.back().at - kept.front().at);
  const double steepness = std::abs(drift->slope);
  model.slope_used = steepness > significant_errors * drift->error && steepness <= drift_limit &&
                     learning >= learning_share * horizon && halves_agree(kept, drift->slope);
  if (model.slope_used) model.slope = drift->slope;
  model.anchor.drift += std::abs(model.slope);  // the true slope may be anywhere within the limit
  // An uncorrected slope remains part of the error.
  model.rate_error = model.slope_used ? drift->error : std::hypot(drift->slope, drift->error);
  return model;
}

Clock examine(TickClock& clock, int readings) {
  std::vector<double> steps;
  steps.reserve(static_cast<std::size_t>(readings));
  for (std::int64_t last = clock.now(); readings > 0; --readings) {
    const std::int64_t now = clock.now();
    steps.push_back(static_cast<double>(now - last) * clock.seconds_per_tick());
    last = now;
  }
  std::ranges::sort(steps);
  const auto positive = std::ranges::upper_bound(steps, 0.0);
  return {.source = clock.source(),
          .resolution_seconds = positive == steps.end() ? 0.0 : *positive,
          .cost_seconds = median(steps).value_or(0.0)};
}

Clock coarsest(Clock own, RankGroup& group) {
  std::array facts{own.resolution_seconds, own.cost_seconds};
  group.maximum(facts);
  own.resolution_seconds = facts[0];
  own.cost_seconds = facts[1];
  return own;
}

std::vector<SyncRound> sync_rounds(int participants) {
  std::vector<SyncRound> rounds;
  if (participants < 2) return rounds;
  const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(participants)));
  for (int distance = power / 2; distance > 0; distance /= 2) {
    SyncRound& round = rounds.emplace_back();
    for (int parent = 0; parent < power; parent += 2 * distance) {
      round.push_back({parent, parent + distance});
    }
  }
  if (participants == power) return rounds;
  SyncRound& rest = rounds.emplace_back();
  for (int child = power; child < participants; ++child) rest.push_back({child - power, child});
  return rounds;
}

TreeLearner::TreeLearner(int number, int participants, const Effort& effort)
    : number_(number), effort_(effort) {
  for (const SyncRound& round : sync_rounds(participants)) {
    std::ranges::copy_if(round, std::back_inserter(rounds_),
                         [&](const SyncExchange& sync_exchange) {
                           return sync_exchange.parent == number_ || sync_exchange.child == number_;
                         });
  }
}

void TreeLearner::pass(Exchange& exchange) {
  known_.reset();
  if (number_ == 0) known_ = Offset{.at = exchange.now(), .drift = 0};
  for (const SyncExchange& sync_exchange : rounds_) {
    if (sync_exchange.child == number_) known_ = learn(exchange, sync_exchange.parent);
    if (sync_exchange.parent == number_) exchange.teach(sync_exchange.child, known_);
  }
  if (known_) offsets_.push_back(*known_);
}

std::optional<ClockModel> TreeLearner::model(double horizon) const {
  if (number_ == 0) return ClockModel{};
  return fit_clock(offsets_, horizon);
}

/// Errors add up on the way from the global clock.
std::optional<Offset> TreeLearner::learn(Exchange& exchange, int parent) {
  std::optional<Offset> found;
  for (int attempt = 0; attempt < effort_.attempts && !found; ++attempt) {
    found = measure(exchange, parent);
  }
  const auto parent_bound = exchange.finish(parent);
  if (!found || !parent_bound) return std::nullopt;
  found->bound += *parent_bound;
  return found;
}

std::optional<Offset> TreeLearner::measure(Exchange& exchange, int parent) {
  OffsetBounds bounds;
  std::int64_t start = 0;  // after the first reply, which may wait for the parent's own estimate
  std::int64_t end = 0;
  for (int done = 1; done <= effort_.most; ++done) {
    const std::int64_t before = exchange.now();
    const std::int64_t answer = exchange.query(parent);
    end = exchange.now();
    bounds.add({before, answer, end});
    quickest_ = std::min(quickest_, end - before);
    if (done == 1) start = end;
    const bool enough = done >= effort_.least && near(end - before, quickest_);
    if (enough || end - start > effort_.longest) break;
  }
  return bounds.offset(end);
}

}  // namespace hockney::benchmarks
