#include "benchmarks/engine/sampling.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "core/sample_unit.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"

// The order of points in an epoch, and whether another epoch follows.
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

namespace {

/// Largest share of a sample for reading the clock. About eight times as much is lost at the edges
/// of a batch: while one rank reads the clock, the other's library starts to poll elsewhere.
constexpr double timer_share = 0.001;

double seconds_of_batch(PreparedOperation& operation, TickClock& clock, std::int64_t iterations) {
  const std::int64_t start = clock.now();
  operation.run_batch(iterations);
  return static_cast<double>(clock.now() - start) * clock.seconds_per_tick();
}

/// The fastest of a few batches, each timed on its slowest rank [s]: a disturbance must not count
/// as time of the operation.
double seconds_of_quiet_batch(PreparedOperation& operation, RankGroup& group, TickClock& clock,
                              std::int64_t iterations) {
  constexpr int tries = 3;
  double fastest = std::numeric_limits<double>::max();
  for (int i = 0; i < tries; ++i) {
    operation.ready();
    group.barrier();
    double seconds = seconds_of_batch(operation, clock, iterations);
    group.maximum({&seconds, 1});
    fastest = std::min(fastest, seconds);
  }
  return fastest;
}

/// Seconds of one iteration, from batches of at least `enough` seconds. Few batches: beside a busy
/// process the ranks wait some milliseconds for each other before each.
double seconds_of_iteration(PreparedOperation& operation, RankGroup& group, TickClock& clock,
                            double enough) {
  constexpr std::int64_t most_iterations = std::int64_t{1} << 20;
  constexpr double least_growth = 2;
  constexpr double most_growth = 16;
  for (std::int64_t iterations = 1;;) {
    const double seconds = seconds_of_quiet_batch(operation, group, clock, iterations);
    if (seconds >= enough || iterations >= most_iterations) {
      return seconds / static_cast<double>(iterations);
    }
    const double missing = seconds > 0 ? std::ceil(enough / seconds) : most_growth;
    iterations *= static_cast<std::int64_t>(std::clamp(missing, least_growth, most_growth));
  }
}

std::int64_t at_least_one(double count) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(count)));
}

constexpr int samples_per_spare = 4;  // a start in five may be late
constexpr int fewest_spares = 4;      // of a few starts, more may be late by chance

bool has_late_starts(const Sampling& sampling) { return sampling.timing == Timing::last_rank; }

/// Iterations available for samples, when some are reserved for gathering and late starts.
std::int64_t room_for(const Sampling& sampling, std::optional<std::int64_t> most) {
  if (!most) return std::numeric_limits<std::int64_t>::max();
  const std::int64_t starts = *most - 1;
  const std::int64_t spares = has_late_starts(sampling) ? starts / (samples_per_spare + 1) : 0;
  return std::max<std::int64_t>(1, starts - spares);
}

int spares_for(const Sampling& sampling, std::int64_t most) {
  if (!has_late_starts(sampling)) return 0;
  const std::int64_t left = (most - 1) / sampling.batch - sampling.samples;
  const int wanted =
      std::max(fewest_spares, (sampling.samples + samples_per_spare - 1) / samples_per_spare);
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, wanted));
}

}  // namespace

double shortest_sample(const Clock& clock) {
  return std::max(clock.cost_seconds, clock.resolution_seconds) / timer_share;
}

int most_starts(const Sampling& sampling) {
  if (sampling.timing == Timing::first_rank) return sampling.samples;
  return sampling.spares ? sampling.samples + *sampling.spares : sampling.samples * late_rounds;
}

std::int64_t iterations_of_block(const Sampling& sampling) {
  return 1 + sampling.batch * most_starts(sampling);
}

