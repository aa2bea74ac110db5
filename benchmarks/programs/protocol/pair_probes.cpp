#include "benchmarks/programs/protocol/pair_probes.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <span>
#include <thread>
#include <vector>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/placement.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::programs {
namespace {

void send_persistent(const void* data, const SentMessage& message, int to, int tag, MPI_Comm comm) {
  UniqueRequest request;
  mpi_check(MPI_Send_init(data, message.count(), message.type(), to, tag, comm, request.out()));
  MPI_Request started = request.get();
  mpi_check(MPI_Start(&started));
  // NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): it knows no persistent requests
  mpi_check(MPI_Wait(&started, MPI_STATUS_IGNORE));
}

void send_immediate(const void* data, const SentMessage& message, int to, int tag, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Isend(data, message.count(), message.type(), to, tag, comm, &request));
  mpi_check(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

/// Sends it; returns when the call returns.
void send_message(SendCall call, const void* data, const SentMessage& message, int to, int tag,
                  MPI_Comm comm) {
  switch (call) {
    case SendCall::send:
      return mpi_check(MPI_Send(data, message.count(), message.type(), to, tag, comm));
    case SendCall::isend:
      return send_immediate(data, message, to, tag, comm);
    case SendCall::persistent:
      return send_persistent(data, message, to, tag, comm);
    case SendCall::ssend:
      return mpi_check(MPI_Ssend(data, message.count(), message.type(), to, tag, comm));
  }
}

constexpr std::size_t least_looks = 10;
constexpr std::size_t looks_between_yields = 100;

constexpr int tries = 50;
constexpr double short_wait_seconds = 5e-3;
constexpr double long_wait_seconds = 0.05;

double wait_seconds(std::int64_t bytes, Patience patience) {
  const double base = patience == Patience::short_wait ? short_wait_seconds : long_wait_seconds;
  return base + static_cast<double>(bytes) / slowest_bytes_per_second;
}

/// When the tested call began and returned.
struct Called {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

class Probing {
 public:
  Probing(PairLink& link, MessageData& data, const EagerQuery& question)
      : link_(link), data_(data), question_(question) {}

  bool operator()(std::int64_t bytes, Patience patience) {
    const double wait = wait_seconds(bytes, patience);
    for (int i = 0; i < tries; ++i) {
      Called called;
      Waited waited;
      if (link_.is_sender()) {
        called = send(bytes);
      } else {
        waited = receive(bytes, wait);
      }
      report_results(called, waited);
      if (called.end < waited.end) return true;
      // Not handed over, if call and receiver were both waiting for most of the time.
      const bool is_early = link_.seconds(waited.end - called.begin) >= wait / 2;
      if (is_early && called.begin <= waited.settled) return false;
    }
    return false;
  }

 private:
  /// Each rank receives the other one's values.
  void report_results(Called& called, Waited& waited) {
    if (link_.is_sender()) {
      const auto [settled, end] = link_.exchange({called.begin, called.end});
      waited = {.settled = settled, .end = end};
    } else {
      const auto [begin, end] = link_.exchange({waited.settled, waited.end});
      called = {.begin = begin, .end = end};
    }
  }

  Called send(std::int64_t bytes) {
    const SentMessage message(question_.layout, bytes);
    const void* buffer = data_.to_send(question_.layout);
    Called called;
    link_.await_note();
    called.begin = link_.now();
    send_message(question_.call, buffer, message, link_.other(), late_receive_tag,
                 link_.messages());
    called.end = link_.now();
    link_.notify();
    return called;
  }

  Waited receive(std::int64_t bytes, double wait) {
    link_.notify();
    const Waited waited = link_.wait(question_.receiver, wait);
    mpi_check(MPI_Recv(data_.to_receive(), static_cast<int>(bytes), MPI_BYTE, link_.other(),
                       late_receive_tag, link_.messages(), MPI_STATUS_IGNORE));
    link_.await_note();
    data_.check(bytes);
    return waited;
  }

  PairLink& link_;
  MessageData& data_;
  EagerQuery question_;
};

std::string receiver_name(Receiver receiver) {
  return receiver == Receiver::progressing ? "progressing" : "asleep";
}

constexpr double first_wait_seconds = 0.1;
constexpr int waits = 4;  // each four times as long as the previous one
constexpr std::int64_t too_slow_to_judge = -1;

/// Times at which each call began and the last one returned; calls follow each other directly.
std::vector<std::int64_t> send_all(PairLink& link, const MessageData& data, const Flood& flood) {
  const SentMessage message(MessageLayout::bytes, flood.bytes);
  const void* buffer = data.to_send(MessageLayout::bytes);
  std::vector<std::int64_t> times(static_cast<std::size_t>(flood.most));
  link.await_note();
  for (std::int64_t& time : times) {
    time = link.now();
    send_message(SendCall::send, buffer, message, link.other(), flood_tag, link.messages());
  }
  times.push_back(link.now());
  link.notify();
  return times;
}

Waited receive_all(PairLink& link, MessageData& data, const Flood& flood, double wait,
                   const std::function<void()>& when_flooded) {
  link.notify();
  const Waited waited = link.wait(flood.receiver, wait);
  when_flooded();
  for (int i = 0; i < flood.most; ++i) {
    mpi_check(MPI_Recv(data.to_receive(), static_cast<int>(flood.bytes), MPI_BYTE, link.other(),
                       flood_tag, link.messages(), MPI_STATUS_IGNORE));
    data.check(flood.bytes);
  }
  link.await_note();
  return waited;
}

/// Number of calls that had returned when the receiver began to receive. The next call must have
/// been blocked for a while by then, and the receiver must have progressed meanwhile; else
/// too_slow_to_judge.
std::int64_t count_returned(const PairLink& link, const std::vector<std::int64_t>& times,
                            const Waited& waited, double wait) {
  const auto later = std::ranges::upper_bound(times, waited.end);
  if (later == times.end()) return std::ssize(times) - 1;
  const std::int64_t returned = later - times.begin() - 1;
  if (returned < 0) return too_slow_to_judge;
  const std::int64_t held_since = times[static_cast<std::size_t>(returned)];
  const bool is_held = link.seconds(waited.end - held_since) >= wait / 4;
  return is_held && held_since <= waited.settled ? returned : too_slow_to_judge;
}

void keep_now(const std::string& moment, int peers, std::vector<MemoryUse>& uses) {
  auto use = read_memory_use();
  if (!use) return;
  use->moment = moment;
  use->peers = peers;
  uses.push_back(*use);
}

constexpr int messages_in_batch = 32;  // a batch takes as long as many readings of a clock
constexpr double longest_wait_seconds = 0.5;
constexpr double settling_seconds = 2e-5;  // for messages that overtake a note

class SendTimer {
 public:
  SendTimer(PairLink& link, MessageData& data, std::int64_t bytes)
      : link_(link), data_(data), bytes_(bytes) {}

  /// All sends of a batch before the receiver receives any.
  std::int64_t sends(std::int64_t messages) {
    if (link_.is_sender()) {
      link_.await_note();
      const std::int64_t begin = link_.now();
      send(messages);
      const std::int64_t ticks = link_.now() - begin;
      link_.notify();
      return link_.share(ticks, 0);
    }
    link_.notify();
    link_.wait(Receiver::progressing, longest_wait_seconds);
    receive(messages);
    link_.await_note();
    return link_.share(0, 0);
  }

  /// All receives of a batch after all messages have arrived.
  std::int64_t receives(std::int64_t messages) {
    if (link_.is_sender()) {
      send(messages);
      link_.notify();
      return link_.share(0, 1);
    }
    link_.wait(Receiver::progressing, longest_wait_seconds);
    link_.await_note();
    link_.wait(Receiver::progressing, settling_seconds);
    const std::int64_t begin = link_.now();
    receive(messages);
    return link_.share(link_.now() - begin, 1);
  }

  /// Time from the first arrival of a train of messages to the last.
  std::int64_t train(std::int64_t messages) {
    if (link_.is_sender()) {
      link_.await_note();
      send(messages + 1);
      return link_.share(0, 1);
    }
    link_.notify();
    receive(1);
    const std::int64_t begin = link_.now();
    receive(messages);
    return link_.share(link_.now() - begin, 1);
  }

  std::int64_t round_trips(std::int64_t messages) {
    link_.share(0, 0);
    const std::int64_t begin = link_.now();
    for (std::int64_t i = 0; i < messages; ++i) {
      if (link_.is_sender()) send(1);
      receive(1);
      if (!link_.is_sender()) send(1);
    }
    return link_.share(link_.now() - begin, 0);
  }

 private:
  void send(std::int64_t messages) {
    const void* buffer = data_.to_send(MessageLayout::bytes);
    for (; messages > 0; --messages) {
      MPI_Send(buffer, static_cast<int>(bytes_), MPI_BYTE, link_.other(), overhead_tag,
               link_.messages());
    }
  }

  void receive(std::int64_t messages) {
    for (; messages > 0; --messages) {
      MPI_Recv(data_.to_receive(), static_cast<int>(bytes_), MPI_BYTE, link_.other(), overhead_tag,
               link_.messages(), MPI_STATUS_IGNORE);
    }
  }

  PairLink& link_;
  MessageData& data_;
  std::int64_t bytes_;
};

std::int64_t time_batch(SendTimer& timer, Overhead overhead, std::int64_t messages) {
  switch (overhead) {
    case Overhead::send:
      return timer.sends(messages);
    case Overhead::receive:
      return timer.receives(messages);
    case Overhead::gap:
      return timer.train(messages);
    case Overhead::round_trip:
      break;
  }
  return timer.round_trips(messages);
}

}  // namespace

SendCall parse_call(const std::string& name) {
  return parse_word<SendCall>(name, fmt::format("bad value '{}' for --calls", name),
                              "there is no such one");
}

MessageLayout parse_layout(const std::string& name) {
  return parse_word<MessageLayout>(name, fmt::format("bad value '{}' for --layouts", name),
                                   "there is no such one");
}

SentMessage::SentMessage(MessageLayout layout, std::int64_t bytes) {
  const int size = static_cast<int>(bytes);
  switch (layout) {
    case MessageLayout::bytes:
      count_ = size;
      return;
    case MessageLayout::contiguous:
      mpi_check(MPI_Type_contiguous(size, MPI_BYTE, derived_.out()));
      break;
    case MessageLayout::strided:
      mpi_check(MPI_Type_vector(size, 1, 2, MPI_BYTE, derived_.out()));
      break;
  }
  MPI_Datatype type = derived_.get();
  mpi_check(MPI_Type_commit(&type));
}

MessageData::MessageData(std::int64_t most_bytes, std::uint64_t seed)
    : dense_(static_cast<std::size_t>(most_bytes)),
      strided_(2 * dense_.size()),
      received_(dense_.size()) {
  fill_pattern(dense_, seed);
  fill_wrong_pattern(received_, seed);
  for (std::size_t i = 0; i < dense_.size(); ++i) strided_[2 * i] = dense_[i];
}

const void* MessageData::to_send(MessageLayout layout) const {
  return layout == MessageLayout::strided ? strided_.data() : dense_.data();
}

void MessageData::check(std::int64_t bytes) {
  const auto arrived = std::span(received_).first(static_cast<std::size_t>(bytes));
  if (!std::ranges::equal(arrived, std::span(dense_).first(arrived.size()))) is_corrupt_ = true;
  std::ranges::transform(arrived, arrived.begin(), [](std::byte byte) { return ~byte; });
}

PairLink::PairLink(MPI_Comm pair, TickClock& clock) : clock_(clock), rank_(rank_in(pair)) {
  mpi_check(MPI_Comm_dup(pair, messages_.out()));
  mpi_check(MPI_Comm_dup(pair, notes_.out()));
}

void PairLink::notify() {
  mpi_check(MPI_Send(nullptr, 0, MPI_BYTE, other(), note_tag, notes_.get()));
}

void PairLink::await_note() {
  mpi_check(MPI_Recv(nullptr, 0, MPI_BYTE, other(), note_tag, notes_.get(), MPI_STATUS_IGNORE));
}

Waited PairLink::watch(std::int64_t deadline) {
  std::array<std::int64_t, least_looks> looks{};  // times of the last probes, as a ring buffer
  for (std::size_t look = 0;; ++look) {
    const std::int64_t oldest = looks[look % least_looks];
    looks[look % least_looks] = clock_.now();
    int arrived = 0;
    mpi_check(MPI_Iprobe(other(), note_tag, notes_.get(), &arrived, MPI_STATUS_IGNORE));
    const std::int64_t time = clock_.now();
    const bool is_late = look >= least_looks && time >= deadline;
    if (arrived != 0 || is_late) return {.settled = oldest, .end = time};
    // The sender may need this core; but a thread that yields every time runs too rarely.
    if (!is_simulated() && look % looks_between_yields == 0) std::this_thread::yield();
  }
}

Waited PairLink::wait(Receiver receiver, double seconds) {
  const auto ticks = std::llround(seconds / clock_.seconds_per_tick());
  if (receiver == Receiver::progressing) return watch(clock_.now() + ticks);
  sleep_for(std::chrono::nanoseconds(std::llround(seconds * 1e9)));
  const std::int64_t end = clock_.now();
  return {.settled = end, .end = end};
}

Stamps PairLink::exchange(Stamps own) {
  Stamps others{};
  mpi_check(MPI_Sendrecv(own.data(), 2, MPI_INT64_T, other(), note_tag, others.data(), 2,
                         MPI_INT64_T, other(), note_tag, notes_.get(), MPI_STATUS_IGNORE));
  return others;
}

std::int64_t PairLink::share(std::int64_t value, int from) {
  mpi_check(MPI_Bcast(&value, 1, MPI_INT64_T, from, notes_.get()));
  return value;
}

EagerLimit find_eager_limit(PairLink& link, MessageData& data, const EagerQuery& question,
                            std::int64_t most_bytes) {
  LimitFound found = find_limit(Probing(link, data, question), most_bytes);
  return {.call = std::string(word(question.call)),
          .receiver = receiver_name(question.receiver),
          .datatype = std::string(word(question.layout)),
          .limit_bytes = found.limit_bytes,
          .held_bytes = found.held_bytes,
          .most_bytes = most_bytes,
          .exceptions = std::move(found.exceptions),
          .probes = found.probes,
          .corrections = found.corrections};
}

std::optional<Unexpected> count_unexpected(PairLink& link, MessageData& data, const Flood& flood,
                                           const std::function<void()>& when_flooded) {
  double wait =
      first_wait_seconds + static_cast<double>(flood.bytes * flood.most) / slowest_bytes_per_second;
  for (int i = 0; i < waits; ++i, wait *= 4) {
    std::vector<std::int64_t> times;
    Waited waited;
    if (link.is_sender()) {
      times = send_all(link, data, flood);
    } else {
      waited = receive_all(link, data, flood, wait, when_flooded);
    }
    waited = {link.share(waited.settled, 1), link.share(waited.end, 1)};
    const std::int64_t counted = link.is_sender() ? count_returned(link, times, waited, wait) : 0;
    const std::int64_t returned = link.share(counted, 0);
    if (returned == too_slow_to_judge) continue;
    Unexpected found{
        .bytes = flood.bytes, .receiver = receiver_name(flood.receiver), .most = flood.most};
    if (returned < flood.most) found.accepted = static_cast<int>(returned);
    return found;
  }
  return std::nullopt;
}

std::vector<MemoryUse> contact_peers(MPI_Comm comm) {
  std::vector<MemoryUse> uses;
  if (is_simulated()) return uses;  // all ranks are one process there
  const int rank = rank_in(comm);
  keep_now("after-init", 0, uses);
  for (int peer = 1; peer < size_of(comm); ++peer) {
    if (rank != 0 && rank != peer) continue;
    const int other = rank == 0 ? peer : 0;
    mpi_check(MPI_Sendrecv(nullptr, 0, MPI_BYTE, other, note_tag, nullptr, 0, MPI_BYTE, other,
                           note_tag, comm, MPI_STATUS_IGNORE));
    keep_now("after-peer", rank == 0 ? peer : 1, uses);
  }
  return uses;
}

std::vector<Overhead> all_overheads() {
  return {Overhead::send, Overhead::receive, Overhead::gap, Overhead::round_trip};
}

std::string overhead_name(Overhead overhead) { return std::string(word(overhead)); }

std::int64_t overhead_batch(Overhead overhead) {
  if (!is_simulated()) return messages_in_batch;
  return overhead == Overhead::gap ? messages_in_batch : 1;
}

double time_overhead(PairLink& link, MessageData& data, Overhead overhead, std::int64_t bytes) {
  SendTimer timer(link, data, bytes);
  const std::int64_t messages = overhead_batch(overhead);
  const std::int64_t ticks = time_batch(timer, overhead, messages);
  if (!link.is_sender()) data.check(bytes);
  const std::int64_t ways = overhead == Overhead::round_trip ? 2 : 1;
  return link.seconds(ticks) / static_cast<double>(messages * ways);
}

}  // namespace hockney::benchmarks::programs
