#pragma once

#include <mpi.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/programs/protocol/send_call.hpp"

namespace hockney::benchmarks::programs {

// Messages of one step of a protocol launch must never match those of another.
inline constexpr int note_tag = 0;       ///< arrangements between the two ranks of a pair
inline constexpr int hand_over_tag = 1;  ///< the message nobody waits for yet
inline constexpr int flood_tag = 2;      ///< eager messages until the sender blocks
inline constexpr int overhead_tag = 3;   ///< the overheads o_s and o_r

/// Of a call that copies its message, on any machine [B/s]: how long to wait for one to return.
inline constexpr double slowest_bytes_per_second = 1e8;

/// The bytes that messages under test carry, and whether they arrived. Byte i of every message is
/// the same function of i, however it lies in memory.
class MessageData {
 public:
  /// For messages of up to `most_bytes`, drawn from `seed`.
  MessageData(std::int64_t most_bytes, std::uint64_t seed);

  [[nodiscard]] const void* to_send(MessageLayout layout) const;
  /// A buffer for the most bytes, wrong in every byte that check() has seen.
  [[nodiscard]] void* to_receive() { return received_.data(); }
  /// Looks at the first `bytes` bytes that were received, and spoils them again.
  void check(std::int64_t bytes);
  /// Whether a byte was ever wrong.
  [[nodiscard]] bool is_corrupt() const { return is_corrupt_; }

 private:
  std::vector<std::byte> dense_;
  std::vector<std::byte> strided_;  ///< the same, in every other byte
  std::vector<std::byte> received_;
  bool is_corrupt_ = false;
};

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

}  // namespace hockney::benchmarks::programs
