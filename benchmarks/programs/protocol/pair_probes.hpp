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
#include "benchmarks/engine/limit_search.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "core/provenance.hpp"
#include "core/record.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::programs {

/// The ways of sending one message, from the call until the buffer may be used again.
enum class SendCall {
  send,        ///< MPI_Send
  isend,       ///< MPI_Isend and MPI_Wait
  persistent,  ///< MPI_Send_init, MPI_Start and MPI_Wait
  ssend        ///< MPI_Ssend: returns only after a receive
};

/// Layout of a message in memory.
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

/// InputError that names the nearest for an unknown name.
SendCall parse_call(const std::string& name);
MessageLayout parse_layout(const std::string& name);

/// A message of `bytes` bytes: `count` elements of a type.
class SentMessage {
 public:
  SentMessage(MessageLayout layout, std::int64_t bytes);

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] MPI_Datatype type() const { return derived_ ? derived_.get() : MPI_BYTE; }

 private:
  UniqueDatatype derived_;
  int count_ = 1;
};

// The tags of one step of a protocol launch differ from those of the others.
inline constexpr int note_tag = 0;          ///< notes between the two ranks of a pair
inline constexpr int late_receive_tag = 1;  ///< the message without a posted receive
inline constexpr int flood_tag = 2;         ///< eager messages until the sender blocks
inline constexpr int overhead_tag = 3;      ///< the overheads o_s and o_r

/// Least bandwidth of a copying call on any machine [B/s]; determines how long to wait for one.
inline constexpr double slowest_bytes_per_second = 1e8;

/// The bytes of test messages, and whether they arrived. Byte i of every message is the same
/// function of i in every layout.
class MessageData {
 public:
  /// For messages of up to `most_bytes`, random by `seed`.
  MessageData(std::int64_t most_bytes, std::uint64_t seed);

  [[nodiscard]] const void* to_send(MessageLayout layout) const;
  /// A buffer for the largest message; every byte that check() has read is wrong.
  [[nodiscard]] void* to_receive() { return received_.data(); }
  /// Checks the first `bytes` received bytes, and poisons them again.
  void check(std::int64_t bytes);
  /// Whether any byte was wrong.
  [[nodiscard]] bool is_corrupt() const { return is_corrupt_; }

 private:
  std::vector<std::byte> dense_;
  std::vector<std::byte> strided_;  ///< the same in every other byte
  std::vector<std::byte> received_;
  bool is_corrupt_ = false;
};

/// What the receiver does during a message that it has not posted a receive for.
enum class Receiver {
  progressing,  ///< stays inside MPI, in MPI_Iprobe on another communicator
  asleep        ///< is outside MPI
};

/// A receiver's wait, in ticks of the common clock.
struct Waited {
  std::int64_t settled = 0;  ///< after this time it called MPI several times; asleep: the end
  std::int64_t end = 0;      ///< before it posted the receive
};

using Stamps = std::array<std::int64_t, 2>;

/// The two ranks of a pair: rank 0 sends, rank 1 receives. Their notes use a separate communicator,
/// so that they never match the test messages.
class PairLink {
 public:
  /// `pair` has two ranks, whose `clock` shows the same time. Collective over them.
  PairLink(MPI_Comm pair, TickClock& clock);

  [[nodiscard]] bool is_sender() const { return rank_ == 0; }
  [[nodiscard]] int other() const { return 1 - rank_; }
  /// For the test messages.
  [[nodiscard]] MPI_Comm messages() const { return messages_.get(); }

  /// Sends an empty note to the other rank, and receives one.
  void notify();
  void await_note();
  /// Waits `seconds`. A progressing receiver probes for a note all the time and stops at one,
  /// without receiving it. It probes at least ten times, even if it starts late.
  Waited wait(Receiver receiver, double seconds);
  /// Exchanges two ticks with the other rank.
  Stamps exchange(Stamps own);
  /// The value of rank `from` of the pair, on both.
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

/// One way of sending whose limit is to be found.
struct EagerQuery {
  SendCall call = SendCall::send;
  Receiver receiver = Receiver::progressing;
  MessageLayout layout = MessageLayout::bytes;
};

/// The largest message that is handed over without a matching receive: the call returns before the
/// receiver starts to receive, by a common clock. If a call starts too late for a decision, it is
/// repeated. Each message is received and checked; `data` keeps the result. Collective over the
/// pair; the same result on both ranks.
EagerLimit find_eager_limit(PairLink& link, MessageData& data, const EagerQuery& question,
                            std::int64_t most_bytes);

/// Messages without a posted receive, one after the other.
struct Flood {
  std::int64_t bytes = 1;  ///< of each message
  int most = 1;            ///< number of messages
  Receiver receiver = Receiver::progressing;
};

/// Number of MPI_Sends that return while no message is received, until one blocks. `when_flooded`
/// is called on the receiver while the messages wait. nullopt if the sender was too slow for a
/// decision. Collective over the pair; the same result on both ranks.
std::optional<Unexpected> count_unexpected(PairLink& link, MessageData& data, const Flood& flood,
                                           const std::function<void()>& when_flooded);

/// The memory of connections: reads the memory of every process before the job's first message
/// ("after-init"). Then rank 0 exchanges an empty message with one rank after the other, and both
/// read their memory ("after-peer"). Call it before any other communication. Each rank gets its own
/// readings, without its rank number. Collective.
std::vector<MemoryUse> contact_peers(MPI_Comm comm);

/// The parameters of LogGP (Alexandrov and others 1995) and PLogP (Kielmann and others 2000).
enum class Overhead {
  send,       ///< o_s: MPI_Send to a late receiver
  receive,    ///< o_r: MPI_Recv of a message that has arrived
  gap,        ///< g: between consecutive messages at the receiver
  round_trip  ///< half of a round trip, which gives L
};

constexpr auto words_of(std::type_identity<Overhead>) {
  return std::to_array<std::string_view>(
      {"send-overhead", "receive-overhead", "gap", "half-round-trip"});
}

/// All of them, in order.
std::vector<Overhead> all_overheads();

/// The operation of its series: "send-overhead", "receive-overhead", "gap", "half-round-trip". The
/// names differ from those in the catalogue, whose times are taken differently and must not be
/// pooled.
std::string overhead_name(Overhead overhead);

/// Messages timed together in one sample.
std::int64_t overhead_batch(Overhead overhead);

/// Takes one sample [s], for one message: on the sender or the receiver, wherever the overhead is.
/// The messages must be small enough to be handed over. Collective over the pair; the same result
/// on both ranks.
double time_overhead(PairLink& link, MessageData& data, Overhead overhead, std::int64_t bytes);

}  // namespace hockney::benchmarks::programs
