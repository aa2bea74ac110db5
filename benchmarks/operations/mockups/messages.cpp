#include <mpi.h>

#include <array>
#include <optional>
#include <string>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/data_layout.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/payload.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney::benchmarks {
namespace {

/// On a periodic ring a different block is exchanged with each of the two neighbours. Needs three
/// ranks: with two, both neighbours are the same rank, and libraries disagree on the order of the
/// blocks.
class ClosedRingExchange : public CollectiveData<> {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    return {.name = name,
            .summary = summary,
            .counts = "the two blocks that a rank sends",
            .shape = GroupShape::everybody,
            .timing = Timing::last_rank,
            .single = true,
            .sizes = "the block for each neighbour"};
  }
  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes * 2}; }
  static std::optional<std::string> obstacle(const Point& point) {
    constexpr int fewest = 3;
    if (point.ranks < fewest) return "a ring in which the neighbours differ has three ranks";
    return neighbour_obstacle();
  }

  ClosedRingExchange(const Context& context, const Point& point)
      : CollectiveData{context, point,
                       blocks(context, point, {owner(context.rank, 0), owner(context.rank, 1)}),
                       blocks(context, point,
                              {owner(left_of(context), 1), owner(right_of(context), 0)})},
        comm_(context.comm),
        left_(left_of(context)),
        right_(right_of(context)),
        count_(message_of(point).count),
        extent_(message_of(point).type->extent),
        type_(message_of(point).type->handle) {}

 protected:
  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] int left() const { return left_; }
  [[nodiscard]] int right() const { return right_; }
  [[nodiscard]] int count() const { return count_; }  ///< [elements] in a block
  [[nodiscard]] MPI_Datatype type() const { return type_; }
  /// The blocks for and from the left neighbour (0) or the right one (1).
  [[nodiscard]] const void* send(int place) const { return send_.data() + offset(place); }
  [[nodiscard]] void* receive(int place) const { return receive_.data() + offset(place); }

 private:
  static int left_of(const Context& context) {
    return (context.rank + context.size - 1) % context.size;
  }
  static int right_of(const Context& context) { return (context.rank + 1) % context.size; }
  /// Owner of the block that a rank sends to its left (0) or right (1).
  static int owner(int rank, int place) { return 2 * rank + place; }
  static Payload<> blocks(const Context& context, const Point& point, std::vector<int> owners) {
    const MessageShape message = message_of(point);
    const Division division = divide(std::int64_t{2} * message.count, 2);
    return {context, *message.type, {division, std::move(owners), division.total()}};
  }
  [[nodiscard]] std::size_t offset(int place) const {
    return static_cast<std::size_t>(place) * static_cast<std::size_t>(count_) * extent_;
  }

  MPI_Comm comm_;
  int left_;
  int right_;
  int count_;
  std::size_t extent_;  ///< [B]
  MPI_Datatype type_;
};

/// By a neighbourhood collective on a periodic ring.
class RingNeighborAlltoall : public ClosedRingExchange {
 public:
  static constexpr Descriptor descriptor = describe(
      "ring-exchange", "MPI_Neighbor_alltoall on a closed ring, until the last rank is through");

  RingNeighborAlltoall(const Context& context, const Point& point)
      : ClosedRingExchange(context, point) {
    constexpr int closed = 1;
    mpi_check(MPI_Cart_create(context.comm, 1, &context.size, &closed, 0, ring_.out()));
  }

  void run() {
    MPI_Neighbor_alltoall(send(0), count(), type(), receive(0), count(), type(), ring_.get());
  }

 private:
  UniqueComm ring_;
};

const Original<RingNeighborAlltoall> ring_exchange;

/// By a message to one side, then one to the other.
class RingExchangeBySendrecv : public ClosedRingExchange {
 public:
  static constexpr Descriptor descriptor = describe(
      "ring-exchange-by-sendrecv",
      "MPI_Sendrecv to the left and MPI_Sendrecv to the right, until the last rank is through");
  static constexpr std::string_view guideline = "neighbor-alltoall on a ring <= 2 sendrecv";

