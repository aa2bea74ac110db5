#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/provenance.hpp"

namespace hockney::benchmarks {

/// By how much the difference of two clocks can change at most, as a fraction of the time that
/// passes: quartz oscillators are within 50 ppm of their nominal frequency, two of them within
/// 100 ppm of each other (and 1 ppm more for the second order).
inline constexpr double drift_limit = 101e-6;

/// How far the own clock is ahead of a reference clock at one instant of the own clock. The truth
/// is within `bound` of the estimate for certain, not with some probability. All in ticks.
struct Offset {
  std::int64_t at = 0;
  std::int64_t estimate = 0;
  std::int64_t bound = 0;
  double drift = drift_limit;  ///< how fast the bound grows before and after [ticks per tick]

  friend bool operator==(const Offset&, const Offset&) = default;
};

/// The bound at another instant: it grows as the clocks may have drifted apart [ticks].
std::int64_t bound_at(const Offset& offset, std::int64_t at);

/// A reading of the reference clock that was taken after one and before another own reading.
struct Sandwich {
  std::int64_t before = 0;
  std::int64_t reference = 0;
  std::int64_t after = 0;
};

/// Narrows the offset between two clocks with every exchange, however asymmetric the delays of the
/// messages are (SKaMPI offset; Worsch, Reussner, Augustin 2002): an answer cannot have been given
/// before the question was asked nor after it arrived. Nothing but causality and the largest drift
/// is assumed.
class OffsetBounds {
 public:
  explicit OffsetBounds(double drift = drift_limit) : drift_(drift) {}

  void add(const Sandwich& exchange);
  /// The offset was between `low` and `high` at the own instant `at`.
  void narrow(std::int64_t at, std::int64_t low, std::int64_t high);

  /// The offset at the own instant `at`, which must not lie before the last exchange. nullopt
  /// without an exchange, and when the exchanges contradict each other: a clock was set, or drifts
  /// more than it may, and the offset must be measured anew.
  [[nodiscard]] std::optional<Offset> offset(std::int64_t at) const;

 private:
  struct Limit {
    std::int64_t at = 0;
    std::int64_t value = 0;
  };
  /// The first limit less the second when both have aged to the same instant.
  static double lead(const Limit& limit, const Limit& other, double drift);

  double drift_;
  std::optional<Limit> low_;
  std::optional<Limit> high_;
};

/// How the difference of two clocks changes, and the standard error of that [ticks per tick].
struct Drift {
  double slope = 0;
  double error = 0;
};

/// Ordinary least squares through offsets over time. nullopt with fewer than three offsets, which
/// tell no error, or when all are of one instant.
std::optional<Drift> fit_drift(std::span<const Offset> offsets);

/// The global time that belongs to a reading t of one clock: G(t) = t - (estimate + slope (t -
/// at)). Only the small difference from the anchor meets a floating-point number, so nothing is
/// lost however long the machine has been up. The default is the global clock itself.
struct ClockModel {
  Offset anchor{.drift = 0};  ///< the offset that the line goes through, with its certain bound
  double slope = 0;           ///< [ticks per tick]; 0 when the offset alone is used
  double rate_error = 0;      ///< standard error of what is left of the drift [ticks per tick]
  bool slope_used = false;    ///< false: not significant, or learnt too briefly to extrapolate

  [[nodiscard]] std::int64_t to_global(std::int64_t local) const;
  /// The reading of the clock at a global instant, to within one tick.
  [[nodiscard]] std::int64_t to_local(std::int64_t global) const;
  /// What the error at a local instant cannot exceed, whatever the drift is within its limit.
  [[nodiscard]] std::int64_t certain_bound(std::int64_t local) const;
  /// What the error is expected to be `horizon` ticks after the anchor [ticks].
  [[nodiscard]] double predicted_error(double horizon) const;

  friend bool operator==(const ClockModel&, const ClockModel&) = default;
};

/// A model from offsets in order of time, for use over `horizon` ticks: the offset is what all of
/// them say of the last instant. The slope is fitted without offsets whose own bounds show them
/// disturbed; it is used when it is beyond three standard errors, is no more than clocks can drift,
/// was learnt over at least a tenth of the horizon (learnt over less, it makes matters worse), and
/// shows in both halves.
/// nullopt without offsets.
std::optional<ClockModel> fit_clock(std::span<const Offset> offsets, double horizon);

/// The ranks that run one operation together. Every member calls the same functions in the same
/// order; rank 0 of the group is its first rank.
class RankGroup {
 public:
  virtual ~RankGroup() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  virtual void barrier() = 0;
  /// An empty message to one rank of the group, and one from another.
  virtual void pass(int to, int from) = 0;
  /// The first rank's value, on every rank.
  virtual std::int64_t from_first(std::int64_t value) = 0;
  /// Element by element the largest value of any rank, on every rank.
  virtual void maximum(std::span<double> values) = 0;
};

/// A clock that only moves forward. Readings are whole ticks, so that differences stay exact
/// however long the machine has been up.
class TickClock {
 public:
  virtual ~TickClock() = default;

