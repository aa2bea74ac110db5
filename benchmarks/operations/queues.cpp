#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/traffic.hpp"

/// What it costs to find a message among many: a window of messages with a tag each, received in
/// the order in which they were sent, so that each is the first one looked at, or in the reverse
/// order, so that each is the last one. The window is the depth of the queue.
namespace hockney::benchmarks {
namespace {

enum class Order { same, reversed };

/// What both queues share. The first rank sends, the second one receives and acknowledges.
template <Order order>
class TaggedWindow {
 public:
  static Volume volume(const Point& point) {
    return {.operations = window_of(point), .bytes = point.bytes};
  }

  TaggedWindow(const Context& context, const Point& point)
      : comm_(context.comm),
        is_sender_(context.rank == 0),
        messages_(window_of(point)),
        traffic_(context, point,
                 std::vector<int>(static_cast<std::size_t>(messages_), 1 - context.rank)),
        requests_(static_cast<std::size_t>(messages_), MPI_REQUEST_NULL) {}

  void refill(std::uint64_t seed) { traffic_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return is_sender_ || traffic_.verify(seed);
  }

 protected:
  [[nodiscard]] bool is_sender() const { return is_sender_; }
  [[nodiscard]] int messages() const { return messages_; }
  /// The tag of the i-th message where the order counts.
  [[nodiscard]] int tag_of(int i) const { return order == Order::same ? i : messages_ - 1 - i; }

  void send(int tag) {
    MPI_Isend(traffic_.send(), traffic_.count(), traffic_.type(), receiver, tag, comm_,
              &requests_[static_cast<std::size_t>(tag)]);
  }
  void post(int tag) {
    const auto slot = static_cast<std::size_t>(tag);
    MPI_Irecv(traffic_.receive(slot), traffic_.count(), traffic_.type(), sender, tag, comm_,
              &requests_[slot]);
  }
  void receive(int tag) {
    MPI_Recv(traffic_.receive(static_cast<std::size_t>(tag)), traffic_.count(), traffic_.type(),
             sender, tag, comm_, MPI_STATUS_IGNORE);
  }
  void wait() { MPI_Waitall(messages_, requests_.data(), MPI_STATUSES_IGNORE); }

  /// An empty message to the other rank; `messages_` is a tag that no message has.
  void tell() { MPI_Send(nullptr, 0, MPI_BYTE, is_sender_ ? receiver : sender, messages_, comm_); }
  void be_told() {
    MPI_Recv(nullptr, 0, MPI_BYTE, is_sender_ ? receiver : sender, messages_, comm_,
             MPI_STATUS_IGNORE);
  }

 private:
  static constexpr int sender = 0;
  static constexpr int receiver = 1;

  MPI_Comm comm_;
  bool is_sender_;
  int messages_;
  Traffic traffic_;
  std::vector<MPI_Request> requests_;
};

constexpr Descriptor describe_queue(std::string_view name, std::string_view summary) {
  return {.name = name,
          .summary = summary,
          .counts = "the message once",
          .shape = GroupShape::pair,
          .timing = Timing::first_rank,
          .windowed = true};
}

/// All messages are there before the first one is asked for.
template <Order order>
class UnexpectedQueue : public TaggedWindow<order> {
 public:
  static constexpr Descriptor descriptor =
      order == Order::same
          ? describe_queue("unexpected-in-order",
                           "one of a window of unexpected messages, received as they were sent")
          : describe_queue("unexpected-reversed",
                           "one of a window of unexpected messages, received last first");
  using TaggedWindow<order>::TaggedWindow;

  void run() {
    if (this->is_sender()) {
      for (int i = 0; i < this->messages(); ++i) this->send(i);
      this->tell();  // is behind all of them
      this->wait();
      this->be_told();
    } else {
      this->be_told();
      for (int i = 0; i < this->messages(); ++i) this->receive(this->tag_of(i));
      this->tell();
    }
  }
};

const Registration<UnexpectedQueue<Order::same>> unexpected_in_order;
const Registration<UnexpectedQueue<Order::reversed>> unexpected_reversed;

/// All receives are posted before the first message is sent.
template <Order order>
class PostedQueue : public TaggedWindow<order> {
 public:
  static constexpr Descriptor descriptor =
      order == Order::same
          ? describe_queue(
                "posted-in-order",
                "one of a window of messages to posted receives, sent as they were posted")
          : describe_queue("posted-reversed",
                           "one of a window of messages to posted receives, sent last first");
  using TaggedWindow<order>::TaggedWindow;

  void run() {
    if (this->is_sender()) {
      this->be_told();
      for (int i = 0; i < this->messages(); ++i) this->send(this->tag_of(i));
      this->wait();
      this->be_told();
    } else {
      for (int i = 0; i < this->messages(); ++i) this->post(i);
      this->tell();
      this->wait();
      this->tell();
    }
  }
};

const Registration<PostedQueue<Order::same>> posted_in_order;
const Registration<PostedQueue<Order::reversed>> posted_reversed;

}  // namespace
}  // namespace hockney::benchmarks