Sampling calibrate(PreparedOperation& operation, RankGroup& group, TickClock& clock,
                   Sampling sampling, const Pace& pace, std::optional<double> known_seconds) {
  const double enough = sampling.needs_ready ? 0 : pace.shortest_sample_seconds;
  const double iteration =
      known_seconds ? *known_seconds : seconds_of_iteration(operation, group, clock, enough);
  sampling.iteration_seconds = iteration;
  if (iteration <= 0 || pace.shortest_sample_seconds <= 0) return sampling;
  const auto most = operation.most_iterations();
  const std::int64_t room = room_for(sampling, most);
  const double block = std::min(pace.block_seconds, static_cast<double>(room) * iteration);
  const double sample = std::max(pace.shortest_sample_seconds, block / pace.most_samples);
  sampling.batch = sampling.single ? 1 : std::min(room, at_least_one(sample / iteration));
  const double seconds = iteration * static_cast<double>(sampling.batch) + sampling.start_seconds;
  sampling.samples = static_cast<int>(std::clamp<std::int64_t>(
      std::min(at_least_one(block / seconds), room / sampling.batch), 1, pace.most_samples));
  sampling.batch = group.from_first(sampling.batch);
  sampling.samples = static_cast<int>(group.from_first(sampling.samples));
  if (most) sampling.spares = spares_for(sampling, *most);
  return sampling;
}

namespace {

/// Starts and ends of the ranks' samples, in ticks since a moment the group agreed on, so that
/// doubles represent them exactly.
class Stamps {
 public:
  explicit Stamps(std::int64_t origin) : origin_(origin) {}

  void add(const Start& start, std::int64_t end) {
    const double begun = since(start.begun);
    locals_.push_back(since(end) - begun);
    agreed_.push_back(start.agreed ? std::optional(since(*start.agreed)) : std::nullopt);
    const double fault = start.jumped ? jump : (start.late ? lateness : 0);
    numbers_.insert(numbers_.end(), {begun, -begun, since(end), fault});
  }

  /// Combines the ranks' stamps: last and first start, last end, any fault.
  void share(RankGroup& group) { group.maximum(numbers_); }

  [[nodiscard]] std::size_t size() const { return agreed_.size(); }
  [[nodiscard]] bool late(std::size_t i) const { return numbers_[fields * i + 3] != 0; }
  /// Whether a rank's clock left the group's time, or a sample ended before its start.
  [[nodiscard]] bool any_jumped() const {
    for (std::size_t i = 0; i < size(); ++i) {
      if (numbers_[fields * i + 3] >= jump || duration(i) < 0) return true;
    }
    return false;
  }
  [[nodiscard]] double skew(std::size_t i) const { return last_begin(i) - first_begin(i); }
  /// This rank's own time, which is not combined.
  [[nodiscard]] double local(std::size_t i) const { return locals_[i]; }
  [[nodiscard]] double duration(std::size_t i) const {
    return numbers_[fields * i + 2] - agreed_[i].value_or(first_begin(i));
  }

 private:
  static constexpr std::size_t fields = 4;  // of each sample in numbers_
  static constexpr double lateness = 1;     // marks a late start
  static constexpr double jump = 2;

  [[nodiscard]] double since(std::int64_t tick) const {
    return static_cast<double>(tick - origin_);
  }
  [[nodiscard]] double last_begin(std::size_t i) const { return numbers_[fields * i]; }
  [[nodiscard]] double first_begin(std::size_t i) const { return -numbers_[fields * i + 1]; }

  std::int64_t origin_;
  std::vector<std::optional<double>> agreed_;
  std::vector<double> numbers_;
  std::vector<double> locals_;
};

SampleUnit unit_of(const Sampling& sampling, const TickClock& clock) {
  return {.seconds = clock.seconds_per_tick() / static_cast<double>(sampling.divisor),
          .batch = sampling.batch};
}

class ToLastRank {
 public:
  ToLastRank(PreparedOperation& operation, RankGroup& group, TickClock& clock,
             const Sampling& sampling, StartSynchroniser& synchroniser, MeasurementBlock& block)
      : operation_(operation),
        group_(group),
        clock_(clock),
        sampling_(sampling),
        synchroniser_(synchroniser),
        block_(block) {}

