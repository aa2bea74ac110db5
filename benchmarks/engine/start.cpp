#include "benchmarks/engine/start.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/named_values.hpp"
#include "core/statistics.hpp"

namespace hockney::benchmarks {
namespace {

constexpr NamedValues<StartScheme, 3> start_names{{{StartScheme::round_time, "round-time"},
                                                   {StartScheme::barrier, "barrier"},
                                                   {StartScheme::dissemination, "dissemination"}}};

class BarrierStart final : public StartSynchroniser {
 public:
  BarrierStart(RankGroup& group, TickClock& clock) : group_(group), clock_(clock) {}
  Start start() override {
    group_.barrier();
    return {.begun = clock_.now()};
  }
  void learn(int, int) override {}

 private:
  RankGroup& group_;
  TickClock& clock_;
};

/// Dissemination barrier (Hensgen, Finkel, Manber 1988): in round k everybody passes a message to
/// the rank 2^k ahead; after ceil(log2 p) rounds each has heard, through others, from all.
class DisseminationStart final : public StartSynchroniser {
 public:
  DisseminationStart(RankGroup& group, TickClock& clock) : group_(group), clock_(clock) {}
  Start start() override {
    const int size = group_.size();
    for (int step = 1; step < size; step *= 2) {
      group_.pass((group_.rank() + step) % size, (group_.rank() + size - step) % size);
    }
    return {.begun = clock_.now()};
  }
  void learn(int, int) override {}

 private:
  RankGroup& group_;
  TickClock& clock_;
};

constexpr double longest_slack_seconds = 1;

/// A start that lies so many slacks and this time ahead was agreed on by another clock [s].
constexpr double most_slacks_ahead = 10;
constexpr double tolerance_seconds = 1e-3;

/// Round-Time (Hunold, Carpen-Amarie 2018): before every operation the first rank names a time that
/// lies a little ahead; who hears of it too late says so, and that start is repeated. A rank whose
/// clock went back would wait for as long as it went back, at every start: it begins at once, and
/// says so.
class RoundTimeStart final : public StartSynchroniser {
 public:
  RoundTimeStart(RankGroup& group, TickClock& clock) : group_(group), clock_(clock) {
    constexpr int tries = 10;
    constexpr double slack_per_broadcast = 3;
    double longest = 0;
    for (int i = 0; i < tries; ++i) {
      group_.barrier();
      const std::int64_t begin = clock_.now();
      group_.from_first(0);
      auto took = static_cast<double>(clock_.now() - begin);
      group_.maximum({&took, 1});
      longest += took / tries;
    }
    set_slack(slack_per_broadcast * longest);
  }

  Start start() override {
    group_.barrier();
    const std::int64_t agreed = group_.from_first(clock_.now() + std::llround(slack_ticks_));
    Start start{.begun = clock_.now(), .agreed = agreed};
    start.late = start.begun >= agreed;
    start.jumped = start.begun < last_reading_ || agreed > start.begun + farthest_ticks();
    while (start.begun < agreed && !start.jumped) {
      const std::int64_t now = clock_.now();
      start.jumped = now < start.begun;
      start.begun = now;
    }
    last_reading_ = start.begun;
    return start;
  }

  /// More slack when more than a tenth of the starts were late, less when none was: a few late ones
  /// cost less than a longer wait before each. Of fewer than a hundred starts, a tenth may be late
  /// by bad luck; three in a row are not: samples that use up the caches slow down the broadcast
  /// after them, and a point may have a few such samples alone.
  void learn(int starts, int late) override {
    constexpr int enough = 100;
    constexpr int tolerated = 10;
    constexpr double growth = 1.5;
    constexpr double shrinkage = 0.9;
    constexpr int no_bad_luck = 3;
    constexpr double cpus_are_shared_seconds = 1e-3;  // waiting for longer is no help then
    in_a_row_ = late == starts ? in_a_row_ + late : 0;
    if (in_a_row_ >= no_bad_luck &&
        slack_ticks_ * clock_.seconds_per_tick() < cpus_are_shared_seconds) {
      set_slack(slack_ticks_ * growth * growth);
      in_a_row_ = starts_ = late_ = 0;
      return;
    }
    starts_ += starts;
    late_ += late;
    if (starts_ < enough) return;
    if (late_ * tolerated > starts_) set_slack(slack_ticks_ * growth);
    if (late_ == 0) set_slack(slack_ticks_ * shrinkage);
    starts_ = 0;
    late_ = 0;
  }

 private:
  void set_slack(double ticks) {
    const double most = longest_slack_seconds / clock_.seconds_per_tick();
    slack_ticks_ = ticks > 0 ? std::min(ticks, most) : 0;
  }

  [[nodiscard]] std::int64_t farthest_ticks() const {
    return std::llround(most_slacks_ahead * slack_ticks_ +
                        tolerance_seconds / clock_.seconds_per_tick());
  }

  RankGroup& group_;
  TickClock& clock_;
  double slack_ticks_ = 0;
  std::int64_t last_reading_ = std::numeric_limits<std::int64_t>::min();
  int starts_ = 0;    ///< since the slack was last judged
  int late_ = 0;      ///< of these
  int in_a_row_ = 0;  ///< late ones, to the last start
};

}  // namespace

std::string start_name(StartScheme scheme) { return name_in(start_names, scheme); }

StartScheme parse_start(const std::string& name) {
  return value_in(start_names, name, "unknown start '" + name + "'",
                  "it is no way for ranks to begin together");
}

std::unique_ptr<StartSynchroniser> make_start_synchroniser(StartScheme scheme, RankGroup& group,
                                                           TickClock& clock) {
  switch (scheme) {
    case StartScheme::barrier:
      return std::make_unique<BarrierStart>(group, clock);
    case StartScheme::dissemination:
      return std::make_unique<DisseminationStart>(group, clock);
    case StartScheme::round_time:
      break;
  }
  return std::make_unique<RoundTimeStart>(group, clock);
}

double seconds_of_start(StartSynchroniser& synchroniser, RankGroup& group, TickClock& clock) {
  std::array<double, 9> seconds{};
  for (double& each : seconds) {
    const std::int64_t before = clock.now();
    each = static_cast<double>(synchroniser.start().begun - before) * clock.seconds_per_tick();
    group.maximum({&each, 1});
  }
  return median_of_some(seconds);
}

}  // namespace hockney::benchmarks
