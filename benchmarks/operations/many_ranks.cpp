#include <mpi.h>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/payload.hpp"
#include "benchmarks/harness/traffic.hpp"

/// Messages among all ranks at once: of each rank with itself and with its neighbours in a ring,
/// between two halves of the ranks, and between one rank and the others.
namespace hockney::benchmarks {
namespace {

/// Every rank sends to itself: the library's cost of a message without transport.
class SelfMessage : public PassedMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "self-message",
      .summary = "MPI_Isend, MPI_Recv and MPI_Wait of every rank with itself",
      .counts = "the message once",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank};

  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }

  SelfMessage(const Context& context, const Point& point)
      : PassedMessage(context, point, context.rank, context.rank) {}

  void run() {
    MPI_Request request = MPI_REQUEST_NULL;
    isend(request);
    receive();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
};

const Registration<SelfMessage> self_message;

/// A ring: every rank sends to the right and receives from the left in one MPI_Sendrecv.
class Sendrecv : public RingMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "sendrecv",
      .summary = "MPI_Sendrecv to the right and from the left in a ring of all ranks",
      .counts = "the message twice, as each rank sends and receives one (IMB Sendrecv: x2)",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank};

  using RingMessage::RingMessage;

  void run() { sendrecv(); }
};

const Registration<Sendrecv> sendrecv;

/// Like sendrecv, but the received message replaces the sent one: messages travel round the ring,
/// one rank further with every call.
class SendrecvReplace {
 public:
  static constexpr Descriptor descriptor{
      .name = "sendrecv-replace",
      .summary = "MPI_Sendrecv_replace to the right and from the left in a ring of all ranks",
      .counts = "the message twice, as each rank sends and receives one (IMB SendRecv_Replace: x2)",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank,
      .accumulates = true};

  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes * 2}; }

  static std::optional<std::string> obstacle(const Point& point) {
    if (!has_rotating_buffers(point)) return std::nullopt;
    return "each call sends what the one before it received";
  }

  SendrecvReplace(const Context& context, const Point& point)
      : comm_(context.comm),
        rank_(context.rank),
        size_(context.size),
        message_(message_of(point)),
        pattern_{message_.type},
        data_(context.buffers.draw({message_.extent()}).front()) {}

  void run() {
    MPI_Sendrecv_replace(data_.data(), message_.count, message_.type->handle, (rank_ + 1) % size_,
                         tag, (rank_ + size_ - 1) % size_, tag, comm_, MPI_STATUS_IGNORE);
    if (++moved_ == size_) moved_ = 0;
    has_moved_ = true;
  }

  void refill(std::uint64_t seed) {
    pattern_.fill(data_.bytes(), seed, rank_);
    moved_ = 0;
    has_moved_ = false;
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return has_moved_ && pattern_.holds(data_.bytes(), seed, (rank_ + size_ - moved_) % size_);
  }

 private:
  static constexpr int tag = 0;

  MPI_Comm comm_;
  int rank_;
  int size_;
  MessageShape message_;
  Pattern pattern_;
  Buffer data_;
  int moved_ = 0;  ///< calls since refill, modulo the number of ranks
  bool has_moved_ = false;
};

const Registration<SendrecvReplace> sendrecv_replace;

/// Exchanges with both neighbours in a ring at once, as a one-dimensional ghost-cell update does.
class Exchange : public RingExchange {
 public:
  static constexpr Descriptor descriptor{
      .name = "exchange",
      .summary = "MPI_Isend to both neighbours in a ring, MPI_Recv from both, MPI_Waitall",
      .counts = "the message four times: two sent and two received by each rank (IMB Exchange: x4)",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank};

  using RingExchange::RingExchange;
};

const Registration<Exchange> exchange;

/// Pairs between two halves of the ranks at once: measures the network between the halves.
class Cut : public CutMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "cut",
      .summary =
          "MPI_Send from ranks of one half, MPI_Recv by their partners in the other, until "
          "the last message has come",
      .counts = "the message once for each pair at work (no other suite has it)",
      .shape = GroupShape::pairs,
      .timing = Timing::last_rank,
      .single = true,
      .contends = true};

  static Volume volume(const Point& point) {
    return {.operations = 1, .bytes = point.bytes * flows_of(point, point.ranks / 2)};
  }

  using CutMessage::CutMessage;

  void run() {
    if (!works()) return;
    if (is_in_first_half()) {
      send();
    } else {
      receive();
    }
  }

  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return is_in_first_half() || !works() || CutMessage::verify(seed);
  }
};