  void take() {
    int started = 0;
    for (int round = 0; round < late_rounds && missing() > 0; ++round) {
      const int starts = std::min(missing(), most_starts(sampling_) - started);
      if (starts == 0) break;
      started += starts;
      const Stamps stamps = measure(starts);
      if (stamps.any_jumped()) return end_by_jump(block_);
      const int late = keep(stamps);
      synchroniser_.learn(static_cast<int>(stamps.size()), late);
      block_.late_starts += late;
    }
    block_.skew_seconds = median(skews_);
    if (sampling_.local_times) block_.locals_seconds = locals_of_all();
  }

 private:
  [[nodiscard]] int missing() const {
    return sampling_.samples - static_cast<int>(block_.samples_seconds.size());
  }

  Stamps measure(int samples) {
    Stamps stamps(group_.from_first(clock_.now()));
    for (int i = 0; i < samples; ++i) {
      operation_.ready();
      const Start start = synchroniser_.start();
      operation_.run_batch(sampling_.batch);
      stamps.add(start, clock_.now());
    }
    stamps.share(group_);
    return stamps;
  }

  /// Keeps the samples that all ranks started in time; returns the number of late ones.
  int keep(const Stamps& stamps) {
    const SampleUnit unit = unit_of(sampling_, clock_);
    int late = 0;
    for (std::size_t i = 0; i < stamps.size(); ++i) {
      if (stamps.late(i)) {
        ++late;
        continue;
      }
      block_.samples_seconds.push_back(unit.sample(stamps.duration(i)));
      skews_.push_back(stamps.skew(i) * clock_.seconds_per_tick());
      locals_.push_back(unit.sample(stamps.local(i)));
    }
    return late;
  }

  /// Every rank's own median: each rank sets its element of the list, and the maximum combines the
  /// lists.
  std::vector<double> locals_of_all() {
    std::vector<double> locals(static_cast<std::size_t>(group_.size()), 0.0);
    locals[static_cast<std::size_t>(group_.rank())] = median(locals_).value_or(0);
    group_.maximum(locals);
    return locals;
  }

  PreparedOperation& operation_;
  RankGroup& group_;
  TickClock& clock_;
  const Sampling& sampling_;
  StartSynchroniser& synchroniser_;
  MeasurementBlock& block_;
  std::vector<double> skews_;
  std::vector<double> locals_;
};

void take_on_first_rank(PreparedOperation& operation, TickClock& clock, const Sampling& sampling,
                        MeasurementBlock& block) {
  block.samples_seconds.reserve(static_cast<std::size_t>(sampling.samples));
  const SampleUnit unit = unit_of(sampling, clock);
  for (int i = 0; i < sampling.samples; ++i) {
    operation.ready();
    const std::int64_t begin = clock.now();
    operation.run_batch(sampling.batch);
    const auto ticks = static_cast<double>(clock.now() - begin);
    block.samples_seconds.push_back(unit.sample(ticks));
  }
  if (std::ranges::min(block.samples_seconds) < 0) end_by_jump(block);
}

}  // namespace

void end_by_jump(MeasurementBlock& block) {
  block = {.point = block.point, .batch = block.batch, .is_check = true};
  block.flags.emplace_back(clock_jumped_flag);
}

MeasurementBlock take_samples(PreparedOperation& operation, RankGroup& group, TickClock& clock,
                              const Sampling& sampling, StartSynchroniser& synchroniser) {
  operation.ready();
  group.barrier();
  operation.run_batch(1);
  MeasurementBlock block;
  if (sampling.timing == Timing::first_rank) {
    take_on_first_rank(operation, clock, sampling, block);
  } else {
    ToLastRank(operation, group, clock, sampling, synchroniser, block).take();
  }
  return block;
}

std::vector<std::size_t> epoch_order(std::size_t count, std::uint64_t seed, int epoch) {
  std::mt19937_64 draw(seed + 0x9E3779B97F4A7C15U * static_cast<std::uint64_t>(epoch + 1));
  return random_order(count, draw);
}

