#include <mpi.h>
#include <array>
#include <optional>
#include <string>

#include "benchmarks/harness/exchanged_data.hpp"
#include "benchmarks/harness/guidelines.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/payload.hpp"

namespace hockney::benchmarks {
namespace {

/// On a closed ring another block for each of the two neighbours, and from each. Three ranks at
/// least: of two, both neighbours are one rank, and libraries disagree on which block is which.
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
  [[nodiscard]] int count() const { return count_; }  ///< [elements] of a block
  [[nodiscard]] MPI_Datatype type() const { return type_; }
  /// The block for, and from, the left neighbour (0) or the right one (1).
  [[nodiscard]] const void* send(int place) const { return send_.data() + offset(place); }
  [[nodiscard]] void* receive(int place) const { return receive_.data() + offset(place); }

 private:
  static int left_of(const Context& context) {
    return (context.rank + context.size - 1) % context.size;
  }
  static int right_of(const Context& context) { return (context.rank + 1) % context.size; }
  /// Of the block that a rank sends to its left (0) or right (1).
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

/// By the neighbourhood collective of a closed ring.
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

/// To one side, and then to the other.
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

}  // namespace
}  // namespace hockney::benchmarks