  using ClosedRingExchange::ClosedRingExchange;

  void run() {
    shift(0, left(), right());
    shift(1, right(), left());
  }

 private:
  void shift(int place, int to, int from) {
    MPI_Sendrecv(send(place), count(), type(), to, place, receive(1 - place), count(), type(), from,
                 place, comm(), MPI_STATUS_IGNORE);
  }
};

const MockUp<RingExchangeBySendrecv> ring_exchange_by_sendrecv;

/// A ping-pong in which every message is started, then completed.
class PingPongByIsend : public PairMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "pingpong-by-isend",
      .summary = "half the round trip of MPI_Isend, MPI_Wait and MPI_Recv between two ranks",
      .counts = "the same bytes as the operation whose work it does",
      .shape = GroupShape::pair,
      .timing = Timing::first_rank};
  static constexpr std::string_view guideline = "send <= isend + wait";

  using PairMessage::PairMessage;

  void run() {
    pass_and_return([this] {
      MPI_Request request = MPI_REQUEST_NULL;
      isend(request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    });
  }
};

const MockUp<PingPongByIsend> pingpong_by_isend;

/// A ring in which every rank starts to send, receives, and completes its send.
class SendrecvByIsendRecv : public RingMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "sendrecv-by-isend-recv",
      .summary = "MPI_Isend to the right, MPI_Recv from the left and MPI_Wait in a ring",
      .counts = "the same bytes as the operation whose work it does",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank};
  static constexpr std::string_view guideline = "sendrecv <= isend + recv + wait";

  using RingMessage::RingMessage;

  void run() {
    MPI_Request request = MPI_REQUEST_NULL;
    isend(request);
    receive();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
};

const MockUp<SendrecvByIsendRecv> sendrecv_by_isend_recv;

/// A ping-pong of messages whose receiver is ready: it posts its receive and notifies the sender by
/// an empty message. Both sides of "rsend <= send" include the empty message.
template <auto function>
class AnnouncedMessage : public PairMessage {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    return {.name = name,
            .summary = summary,
            .counts = "the message once, as in a ping-pong",
            .shape = GroupShape::pair,
            .timing = Timing::first_rank};
  }

  using PairMessage::PairMessage;

  void run() {
    if (is_first()) send_when_ready();
    receive_ready();
    if (!is_first()) send_when_ready();
  }

 private:
  void send_when_ready() {
    await_announcement();
    send<function>();
  }
  void receive_ready() {
    MPI_Request request = MPI_REQUEST_NULL;
    ireceive(request);
    announce();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
};

/// The message in ready mode.
class AnnouncedRsend : public AnnouncedMessage<MPI_Rsend> {
 public:
  static constexpr Descriptor descriptor = describe(
      "announced-rsend", "half the round trip of MPI_Rsend to a rank that has said it is ready");

  using AnnouncedMessage::AnnouncedMessage;
};

const Original<AnnouncedRsend> announced_rsend;

/// The message in standard mode, which does not require a ready receiver.
class AnnouncedRsendBySend : public AnnouncedMessage<MPI_Send> {
 public:
  static constexpr Descriptor descriptor =
      describe("announced-rsend-by-send",
               "half the round trip of MPI_Send to a rank that has said it is ready");
  static constexpr std::string_view guideline = "rsend <= send";

  using AnnouncedMessage::AnnouncedMessage;
};

const MockUp<AnnouncedRsendBySend> announced_rsend_by_send;

