#include <fmt/format.h>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/payload.hpp"
#include "benchmarks/harness/reductions.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney::benchmarks {
namespace {

/// The same operation on every thread of every rank, between threads of equal number, all at the
/// same time. `Task` is the operation of one thread. It is constructed from a context and a point,
/// and has run(), refill(seed), verify(seed) and volume(point), optionally ready() and
/// obstacle(point).
///
/// A batch begins when thread 0, whose clock is the rank's, releases the other, spinning threads.
/// It ends when the last thread has finished. In a batch each thread runs all iterations
/// separately: it waits for others only through its messages.
template <class Task>
class Threaded {
 public:
  /// Operations of one thread, with the bytes of all threads.
  static Volume volume(const Point& point) {
    Volume made = Task::volume(point);
    made.bytes = made.bytes * threads_of(point);
    if (made.bus_bytes) *made.bus_bytes *= threads_of(point);
    return made;
  }

  static std::optional<std::string> obstacle(const Point& point) {
    if (auto reason = thread_obstacle(point)) return reason;
    if constexpr (requires { Task::obstacle(point); }) return Task::obstacle(point);
    return std::nullopt;
  }

  Threaded(const Context& context, const Point& point)
      : contexts_(context, point), team_(make_team(context, threads_of(point))) {
    for (int thread = 0; thread < team_.size(); ++thread) {
      tasks_.push_back(std::make_unique<Task>(contexts_.of(thread), point));
    }
  }

  void ready() {
    if constexpr (requires(Task task) { task.ready(); }) {
      for (const auto& task : tasks_) task->ready();
    }
    team_.get_set();
  }

  void run() { run_batch(1); }
  void run_batch(std::int64_t iterations) {
    iterations_ = iterations;
    team_.run(work_);
  }

  void refill(std::uint64_t seed) {
    for (int thread = 0; thread < team_.size(); ++thread) {
      of(thread).refill(thread_seed(seed, thread));
    }
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    bool is_good = true;
    for (int thread = 0; thread < team_.size(); ++thread) {
      is_good = of(thread).verify(thread_seed(seed, thread)) && is_good;
    }
    return is_good;
  }

 private:
  [[nodiscard]] Task& of(int thread) const { return *tasks_[static_cast<std::size_t>(thread)]; }

  ThreadContexts contexts_;
  std::vector<std::unique_ptr<Task>> tasks_;
  std::int64_t iterations_ = 0;
  ThreadTeam::Task work_ = [this](int thread) {
    Task& task = of(thread);
    for (std::int64_t i = 0; i < iterations_; ++i) task.run();
  };
  ThreadTeam team_;  ///< destroyed first
};

}  // namespace

}  // namespace hockney::benchmarks

/// Messages between threads: thread k of rank i with thread k of rank i + n/2, or of the neighbours
/// in a ring.
namespace hockney::benchmarks {
namespace {

constexpr Descriptor describe_messages(std::string_view name, std::string_view summary,
                                       std::string_view counts, GroupShape shape) {
  return {.name = name,
          .summary = summary,
          .counts = counts,
          .shape = shape,
          .timing = Timing::last_rank,
          .threaded = true,
          .own = {communicators_parameter}};
}

constexpr Descriptor in_windows(Descriptor made) {
  made.windowed = true;
  return made;
}

/// A message to the thread's partner and its reply.
class RoundTrip : public CutMessage {
 public:
  static Volume volume(const Point& point) {
    return {.operations = 2, .bytes = point.bytes * (point.ranks / 2)};
  }

  using CutMessage::CutMessage;

  void run() {
    if (is_in_first_half()) {
      send();
      receive();
    } else {
      receive();
      send();
    }
  }
};

class ThreadedPingPong : public Threaded<RoundTrip> {
 public:
  static constexpr Descriptor descriptor = describe_messages(
      "threaded-pingpong",
      "half the round trip of MPI_Send and MPI_Recv, rank i with rank i + n/2, on each thread",
      "one message of every pair of threads (OMB latency_mt, IMB PingPongMT: none, x1)",
      GroupShape::pairs);
  using Threaded::Threaded;
};

/// Messages of both partners at the same time.
class MeetingMessages : public CutMessage {
 public:
  static Volume volume(const Point& point) {
    return {.operations = 1, .bytes = point.bytes * (point.ranks / 2)};
  }

  using CutMessage::CutMessage;

  void run() {
    MPI_Request request = MPI_REQUEST_NULL;
    isend(request);
    receive();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
};

class ThreadedPingPing : public Threaded<MeetingMessages> {
 public:
  static constexpr Descriptor descriptor = describe_messages(
      "threaded-pingping",
      "MPI_Isend, MPI_Recv and MPI_Wait of rank i and rank i + n/2 at once, on each thread",
      "one message of every pair of threads (IMB PingPingMT: x1)", GroupShape::pairs);
  using Threaded::Threaded;
};

/// A window of messages to the partner, ended by an empty message back.
class WindowToPartner : public OneWayWindow {
 public:
  static Volume volume(const Point& point) { return window_volume(point, point.ranks / 2); }

