#include "benchmarks/engine/start_synchroniser.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <limits>

#include "core/statistics.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {
namespace {

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

/// Dissemination barrier (Hensgen, Finkel, Manber 1988). In round k every rank sends a message to
/// the rank 2^k ahead; after ceil(log2 p) rounds each has messages from all, directly or
/// indirectly.
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

/// An agreed time further ahead than these slacks and seconds comes from a clock that jumped [s].
constexpr double most_slacks_ahead = 10;
constexpr double tolerance_seconds = 1e-3;

/// Round-Time (Hunold, Carpen-Amarie 2018). Before every operation the first rank sends a time a
/// little ahead. A rank that receives it too late reports that, and the start is repeated. A rank
/// whose clock went back would wait for as long at every start; it starts at once instead, and
/// reports the jump.
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

  /// Raises the slack if more than a tenth of the starts were late, and lowers it if none was: a
  /// few late starts cost less than a longer wait before each. Of fewer than a hundred starts a
  /// tenth may be late by chance, but not three in a row. Samples that evict the caches slow down
  /// the next broadcast, and a point may have only a few such samples.
  void learn(int starts, int late) override {
    constexpr int enough = 100;
    constexpr int tolerated = 10;
    constexpr double growth = 1.5;
    constexpr double shrinkage = 0.9;
    constexpr int no_bad_luck = 3;
    constexpr double cpus_are_shared_seconds = 1e-3;  // a longer wait does not help then
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
  int starts_ = 0;    ///< since the slack was last adapted
  int late_ = 0;      ///< among these
  int in_a_row_ = 0;  ///< consecutive late ones up to the last start
};

}  // namespace

std::string start_name(StartScheme scheme) { return std::string(word(scheme)); }

StartScheme parse_start(const std::string& name) {
  return parse_word<StartScheme>(name, fmt::format("unknown start '{}'", name),
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
