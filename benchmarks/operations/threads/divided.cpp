#include <array>
#include <type_traits>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/obstacles.hpp"
#include "benchmarks/harness/threads.hpp"
#include "benchmarks/harness/traffic.hpp"

/// One message of which every thread has a part, there and back, rank i with rank i + n/2, in three
/// ways: partitioned (MPI 4), in a piece from each thread, and as a whole by one thread. A thread
/// gives its part when it has got it back, and all ways move the same bytes.
namespace hockney::benchmarks {
namespace {

/// What the three ways share.
class DividedMessage {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    return {.name = name,
            .summary = summary,
            .counts = "the whole message of every pair of ranks",
            .shape = GroupShape::pairs,
            .timing = Timing::last_rank,
            .sizes = "the whole message, of which each thread has the same part",
            .threaded = true};
  }
  static Volume volume(const Point& point) {
    return {.operations = 2, .bytes = point.bytes * (point.ranks / 2)};
  }
  static std::optional<std::string> obstacle(const Point& point) {
    if (auto reason = thread_obstacle(point)) return reason;
    const int count = message_of(point).count;
    if (count > 0 && count % threads_of(point) == 0) return std::nullopt;
    return std::to_string(count) + " elements are no equal parts for " +
           std::to_string(threads_of(point)) + " threads";
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
  /// On every thread so many times.
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

/// Every thread sends its piece by itself.
class PiecesPingPong : public DividedMessage {
 public:
  static constexpr Descriptor descriptor = describe(
      "pieces-pingpong",
      "half the round trip of a message of which every thread sends and receives its piece");
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

/// Thread 0 sends all of it when all threads have met, and they go on when it has received.
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

/// The requests of partitioned messages (MPI 4.0, section 4.2).
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

/// Of a library without them.
struct PartitionedCalls {
  static constexpr bool are_there = false;
  static void make_send(void*, int, int, MPI_Datatype, int, MPI_Comm, UniqueRequest&) {}
  static void make_receive(void*, int, int, MPI_Datatype, int, MPI_Comm, UniqueRequest&) {}
  static void make_ready(int, MPI_Request) {}
  static bool has_arrived(int, MPI_Request) { return true; }
};

#endif

/// Every thread says when its part may go, and looks whether it has come. As other persistent
/// requests these are started once before the data are laid out that are checked.
class PartitionedPingPong : public DividedMessage {
 public:
  static constexpr Descriptor descriptor = describe(
      "partitioned-pingpong",
      "half the round trip of a message by MPI_Pready and MPI_Parrived of every thread's part");

  static std::optional<std::string> obstacle(const Point& point) {
    if (!PartitionedCalls::are_there) {
      return "this MPI has no partitioned communication, which came with MPI 4";
    }
    // Seen with 5.0.11 in one of few runs, and known there (docs/stacks.md).
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