  WindowToPartner(const Context& context, const Point& point)
      : OneWayWindow(context, point, context.rank < context.size / 2,
                     (context.rank + context.size / 2) % context.size) {}
};

class ThreadedMessageRate : public Threaded<WindowToPartner> {
 public:
  static constexpr Descriptor descriptor = in_windows(describe_messages(
      "threaded-message-rate",
      "one message of every pair of threads, rank i to rank i + n/2, by windows of MPI_Isend",
      "one message of every pair of threads (IMB UniBandMT: the same)", GroupShape::pairs));
  using Threaded::Threaded;
};

/// Windows in both directions at once.
class WindowsBothWays : public Window {
 public:
  static Volume volume(const Point& point) { return window_volume(point, point.ranks); }

  WindowsBothWays(const Context& context, const Point& point)
      : Window(context, point, (context.rank + context.size / 2) % context.size) {}

  void run() { pass_both_ways(); }
};

class ThreadedBidirectionalBandwidth : public Threaded<WindowsBothWays> {
 public:
  static constexpr Descriptor descriptor = in_windows(describe_messages(
      "threaded-bidirectional-bandwidth",
      "one message each way of every pair of threads, by windows of MPI_Isend and MPI_Irecv",
      "two messages of every pair of threads (IMB BiBandMT: the same)", GroupShape::pairs));
  using Threaded::Threaded;
};

/// A message to the right and one from the left.
class RingShift : public RingMessage {
 public:
  using RingMessage::RingMessage;
  void run() { sendrecv(); }
};

class ThreadedSendrecv : public Threaded<RingShift> {
 public:
  static constexpr Descriptor descriptor = describe_messages(
      "threaded-sendrecv",
      "MPI_Sendrecv to the right and from the left in a ring of all ranks, on each thread",
      "each thread's message twice, as it sends and receives one (IMB SendRecvMT: x2)",
      GroupShape::everybody);
  using Threaded::Threaded;
};

class ThreadedExchange : public Threaded<RingExchange> {
 public:
  static constexpr Descriptor descriptor = describe_messages(
      "threaded-exchange",
      "MPI_Isend to both neighbours in a ring, MPI_Recv from both, MPI_Waitall, on each thread",
      "each thread's message four times: two sent, two received (IMB ExchangeMT: x4)",
      GroupShape::everybody);
  using Threaded::Threaded;
};

const Registration<ThreadedPingPong> threaded_pingpong;
const Registration<ThreadedPingPing> threaded_pingping;
const Registration<ThreadedMessageRate> threaded_message_rate;
const Registration<ThreadedBidirectionalBandwidth> threaded_bidirectional_bandwidth;
const Registration<ThreadedSendrecv> threaded_sendrecv;
const Registration<ThreadedExchange> threaded_exchange;

}  // namespace
}  // namespace hockney::benchmarks

/// Collectives of all threads of equal number on a separate communicator; as many at once as a rank
/// has threads.
namespace hockney::benchmarks {
namespace {

template <class Data>
constexpr Descriptor describe_threaded(const CollectiveWords& words) {
  Descriptor made = describe<Data>(words);
  made.in_place = InPlace::never;
  made.threaded = true;
  return made;
}

struct BcastOfThread {
  using Data = BcastData;
  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.message(), data.count(), data.type(), data.next_root(), comm);
  }
};

class ThreadedBcast : public Threaded<CollectiveCall<BcastOfThread, MPI_Bcast>> {
 public:
  static constexpr Descriptor descriptor = describe_threaded<BcastData>(
      {.name = "threaded-bcast",
       .summary = "MPI_Bcast on each thread with a communicator of its own, until the last is done",
       .counts = "each thread's message once (IMB BcastMT: none)",
       .sizes = "the message of each thread"});
  using Threaded::Threaded;
};

struct ReduceOfThread {
  using Data = RootedReduction;
  static auto arguments(Data& data, MPI_Comm comm) {
    const int root = data.next_root();
    return std::tuple(data.send(root), data.receive(), data.count(), data.type(), data.op(), root,
                      comm);
  }
};

class ThreadedReduce : public Threaded<CollectiveCall<ReduceOfThread, MPI_Reduce>> {
 public:
  static constexpr Descriptor descriptor = describe_threaded<RootedReduction>(
      {.name = "threaded-reduce",
       .summary =
           "MPI_Reduce on each thread with a communicator of its own, until the last is done",
       .counts = "each thread's message once (IMB ReduceMT: none)",
       .sizes = "the vector of each thread"});
  using Threaded::Threaded;
};

struct AllreduceOfThread {
  using Data = Reduction;
  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.receive(), data.count(), data.type(), data.op(), comm);
  }
};