  virtual std::int64_t now() = 0;                             ///< [ticks]
  [[nodiscard]] virtual double seconds_per_tick() const = 0;  ///< [s]
  [[nodiscard]] virtual std::string source() const = 0;       ///< name for the record
};

/// Smallest positive step and median cost of a reading, from `readings` back-to-back readings. Both
/// are 0 for a clock that stands still while the program computes, as in a simulator.
Clock examine(TickClock& clock, int readings = 2000);

/// The facts that all ranks of a group go by: the largest resolution and cost of any of them.
/// Collective. Ranks examine their clocks each for themselves and never find quite the same; what
/// is chosen from their findings must be the same everywhere, or their calls no longer match.
Clock coarsest(Clock own, RankGroup& group);

/// The clock that all ranks of a job share, as this rank reads it: its own clock, converted. Global
/// ticks are ticks of rank 0's clock.
class GlobalClock final : public TickClock {
 public:
  /// `clock` must outlive it. `bound_seconds` is the largest bound of any rank, so that the global
  /// clocks of two ranks are at most twice as far apart.
  GlobalClock(TickClock& clock, const ClockModel& model, double bound_seconds)
      : clock_(&clock), model_(model), bound_seconds_(bound_seconds) {}

  std::int64_t now() override { return model_.to_global(clock_->now()); }
  [[nodiscard]] std::string source() const override { return clock_->source(); }

  [[nodiscard]] std::int64_t to_global(std::int64_t local) const { return model_.to_global(local); }
  /// What the own clock shows at a global instant: convert a deadline once, then watch the clock.
  [[nodiscard]] std::int64_t to_local(std::int64_t global) const { return model_.to_local(global); }

  [[nodiscard]] TickClock& local() const { return *clock_; }
  [[nodiscard]] double seconds_per_tick() const override { return clock_->seconds_per_tick(); }
  [[nodiscard]] const ClockModel& model() const { return model_; }
  /// How far this clock was from rank 0's at most, when it was set [s].
  [[nodiscard]] double bound_seconds() const { return bound_seconds_; }

 private:
  TickClock* clock_;
  ClockModel model_;
  double bound_seconds_;
};

/// How one participant of a synchronisation talks to the others, who are named by their numbers in
/// the tree. Times in ticks.
class Exchange {
 public:
  virtual ~Exchange() = default;

  /// The own clock.
  virtual std::int64_t now() = 0;
  /// Asks the parent for the global time; its answer was read between the call and its return.
  virtual std::int64_t ask(int parent) = 0;
  /// Ends the lesson. How far the parent's answers can be from the global time at most; nullopt
  /// when the parent does not know the time itself.
  virtual std::optional<std::int64_t> finish(int parent) = 0;
  /// Answers a child until it ends the lesson; `known` is the own offset from the global clock.
  virtual void teach(int child, const std::optional<Offset>& known) = 0;
};

/// Who learns the global time from whom.
struct Lesson {
  int parent = 0;
  int child = 0;

  friend bool operator==(const Lesson&, const Lesson&) = default;
};

/// Lessons that go on at the same time.
using LessonRound = std::vector<Lesson>;

/// The top-down binomial tree of HCA3 (Hunold, Carpen-Amarie: Hierarchical clock synchronization in
/// MPI, CLUSTER 2018): in each round everybody who knows the time teaches one who does not, so that
/// ceil(log2 p) rounds do for p participants. Those beyond the largest power of two learn in the
/// last one. Participant 0 is the global clock; a parent has a lower number than its child.
std::vector<LessonRound> lesson_rounds(int participants);

/// How long one offset is measured.
struct Effort {
  int least = 20;    ///< exchanges
  int most = 100;    ///< exchanges, when the quickest so far is not met again
  int attempts = 3;  ///< when exchanges contradict each other
  /// After so long no further exchange begins [ticks].
  std::int64_t longest = std::numeric_limits<std::int64_t>::max();
};

/// One participant of a synchronisation. In each pass over the tree it learns its offset from the
/// global clock and teaches those below it; several passes show the drift. A pass hands on offsets
/// only, which are microseconds old then, so that no error of a slope is inherited.
class TreeLearner {
 public:
  TreeLearner(int number, int participants, const Effort& effort);

  /// Collective over the participants.
  void pass(Exchange& exchange);

  /// The clock of this participant for use over `horizon` ticks; nullopt when every pass failed.
  [[nodiscard]] std::optional<ClockModel> model(double horizon) const;

  /// What the last pass found; nullopt when it failed, here or above.
  [[nodiscard]] const std::optional<Offset>& known() const { return known_; }
  /// What all passes found, in order of time.
  [[nodiscard]] const std::vector<Offset>& offsets() const { return offsets_; }

 private:
  std::optional<Offset> learn(Exchange& exchange, int parent);
  std::optional<Offset> measure(Exchange& exchange, int parent);

  int number_;
  Effort effort_;
  std::vector<Lesson> lessons_;  ///< this participant's, in order of time
  std::int64_t quickest_ = std::numeric_limits<std::int64_t>::max();  ///< round trip so far
  std::optional<Offset> known_;
  std::vector<Offset> offsets_;
};

}  // namespace hockney::benchmarks
