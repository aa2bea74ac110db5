#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/engine/sampling.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "core/provenance.hpp"
#include "core/record.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::programs {

/// The ways of sending one message, from the call to the moment the buffer may be used again.
enum class SendCall {
  send,        ///< MPI_Send
  isend,       ///< MPI_Isend and MPI_Wait
  persistent,  ///< MPI_Send_init, MPI_Start and MPI_Wait
  ssend        ///< MPI_Ssend: never without a receive
};

/// How the bytes of a message lie in memory.
enum class MessageLayout {
  bytes,       ///< n of MPI_BYTE
  contiguous,  ///< one element of MPI_Type_contiguous
  strided      ///< one element of MPI_Type_vector: every other byte
};

constexpr auto words_of(std::type_identity<SendCall>) {
  return std::to_array<std::string_view>({"send", "isend", "persistent", "ssend"});
}

constexpr auto words_of(std::type_identity<MessageLayout>) {
  return std::to_array<std::string_view>({"bytes", "contiguous", "strided"});
}

/// InputError naming the nearest for an unknown one.
SendCall parse_call(const std::string& name);
MessageLayout parse_layout(const std::string& name);

/// A message of `bytes` bytes: count elements of a type.
class SentMessage {
 public:
  SentMessage(MessageLayout layout, std::int64_t bytes);

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] MPI_Datatype type() const { return derived_ ? derived_.get() : MPI_BYTE; }

 private:
  UniqueDatatype derived_;
  int count_ = 1;
};

/// Sends it, and returns when the call does.
void send_message(SendCall call, const void* data, const SentMessage& message, int to, int tag,
                  MPI_Comm comm);

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

std::string receiver_name(Receiver receiver);

/// One way of sending, asked for its limit.
struct HandOverQuestion {
  SendCall call = SendCall::send;
  Receiver receiver = Receiver::progressing;
  MessageLayout layout = MessageLayout::bytes;
};

/// The largest message that is handed over without a matching receive: the call returns before the
/// receiver begins to receive, by a clock that both read. A call that began too late to tell is
/// made again. Each message is received and its data are checked; `data` remembers. Collective over
/// the pair; the same answer on both ranks.
HandOver find_hand_over(PairLink& link, MessageData& data, const HandOverQuestion& question,
                        std::int64_t most_bytes);

/// Messages that nobody has asked for, one after the other.
struct Flood {
  std::int64_t bytes = 1;  ///< of each message
  int most = 1;            ///< messages
  Receiver receiver = Receiver::progressing;
};

/// How many MPI_Sends return before one is held, while nothing is received. `when_flooded` is
/// called on the receiver while the messages wait. nullopt where the sender was too slow to tell.
/// Collective over the pair; the same answer on both ranks.
std::optional<Unexpected> count_unexpected(PairLink& link, MessageData& data, const Flood& flood,
                                           const std::function<void()>& when_flooded);

/// What connections cost: reads the memory of every process before any message of this job
/// ("after-init"), then rank 0 exchanges an empty message with one rank after the other, and both
/// read theirs ("after-peer"). To be called first of all. Each rank gets its own readings, without
/// its number. Collective.
std::vector<MemoryUse> contact_peers(MPI_Comm comm);

/// What LogGP (Alexandrov and others 1995) and PLogP (Kielmann and others 2000) are made of.
enum class Overhead {
  send,       ///< o_s: of MPI_Send, to a receiver that is late
  receive,    ///< o_r: of MPI_Recv, of a message that has arrived
  gap,        ///< g: between messages of a train, where they arrive
  round_trip  ///< half of one, from which L follows
};

constexpr auto words_of(std::type_identity<Overhead>) {
  return std::to_array<std::string_view>(
      {"send-overhead", "receive-overhead", "gap", "half-round-trip"});
}

/// Every one, in the order of the enumeration.
std::vector<Overhead> all_overheads();

/// The operation of its series: "send-overhead", "receive-overhead", "gap", "half-round-trip". None
/// has the name of an operation of the catalogue, whose times are taken otherwise and not to be
/// pooled.
std::string overhead_name(Overhead overhead);

/// Messages timed together in one sample.
std::int64_t overhead_batch(Overhead overhead);

/// Takes one sample [s], of one message each: on the sender, or on the receiver for what happens
/// there. The messages must be small enough to be handed over. Collective over the pair; the same
/// answer on both ranks.
double time_overhead(PairLink& link, MessageData& data, Overhead overhead, std::int64_t bytes);

}  // namespace hockney::benchmarks::programs