class ThreadedAllreduce : public Threaded<CollectiveCall<AllreduceOfThread, MPI_Allreduce>> {
 public:
  static constexpr Descriptor descriptor = describe_threaded<Reduction>(
      {.name = "threaded-allreduce",
       .summary =
           "MPI_Allreduce on each thread with a communicator of its own, until the last is done",
       .counts = "each thread's message once (IMB AllReduceMT: none)",
       .sizes = "the vector of each thread"});
  using Threaded::Threaded;
};

struct BarrierOfThread {
  using Data = NoData;
  static auto arguments(Data&, MPI_Comm comm) { return std::tuple(comm); }
};

class ThreadedBarrier : public Threaded<CollectiveCall<BarrierOfThread, MPI_Barrier>> {
 public:
  static constexpr Descriptor descriptor = describe_threaded<NoData>(
      {.name = "threaded-barrier",
       .summary =
           "MPI_Barrier on each thread with a communicator of its own, until the last is done",
       .counts = "nothing, it carries no data",
       .sizes = "nothing: there is one size, 0"});
  using Threaded::Threaded;
};

const Registration<ThreadedBcast> threaded_bcast;
const Registration<ThreadedReduce> threaded_reduce;
const Registration<ThreadedAllreduce> threaded_allreduce;
const Registration<ThreadedBarrier> threaded_barrier;

}  // namespace
}  // namespace hockney::benchmarks

/// One message with a part for every thread, and its reply, between rank i and rank i + n/2, in
/// three ways: partitioned (MPI 4), as a separate piece from each thread, and as a whole by one
/// thread. A thread sends its part again when it has received it; all ways move the same bytes.
namespace hockney::benchmarks {
namespace {

/// The common part of the three ways.
class DividedMessage {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    return {.name = name,
            .summary = summary,
            .counts = "the whole message of every pair of ranks",
            .shape = GroupShape::pairs,
            .timing = Timing::last_rank,
            .sizes = "the whole message; each thread has an equal part",
            .threaded = true};
  }
  static Volume volume(const Point& point) {
    return {.operations = 2, .bytes = point.bytes * (point.ranks / 2)};
  }
  static std::optional<std::string> obstacle(const Point& point) {
    if (auto reason = thread_obstacle(point)) return reason;
    const int count = message_of(point).count;
    if (count > 0 && count % threads_of(point) == 0) return std::nullopt;
    return fmt::format("{} elements are no equal parts for {} threads", count, threads_of(point));
  }

  DividedMessage(const Context& context, const Point& point)
      : comm_(context.comm),
        is_first_(context.rank < context.size / 2),
        partner_((context.rank + context.size / 2) % context.size),
        traffic_(context, point, {partner_}),
        part_(traffic_.count() / threads_of(point)),
        part_bytes_(static_cast<std::size_t>(part_) * message_of(point).type->extent),
        team_(make_team(context, threads_of(point))) {}

  void ready() { team_.get_set(); }
  void refill(std::uint64_t seed) { traffic_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return traffic_.verify(seed); }

 protected:
  [[nodiscard]] bool is_first() const { return is_first_; }
  [[nodiscard]] int parts() const { return team_.size(); }

  void send(int tag, int part, int count) {
    MPI_Send(at(traffic_.send(), part), count, traffic_.type(), partner_, tag, comm_);
  }
  void receive(int tag, int part, int count) {
    MPI_Recv(at(traffic_.receive(), part), count, traffic_.type(), partner_, tag, comm_,
             MPI_STATUS_IGNORE);
  }
  /// Calls `round` `iterations` times on every thread.
  template <class Round>
  void on_every_thread(std::int64_t iterations, Round round) {
    team_.run([&](int thread) {
      for (std::int64_t i = 0; i < iterations; ++i) round(thread);
    });
  }

  [[nodiscard]] void* at(void* buffer, int part) const {
    return static_cast<std::byte*>(buffer) + static_cast<std::size_t>(part) * part_bytes_;
  }

  MPI_Comm comm_;
  bool is_first_;
  int partner_;
  Traffic traffic_;
  int part_;  ///< [elements]
  std::size_t part_bytes_;
  ThreadTeam team_;
};

/// Every thread sends its piece as a separate message.
class PiecesPingPong : public DividedMessage {
 public:
  static constexpr Descriptor descriptor =
      describe("pieces-pingpong",
               "half the round trip of a message; every thread sends and receives its part");
  using DividedMessage::DividedMessage;

