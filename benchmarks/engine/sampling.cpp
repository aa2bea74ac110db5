#include "benchmarks/engine/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "core/sample_unit.hpp"
#include "core/statistics.hpp"

namespace hockney::benchmarks {
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

}  // namespace hockney::benchmarks
