#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "benchmarks/engine/clock_model.hpp"

namespace hockney::benchmarks {

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
