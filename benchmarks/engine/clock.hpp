#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/provenance.hpp"

namespace hockney::benchmarks {

/// Largest change of the difference of two clocks, as a fraction of the elapsed time. Quartz
/// oscillators are within 50 ppm of their nominal frequency, so that two are within 100 ppm of each
/// other (and 1 ppm more for the second order).
inline constexpr double drift_limit = 101e-6;

/// How far the own clock is ahead of a reference clock at one instant of the own clock. The true
/// offset is certainly within `bound` of the estimate. All in ticks.
struct Offset {
  std::int64_t at = 0;
  std::int64_t estimate = 0;
  std::int64_t bound = 0;
  double drift = drift_limit;  ///< growth of the bound before and after [ticks per tick]

  friend bool operator==(const Offset&, const Offset&) = default;
};

/// The bound at another instant, with the possible drift added [ticks].
std::int64_t bound_at(const Offset& offset, std::int64_t at);

/// A reading of the reference clock that was taken after one and before another own reading.
struct Sandwich {
  std::int64_t before = 0;
  std::int64_t reference = 0;
  std::int64_t after = 0;
};

/// Narrows the offset between two clocks with every exchange, for any asymmetry of the messages'
/// delays (SKaMPI offset; Worsch, Reussner, Augustin 2002). It assumes only causality and the
/// largest drift: a reply is sent after its request was sent and before the reply arrives.
class OffsetBounds {
 public:
  explicit OffsetBounds(double drift = drift_limit) : drift_(drift) {}

  void add(const Sandwich& exchange);
  /// Narrows: the offset was between `low` and `high` at the own instant `at`.
  void narrow(std::int64_t at, std::int64_t low, std::int64_t high);

  /// The offset at the own instant `at`, which must not be before the last exchange. nullopt
  /// without an exchange, or if the exchanges contradict each other. A clock was then set, or
  /// drifts more than the limit, and the offset must be measured again.
  [[nodiscard]] std::optional<Offset> offset(std::int64_t at) const;

 private:
  struct Limit {
    std::int64_t at = 0;
    std::int64_t value = 0;
  };
  /// The first limit minus the second, both aged to the same instant.
  static double lead(const Limit& limit, const Limit& other, double drift);

  double drift_;
  std::optional<Limit> low_;
  std::optional<Limit> high_;
};

/// The drift between two clocks, and its standard error [ticks per tick].
struct Drift {
  double slope = 0;
  double error = 0;
};

/// Ordinary least squares through offsets over time. nullopt for fewer than three offsets, which
/// give no error, or if all are of one instant.
std::optional<Drift> fit_drift(std::span<const Offset> offsets);

/// The global time for a reading t of one clock: G(t) = t - (estimate + slope (t - at)). Only the
/// small difference from the anchor is a floating-point number, so that a long uptime costs no
/// precision. The default is the global clock itself.
struct ClockModel {
  Offset anchor{.drift = 0};  ///< point of the line, with its certain bound
  double slope = 0;           ///< [ticks per tick]; 0 if unused
  double rate_error = 0;      ///< standard error of the remaining drift [ticks per tick]
  bool slope_used = false;    ///< false: not significant, or learnt too briefly to extrapolate

  [[nodiscard]] std::int64_t to_global(std::int64_t local) const;
  /// The reading of the clock at a global instant, to within one tick.
  [[nodiscard]] std::int64_t to_local(std::int64_t global) const;
  /// Certain bound of the error at a local instant, for any drift within the limit.
  [[nodiscard]] std::int64_t certain_bound(std::int64_t local) const;
  /// Expected error `horizon` ticks after the anchor [ticks].
  [[nodiscard]] double predicted_error(double horizon) const;

  friend bool operator==(const ClockModel&, const ClockModel&) = default;
};

/// A model from offsets in order of time, for use over `horizon` ticks. The offset combines all of
/// them at the last instant. The slope is fitted without disturbed offsets, which have large
/// bounds. It is used if all of these hold:
/// - it exceeds three standard errors;
/// - it is no more than clocks can drift;
/// - it was learnt over at least a tenth of the horizon, as a shorter time makes the result worse;
/// - both halves of the offsets show it.
///
/// Returns nullopt without offsets.
std::optional<ClockModel> fit_clock(std::span<const Offset> offsets, double horizon);

/// The ranks that run one operation together. All call the same functions in the same order; rank 0
/// of the group is its first rank.
class RankGroup {
 public:
  virtual ~RankGroup() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  virtual void barrier() = 0;
  /// Sends an empty message to one rank of the group, and receives one from another.
  virtual void pass(int to, int from) = 0;
  /// The first rank's value, on every rank.
  virtual std::int64_t from_first(std::int64_t value) = 0;
  /// Replaces each value by its largest value on any rank, on every rank.
  virtual void maximum(std::span<double> values) = 0;
};

/// A monotonic clock. Readings are whole ticks, so that differences stay exact after a long uptime.
class TickClock {
 public:
  virtual ~TickClock() = default;