EpochRule::EpochRule(std::optional<int> epochs, double budget_seconds, int fewest)
    : epochs_(epochs), budget_seconds_(budget_seconds), fewest_(fewest) {}

std::optional<std::string> EpochRule::finished(double elapsed_seconds, int done) const {
  if (epochs_) return done >= *epochs_ ? std::optional("epochs done") : std::nullopt;
  if (done < fewest_) return std::nullopt;
  const double next = elapsed_seconds / done;
  return elapsed_seconds + next > budget_seconds_ ? std::optional("budget spent") : std::nullopt;
}

bool EpochRule::is_half_over(double elapsed_seconds, int done) const {
  return epochs_ ? 2 * done >= *epochs_ : 2 * elapsed_seconds >= budget_seconds_;
}

bool is_time_to_look(int epochs) {
  int look = 8;
  while (look < epochs) look += look / 2;
  return look == epochs;
}

namespace {

constexpr int confirmations = 3;

class Search {
 public:
  Search(const HandOverProbe& probe, std::int64_t most_bytes) : probe_(probe), most_(most_bytes) {}

  LimitFound run() {
    double_until_held();
    while (found_.held_bytes) {
      const std::int64_t held = halve(*found_.held_bytes);
      if (is_held_for_certain(held)) break;
      ++found_.corrections;
      take(held);
      double_until_held();
    }
    look_above();
    look_below();
    std::ranges::sort(found_.exceptions);
    return found_;
  }

 private:
  bool query(std::int64_t bytes, Patience patience) {
    ++found_.probes;
    return probe_(bytes, patience);
  }

  bool is_held_for_certain(std::int64_t bytes) {
    for (int i = 0; i < confirmations; ++i) {
      if (query(bytes, Patience::long_wait)) return false;
    }
    return true;
  }

  /// The size was handed over.
  void take(std::int64_t bytes) {
    found_.limit_bytes = bytes;
    found_.held_bytes.reset();
  }

  /// From the limit so far upwards, with doubling steps, to a size not handed over or to the
  /// largest.
  void double_until_held() {
    for (std::int64_t step = 1; found_.limit_bytes.value_or(-1) < most_; step *= 2) {
      const std::int64_t bytes = std::min(found_.limit_bytes.value_or(-1) + step, most_);
      if (!query(bytes, Patience::short_wait)) {
        found_.held_bytes = bytes;
        return;
      }
      take(bytes);
    }
  }

  /// From a size not handed over down to the smallest such size, which it returns.
  std::int64_t halve(std::int64_t held) {
    std::int64_t good = found_.limit_bytes.value_or(-1);
    while (held - good > 1) {
      const std::int64_t middle = good + (held - good) / 2;
      (query(middle, Patience::short_wait) ? good : held) = middle;
    }
    if (good >= 0) found_.limit_bytes = good;
    found_.held_bytes = held;
    return held;
  }

  /// Checks that no size above the limit is handed over.
  void look_above() {
    if (!found_.held_bytes) return;
    for (std::int64_t gap = 1; *found_.held_bytes + gap <= most_; gap *= 3) {
      const std::int64_t bytes = *found_.held_bytes + gap;
      if (query(bytes, Patience::short_wait)) found_.exceptions.push_back(bytes);
    }
  }

  /// Checks that all sizes below the limit are handed over.
  void look_below() {
    if (!found_.limit_bytes) return;
    for (std::int64_t gap = 1; *found_.limit_bytes - gap >= 0; gap *= 3) {
      const std::int64_t bytes = *found_.limit_bytes - gap;
      if (!query(bytes, Patience::short_wait) && is_held_for_certain(bytes)) {
        found_.exceptions.push_back(bytes);
      }
    }
  }

  const HandOverProbe& probe_;
  std::int64_t most_;
  LimitFound found_;
};

}  // namespace

LimitFound find_limit(const HandOverProbe& probe, std::int64_t most_bytes) {
  return Search(probe, most_bytes).run();
}

}  // namespace hockney::benchmarks
