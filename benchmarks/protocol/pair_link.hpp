#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/harness/handle.hpp"

namespace hockney {

/// What the receiver does while a message is under way that it has not asked for.
enum class Receiver {
  progressing,  ///< stays inside MPI, in MPI_Iprobe on another communicator
  asleep        ///< is outside MPI
};

/// A receiver's wait, in ticks of the common clock.
struct Waited {
  std::int64_t settled = 0;  ///< since then it has looked into MPI several times; asleep: the end
  std::int64_t end = 0;      ///< before it began to receive
};

using Stamps = std::array<std::int64_t, 2>;

/// The two ranks of a pair: rank 0 sends, rank 1 receives. What they say to each other travels on a
/// communicator of its own, so that it never matches the messages under test.
class PairLink {
 public:
  /// `pair` has two ranks, which read the same time from `clock`. Collective over them.
  PairLink(MPI_Comm pair, TickClock& clock);

  [[nodiscard]] bool is_sender() const { return rank_ == 0; }
  [[nodiscard]] int other() const { return 1 - rank_; }
  /// For the messages under test.
  [[nodiscard]] MPI_Comm messages() const { return messages_.get(); }

  /// An empty note to the other rank, and the receipt of one.
  void notify();
  void await_note();
  /// Lets so much time pass. Who progresses looks for a note all the while and stops when there is
  /// one, which it leaves there; it looks at least ten times, however late it gets to it.
  Waited wait(Receiver receiver, double seconds);
  /// The other rank's two ticks for one's own.
  Stamps exchange(Stamps own);
  /// What rank `from` of the pair says, on both.
  std::int64_t share(std::int64_t value, int from);

  [[nodiscard]] std::int64_t now() { return clock_.now(); }
  [[nodiscard]] double seconds(std::int64_t ticks) const {
    return static_cast<double>(ticks) * clock_.seconds_per_tick();
  }

 private:
  Waited watch(std::int64_t deadline);

  UniqueComm messages_;
  UniqueComm notes_;
  TickClock& clock_;
  int rank_;
};

}  // namespace hockney