/// A message that the first of two ranks puts into the other's window between two fences.
class PutMessage {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    return {.name = name,
            .summary = summary,
            .counts = "the message once",
            .shape = GroupShape::pair,
            .timing = Timing::first_rank};
  }
  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }
  static std::optional<std::string> obstacle(const Point& point) {
    if (!has_rotating_buffers(point)) return std::nullopt;
    return "a window has one place for its buffer";
  }

  PutMessage(const Context& context, const Point& point)
      : comm_(context.comm),
        first_(context.rank == 0),
        bytes_(static_cast<MPI_Aint>(message_of(point).extent())),
        traffic_(context, point, {0}) {}

  /// Makes the window, since the buffers' addresses are known now.
  void refill(std::uint64_t seed) {
    traffic_.refill(seed);
    mpi_check(MPI_Win_create(traffic_.receive(), bytes_, 1, MPI_INFO_NULL, comm_, window_.out()));
    take_mpi_errors(window_.get());
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return first_ || traffic_.verify(seed); }

 protected:
  /// `put` starts the transfer between the two fences; only on the first rank.
  template <class Put>
  void between_fences(Put put) {
    MPI_Win_fence(0, window_.get());
    if (first_) put(traffic_.send(), traffic_.count(), traffic_.type(), window_.get());
    MPI_Win_fence(0, window_.get());
  }

 private:
  MPI_Comm comm_;
  bool first_;
  MPI_Aint bytes_;  ///< of the window
  Traffic traffic_;
  UniqueWin window_;
};

/// MPI_Put, which may write the elements in any order.
class PutInFences : public PutMessage {
 public:
  static constexpr Descriptor descriptor =
      describe("put-in-fences", "MPI_Win_fence, MPI_Put to the other rank and MPI_Win_fence");

  using PutMessage::PutMessage;

  void run() {
    between_fences([](const void* data, int count, MPI_Datatype type, MPI_Win window) {
      MPI_Put(data, count, type, 1, 0, count, type, window);
    });
  }
};

const Original<PutInFences> put_in_fences;

/// The same with a stronger guarantee: each element is replaced atomically and in order.
class PutByAccumulate : public PutMessage {
 public:
  static constexpr Descriptor descriptor =
      describe("put-in-fences-by-accumulate",
               "MPI_Win_fence, MPI_Accumulate (MPI_REPLACE) to the other rank and MPI_Win_fence");
  static constexpr std::string_view guideline = "put <= accumulate of replace";

  using PutMessage::PutMessage;

  void run() {
    between_fences([](const void* data, int count, MPI_Datatype type, MPI_Win window) {
      MPI_Accumulate(data, count, type, 1, 0, count, type, MPI_REPLACE, window);
    });
  }
};

const MockUp<PutByAccumulate> put_in_fences_by_accumulate;

/// A ping-pong of a message whose blocks are separated by gaps of equal size.
class StridedMessage : public LaidOutMessage {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    return {.name = name,
            .summary = summary,
            .counts = "the message once, without its gaps",
            .shape = GroupShape::pair,
            .timing = Timing::first_rank};
  }

  StridedMessage(const Context& context, const Point& point)
      : LaidOutMessage(context, point, DataLayout::vector) {}
};

/// The library reads and writes the blocks directly, by a derived datatype.
class StridedPingPong : public StridedMessage {
 public:
  static constexpr Descriptor descriptor = describe(
      "strided-pingpong", "half the round trip of MPI_Send and MPI_Recv of an MPI_Type_vector");

  using StridedMessage::StridedMessage;

  void run() { pass_derived(); }
};

const Original<StridedPingPong> strided_pingpong;

/// The data are packed before sending and unpacked after receiving.
class StridedPingPongByPack : public StridedMessage {
 public:
  static constexpr Descriptor descriptor = describe(
      "strided-pingpong-by-pack",
      "half the round trip of MPI_Pack, MPI_Send, MPI_Recv and MPI_Unpack of an MPI_Type_vector");
  static constexpr std::string_view guideline = "send of a datatype <= pack + send";

  StridedPingPongByPack(const Context& context, const Point& point)
      : StridedMessage(context, point) {
    draw_packed(context);
  }

  void run() { pass_packed(); }
};

const MockUp<StridedPingPongByPack> strided_pingpong_by_pack;

}  // namespace

}  // namespace hockney::benchmarks
