#include "benchmarks/programs/protocol/overheads.hpp"

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/rank_memory.hpp"
#include "benchmarks/programs/protocol/pair_link.hpp"
#include "core/named_values.hpp"

namespace hockney::benchmarks::programs {
namespace {

void keep_now(const std::string& moment, int peers, std::vector<MemoryUse>& uses) {
  auto use = read_memory_use();
  if (!use) return;
  use->moment = moment;
  use->peers = peers;
  uses.push_back(*use);
}

constexpr int messages_in_batch = 32;  // a batch is many readings of a clock long
constexpr double longest_wait_seconds = 0.5;
constexpr double settling_seconds = 2e-5;  // for what follows a note out of order

class SendTimer {
 public:
  SendTimer(PairLink& link, MessageData& data, std::int64_t bytes)
      : link_(link), data_(data), bytes_(bytes) {}

  /// All sends of a batch before the receiver asks for any.
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

  /// All receives of a batch after everything has arrived.
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

  /// From the first arrival of a train to the last.
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

std::string overhead_name(Overhead overhead) {
  constexpr NamedValues<Overhead, 4> names{{{Overhead::send, "send-overhead"},
                                            {Overhead::receive, "receive-overhead"},
                                            {Overhead::gap, "gap"},
                                            {Overhead::round_trip, "half-round-trip"}}};
  return name_in(names, overhead);
}

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