const Registration<Cut> cut;

/// A round trip of one pair while other pairs between the same halves exchange messages of the same
/// size in both directions (victim and aggressors, as in GPCNeT).
class Victim : public CutMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "victim",
      .summary = "MPI_Send and MPI_Recv back of one pair, while other pairs MPI_Sendrecv",
      .counts = "the message of the one pair (GPCNeT: the same)",
      .shape = GroupShape::pairs,
      .timing = Timing::first_rank,
      .contends = true};

  static Volume volume(const Point& point) { return {.operations = 2, .bytes = point.bytes}; }

  Victim(const Context& context, const Point& point) : CutMessage(context, point, 2) {}

  void run() {
    if (!works()) return;
    if (pair() > 0) {
      sendrecv(0);
      sendrecv(1);
    } else if (is_in_first_half()) {
      send();
      receive();
    } else {
      receive();
      send();
    }
  }

  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return !works() || CutMessage::verify(seed, pair() > 0 ? 2 : 1);
  }
};

const Registration<Victim> victim;

/// The ranks 1, 2, ... that communicate with rank 0; as many as there are flows.
std::vector<int> others_of(int flows) {
  std::vector<int> others;
  for (int rank = 1; rank <= flows; ++rank) others.push_back(rank);
  return others;
}

/// The common part of fan-in and fan-out.
class Fan {
 public:
  static Volume volume(const Point& point) {
    return {.operations = 1, .bytes = point.bytes * flows_of(point, point.ranks - 1)};
  }

  static std::optional<std::string> obstacle(const Point& point) {
    return flows_obstacle(point, point.ranks - 1);
  }

  void refill(std::uint64_t seed) { traffic_.refill(seed); }

 protected:
  /// `sources` are the ranks whose messages this rank receives.
  Fan(const Context& context, const Point& point, const std::vector<int>& sources)
      : is_hub_(context.rank == 0),
        flows_(flows_of(point, context.size - 1)),
        works_(context.rank <= flows_),
        traffic_(context, point, sources),
        requests_(is_hub_ ? static_cast<std::size_t>(flows_) : 0) {}

  [[nodiscard]] bool is_hub() const { return is_hub_; }
  [[nodiscard]] bool works() const { return works_; }
  [[nodiscard]] const Traffic& traffic() const { return traffic_; }

  void send_to_hub() { traffic_.send_to(0, tag); }
  void receive_from_hub() { traffic_.receive_from(0, tag); }
  void receive_all() {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      traffic_.ireceive_from(static_cast<int>(i) + 1, tag, requests_[i], i);
    }
    wait();
  }
  void send_all() {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      traffic_.isend_to(static_cast<int>(i) + 1, tag, requests_[i]);
    }
    wait();
  }

 private:
  static constexpr int tag = 0;

  void wait() {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

  bool is_hub_;
  int flows_;
  bool works_;
  Traffic traffic_;
  std::vector<MPI_Request> requests_;
};

/// Several ranks send to one at once, like a gather without order.
class FanIn : public Fan {
 public:
  static constexpr Descriptor descriptor{
      .name = "fan-in",
      .summary =
          "MPI_Send of ranks 1, 2, ... to rank 0, which has posted MPI_Irecv for all of "
          "them, until the last message has come",
      .counts = "the message once for each sender (no other suite has it)",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .contends = true};

  FanIn(const Context& context, const Point& point)
      : Fan(context, point,
            context.rank == 0 ? others_of(flows_of(point, context.size - 1)) : std::vector<int>()) {
  }

  void run() {
    if (is_hub()) {
      receive_all();
    } else if (works()) {
      send_to_hub();
    }
  }

  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return !is_hub() || traffic().verify(seed);
  }
};

/// One rank sends to several at once.
class FanOut : public Fan {
 public:
  static constexpr Descriptor descriptor{
      .name = "fan-out",
      .summary =
          "MPI_Isend of rank 0 to ranks 1, 2, ... and MPI_Waitall, until the last of them "
          "has received its message",
      .counts = "the message once for each receiver (no other suite has it)",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .contends = true};

  FanOut(const Context& context, const Point& point)
      : Fan(context, point, context.rank == 0 ? std::vector<int>() : std::vector<int>{0}) {}

  void run() {
    if (is_hub()) {
      send_all();
    } else if (works()) {
      receive_from_hub();
    }
  }

  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return is_hub() || !works() || traffic().verify(seed);
  }
};

const Registration<FanIn> fan_in;
const Registration<FanOut> fan_out;

}  // namespace
}  // namespace hockney::benchmarks