  virtual std::int64_t now() = 0;                             ///< [ticks]
  [[nodiscard]] virtual double seconds_per_tick() const = 0;  ///< [s]
  [[nodiscard]] virtual std::string source() const = 0;       ///< name for the record
};

/// Smallest positive step and median cost of a reading, from `readings` back-to-back readings. Both
/// are 0 for a clock that does not advance while the program computes, as in a simulator.
Clock examine(TickClock& clock, int readings = 2000);

/// The largest resolution and cost of the clocks of a group. Collective. Ranks examine their clocks
/// separately, with different results. Parameters chosen from them must be the same on all ranks,
/// so that their calls match.
Clock coarsest(Clock own, RankGroup& group);

/// The common clock of all ranks of a job, computed from this rank's clock. Global ticks are those
/// of rank 0's clock.
class GlobalClock final : public TickClock {
 public:
  /// `clock` must outlive this object. `bound_seconds` is the largest bound of any rank; the global
  /// clocks of two ranks differ by at most twice as much.
  GlobalClock(TickClock& clock, const ClockModel& model, double bound_seconds)
      : clock_(&clock), model_(model), bound_seconds_(bound_seconds) {}

  std::int64_t now() override { return model_.to_global(clock_->now()); }
  [[nodiscard]] std::string source() const override { return clock_->source(); }

  [[nodiscard]] std::int64_t to_global(std::int64_t local) const { return model_.to_global(local); }
  /// Converts a global instant to the own clock, so that a deadline is converted only once.
  [[nodiscard]] std::int64_t to_local(std::int64_t global) const { return model_.to_local(global); }

  [[nodiscard]] TickClock& local() const { return *clock_; }
  [[nodiscard]] double seconds_per_tick() const override { return clock_->seconds_per_tick(); }
  [[nodiscard]] const ClockModel& model() const { return model_; }
  /// Largest distance from rank 0's clock when this one was set [s].
  [[nodiscard]] double bound_seconds() const { return bound_seconds_; }

 private:
  TickClock* clock_;
  ClockModel model_;
  double bound_seconds_;
};

/// The messages of one participant of a synchronisation. The others are identified by their numbers
/// in the tree. Times in ticks.
class Exchange {
 public:
  virtual ~Exchange() = default;

  /// Reads the own clock.
  virtual std::int64_t now() = 0;
  /// Requests the global time from the parent, which reads it between the call and its return.
  virtual std::int64_t query(int parent) = 0;
  /// Ends the estimate. Returns the largest error of the parent's global time; nullopt if the
  /// parent does not have the time.
  virtual std::optional<std::int64_t> finish(int parent) = 0;
  /// Replies to a child until it ends its estimate; `known` is the own offset from the global
  /// clock.
  virtual void teach(int child, const std::optional<Offset>& known) = 0;
};

/// A measurement of one participant's offset from another's global time.
struct SyncExchange {
  int parent = 0;
  int child = 0;

  friend bool operator==(const SyncExchange&, const SyncExchange&) = default;
};

/// Exchanges of estimates that run at the same time.
using SyncRound = std::vector<SyncExchange>;

/// The top-down binomial tree of HCA3 (Hunold, Carpen-Amarie: Hierarchical clock synchronization in
/// MPI, CLUSTER 2018). In each round every participant with the time teaches one without it, so
/// that p participants need ceil(log2 p) rounds. Those beyond the largest power of two learn in the
/// last round. Participant 0 is the global clock; a parent has a lower number than its child.
std::vector<SyncRound> sync_rounds(int participants);

/// Effort for measuring one offset.
struct Effort {
  int least = 20;    ///< exchanges
  int most = 100;    ///< exchanges, if the shortest round trip does not recur
  int attempts = 3;  ///< if exchanges contradict each other
  /// No exchange starts later than this [ticks].
  std::int64_t longest = std::numeric_limits<std::int64_t>::max();
};

/// One participant of a synchronisation. In each pass over the tree it learns its offset from the
/// global clock and teaches the participants below it; several passes show the drift. A pass
/// transmits only offsets, which are microseconds old, so that no error of a slope is passed on.
class TreeLearner {
 public:
  TreeLearner(int number, int participants, const Effort& effort);

  /// Collective over the participants.
  void pass(Exchange& exchange);

  /// The clock of this participant for use over `horizon` ticks; nullopt if every pass failed.
  [[nodiscard]] std::optional<ClockModel> model(double horizon) const;

  /// The offset from the last pass; nullopt if it failed here or above.
  [[nodiscard]] const std::optional<Offset>& known() const { return known_; }
  /// The offsets of all passes, in order of time.
  [[nodiscard]] const std::vector<Offset>& offsets() const { return offsets_; }

 private:
  std::optional<Offset> learn(Exchange& exchange, int parent);
  std::optional<Offset> measure(Exchange& exchange, int parent);

  int number_;
  Effort effort_;
  std::vector<SyncExchange> rounds_;  ///< this participant's, in order of time
  std::int64_t quickest_ = std::numeric_limits<std::int64_t>::max();  ///< shortest round trip so
                                                                      ///< far
  std::optional<Offset> known_;
  std::vector<Offset> offsets_;
};

}  // namespace hockney::benchmarks
