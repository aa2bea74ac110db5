#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "benchmarks/engine/clock_model.hpp"
#include "benchmarks/engine/exchange.hpp"
#include "benchmarks/engine/sync_tree.hpp"

namespace hockney {

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

}  // namespace hockney