  void run() { run_batch(1); }
  void run_batch(std::int64_t iterations) {
    on_every_thread(iterations, [this](int thread) {
      if (is_first()) send(thread, thread, part_);
      receive(thread, thread, part_);
      if (!is_first()) send(thread, thread, part_);
    });
  }
};

/// Thread 0 sends the whole message when all threads are ready; they continue when it has received.
class WholePingPong : public DividedMessage {
 public:
  static constexpr Descriptor descriptor = describe(
      "whole-pingpong",
      "half the round trip of a message that thread 0 sends and receives when all have met");
  using DividedMessage::DividedMessage;

  void run() { run_batch(1); }
  void run_batch(std::int64_t iterations) {
    on_every_thread(iterations, [this](int thread) {
      if (is_first()) pass(thread);
      if (thread == 0) receive(0, 0, part_ * parts());
      team_.meet();
      if (!is_first()) pass(thread);
    });
  }

 private:
  void pass(int thread) {
    team_.meet();
    if (thread == 0) send(0, 0, part_ * parts());
  }
};

#ifdef HOCKNEY_HAVE_PARTITIONED

/// The calls of partitioned messages (MPI 4.0, section 4.2).
struct PartitionedCalls {
  static constexpr bool are_there = true;
  static void make_send(void* data, int parts, int count, MPI_Datatype type, int to, MPI_Comm comm,
                        UniqueRequest& request) {
    mpi_check(MPI_Psend_init(data, parts, count, type, to, 0, comm, MPI_INFO_NULL, request.out()));
  }
  static void make_receive(void* data, int parts, int count, MPI_Datatype type, int from,
                           MPI_Comm comm, UniqueRequest& request) {
    mpi_check(
        MPI_Precv_init(data, parts, count, type, from, 0, comm, MPI_INFO_NULL, request.out()));
  }
  static void make_ready(int part, MPI_Request request) { MPI_Pready(part, request); }
  static bool has_arrived(int part, MPI_Request request) {
    int flag = 0;
    MPI_Parrived(request, part, &flag);
    return flag != 0;
  }
};

#else

/// For libraries without them.
struct PartitionedCalls {
  static constexpr bool are_there = false;
  static void make_send(void*, int, int, MPI_Datatype, int, MPI_Comm, UniqueRequest&) {}
  static void make_receive(void*, int, int, MPI_Datatype, int, MPI_Comm, UniqueRequest&) {}
  static void make_ready(int, MPI_Request) {}
  static bool has_arrived(int, MPI_Request) { return true; }
};

#endif

/// Every thread marks its part as ready, and tests whether the reply has arrived. Like other
/// persistent requests these are started once before the checked data are filled in.
class PartitionedPingPong : public DividedMessage {
 public:
  static constexpr Descriptor descriptor = describe(
      "partitioned-pingpong",
      "half the round trip of a message by MPI_Pready and MPI_Parrived of every thread's part");

  static std::optional<std::string> obstacle(const Point& point) {
    if (!PartitionedCalls::are_there) {
      return "this MPI has no partitioned communication, which came with MPI 4";
    }
    // Seen with 5.0.11 in one of a few runs; a known fault there (docs/reference/mpi-libraries.md).
    if (threads_of(point) > 1 && mpi_library().starts_with("Open MPI")) {
      return "Open MPI waits for ever at times where several threads call MPI_Pready";
    }
    return DividedMessage::obstacle(point);
  }
  using DividedMessage::DividedMessage;

  void run() { run_batch(1); }
  void run_batch(std::int64_t iterations) {
    std::array<MPI_Request, 2> requests{send_.get(), receive_.get()};
    on_every_thread(iterations, [&](int thread) {
      if (thread == 0) {
        MPI_Start(&requests[1]);
        MPI_Start(&requests[0]);
      }
      team_.meet();
      if (is_first()) PartitionedCalls::make_ready(thread, requests[0]);
      while (!PartitionedCalls::has_arrived(thread, requests[1])) team_.let_others_run();
      if (!is_first()) PartitionedCalls::make_ready(thread, requests[0]);
      team_.meet();
      if (thread == 0) MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    });
  }

  void refill(std::uint64_t seed) {
    DividedMessage::refill(seed);
    PartitionedCalls::make_send(traffic_.send(), parts(), part_, traffic_.type(), partner_, comm_,
                                send_);
    PartitionedCalls::make_receive(traffic_.receive(), parts(), part_, traffic_.type(), partner_,
                                   comm_, receive_);
    run();
    DividedMessage::refill(seed);
  }

 private:
  UniqueRequest send_;
  UniqueRequest receive_;
};

const Registration<PiecesPingPong> pieces_pingpong;
const Registration<WholePingPong> whole_pingpong;
const Registration<PartitionedPingPong> partitioned_pingpong;

}  // namespace
}  // namespace hockney::benchmarks
