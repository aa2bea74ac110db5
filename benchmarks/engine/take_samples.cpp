#include "benchmarks/engine/take_samples.hpp"

#include <algorithm>
#include <cstdint>

#include "core/statistics.hpp"

namespace hockney {
namespace {

/// When the ranks began and ended their samples, in ticks since a moment the group agreed on, so
/// that doubles hold them exactly.
class Stamps {
 public:
  explicit Stamps(std::int64_t origin) : origin_(origin) {}

  void add(const Start& start, std::int64_t end) {
    const double begun = since(start.begun);
    locals_.push_back(since(end) - begun);
    agreed_.push_back(start.agreed ? std::optional(since(*start.agreed)) : std::nullopt);
    numbers_.insert(numbers_.end(), {begun, -begun, since(end), start.late ? 1.0 : 0.0});
  }

  /// Makes the stamps of one rank those of the group: last and first begin, last end, any late.
  void share(RankGroup& group) { group.maximum(numbers_); }

  [[nodiscard]] std::size_t size() const { return agreed_.size(); }
  [[nodiscard]] bool late(std::size_t i) const { return numbers_[fields * i + 3] != 0; }
  [[nodiscard]] double skew(std::size_t i) const { return last_begin(i) - first_begin(i); }
  /// This rank's own time, which is not shared.
  [[nodiscard]] double local(std::size_t i) const { return locals_[i]; }
  [[nodiscard]] double duration(std::size_t i) const {
    return numbers_[fields * i + 2] - agreed_[i].value_or(first_begin(i));
  }

 private:
  static constexpr std::size_t fields = 4;  // of each sample in numbers_

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

  /// Keeps the samples that all ranks began in time; how many were late.
  int keep(const Stamps& stamps) {
    const auto operations = static_cast<double>(sampling_.batch * sampling_.divisor);
    int late = 0;
    for (std::size_t i = 0; i < stamps.size(); ++i) {
      if (stamps.late(i)) {
        ++late;
        continue;
      }
      const double seconds_per_tick = clock_.seconds_per_tick();
      block_.samples_seconds.push_back(stamps.duration(i) * seconds_per_tick / operations);
      skews_.push_back(stamps.skew(i) * seconds_per_tick);
      locals_.push_back(stamps.local(i) * seconds_per_tick / operations);
    }
    return late;
  }

  /// Every rank's own median: each fills in its place, and the largest of each place is shared.
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
  const auto operations = static_cast<double>(sampling.batch * sampling.divisor);
  for (int i = 0; i < sampling.samples; ++i) {
    operation.ready();
    const std::int64_t begin = clock.now();
    operation.run_batch(sampling.batch);
    const auto ticks = static_cast<double>(clock.now() - begin);
    block.samples_seconds.push_back(ticks * clock.seconds_per_tick() / operations);
  }
}

}  // namespace

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

}  // namespace hockney
