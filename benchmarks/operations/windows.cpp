#include <random>
#include <utility>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/traffic.hpp"
#include "core/statistics.hpp"

/// Windows of messages: many at once between two ranks or many pairs, with single and persistent
/// requests. Also the cost of completing many requests, and of finding a message among many.
namespace hockney::benchmarks {
namespace {

constexpr Descriptor describe_window(std::string_view name, std::string_view summary,
                                     std::string_view counts, GroupShape shape, Timing timing) {
  return {.name = name,
          .summary = summary,
          .counts = counts,
          .shape = shape,
          .timing = timing,
          .windowed = true};
}

/// A window of messages in one direction, ended by an empty message back; a sample is one message.
class Bandwidth : public OneWayWindow {
 public:
  static constexpr Descriptor descriptor = describe_window(
      "bandwidth", "one message of a window of MPI_Isend, closed by an acknowledgement",
      "the message once (OMB bw and IMB Uniband: x1)", GroupShape::pair, Timing::first_rank);

  static Volume volume(const Point& point) { return window_volume(point); }

  Bandwidth(const Context& context, const Point& point)
      : OneWayWindow(context, point, context.rank == 0, 1 - context.rank) {}
};

const Registration<Bandwidth> bandwidth;

/// Windows of messages in both directions; a sample is one message each way.
class BidirectionalBandwidth : public Window {
 public:
  static constexpr Descriptor descriptor = describe_window(
      "bidirectional-bandwidth", "one message each way of two windows of MPI_Isend and MPI_Irecv",
      "the message twice, once each way (OMB bibw and IMB Biband: x2)", GroupShape::pair,
      Timing::last_rank);

  static Volume volume(const Point& point) { return window_volume(point, 2); }

  BidirectionalBandwidth(const Context& context, const Point& point)
      : Window(context, point, 1 - context.rank) {}

  void run() { pass_both_ways(); }
};

const Registration<BidirectionalBandwidth> bidirectional_bandwidth;

/// Many pairs at once, each with a window; a sample is one message of every pair. The slowest pair
/// counts (OMB divides by the mean of the pairs, which no pair need reach). If the point has a
/// number of flows, the other pairs wait.
class MessageRate : public OneWayWindow {
 public:
  static constexpr Descriptor descriptor{
      .name = "message-rate",
      .summary = "one message of every pair, rank i to rank i + n/2, by windows of MPI_Isend",
      .counts = "one message of every pair (OMB mbw_mr: x pairs)",
      .shape = GroupShape::pairs,
      .timing = Timing::last_rank,
      .windowed = true,
      .contends = true};

  static Volume volume(const Point& point) {
    return window_volume(point, flows_of(point, point.ranks / 2));
  }
  static std::optional<std::string> obstacle(const Point& point) {
    return flows_obstacle(point, point.ranks / 2);
  }

  MessageRate(const Context& context, const Point& point)
      : OneWayWindow(context, point, context.rank < context.size / 2,
                     (context.rank + context.size / 2) % context.size),
        works_(context.rank % (context.size / 2) < flows_of(point, context.size / 2)) {}

  void run() {
    if (works_) OneWayWindow::run();
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return !works_ || OneWayWindow::verify(seed);
  }

 private:
  bool works_;
};

const Registration<MessageRate> message_rate;

/// A rank's role in a random pair.
struct RandomPart {
  int partner;
  bool is_first;
};

/// Of the ranks in random order (core/statistics.hpp; the engine is std::mt19937_64), the first two
/// are a pair, then the next two, and so on.
RandomPart random_part(const Context& context, const Point& point) {
  std::mt19937_64 draw(static_cast<std::uint64_t>(point.parameters[pairing_parameter]));
  const std::vector<std::size_t> order = random_order(static_cast<std::size_t>(context.size), draw);
  for (std::size_t i = 0; i < order.size(); i += 2) {
    const auto first = static_cast<int>(order[i]);
    const auto second = static_cast<int>(order[i + 1]);
    if (first == context.rank) return {.partner = second, .is_first = true};
    if (second == context.rank) return {.partner = first, .is_first = false};
  }
  throw std::logic_error("a rank without a partner");
}

/// Messages of random pairs, all at the same time: the performance of a program that ignores the
/// places of its ranks. The difference to message-rate, whose pairs are rank i and rank i + n/2, is
/// the value of placement. The point's parameter "pairing" is the seed, with equal pairs on every
/// rank and machine. The first rank of each pair sends.
class RandomPairs : public OneWayWindow {
 public:
  static constexpr Descriptor descriptor{
      .name = "random-pairs",
      .summary = "one message of every random pair, one way, by windows of MPI_Isend",
      .counts = "one message of every pair (IMB Unirandom: the same)",
      .shape = GroupShape::pairs,
      .timing = Timing::last_rank,
      .windowed = true,
      .own = {pairing_parameter}};

  static Volume volume(const Point& point) { return window_volume(point, point.ranks / 2); }

  RandomPairs(const Context& context, const Point& point)
      : RandomPairs(context, point, random_part(context, point)) {}

 private:
  RandomPairs(const Context& context, const Point& point, const RandomPart& part)
      : OneWayWindow(context, point, part.is_first, part.partner) {}
};

const Registration<RandomPairs> random_pairs;

/// Both ranks of each pair send at the same time.
class RandomPairsBothWays : public Window {
 public:
  static constexpr Descriptor descriptor{
      .name = "random-pairs-both-ways",
      .summary = "one message each way of every random pair, by windows of MPI_Isend and MPI_Irecv",
      .counts = "two messages of every pair (IMB Birandom: the same)",
      .shape = GroupShape::pairs,
      .timing = Timing::last_rank,
      .windowed = true,
      .own = {pairing_parameter}};

  static Volume volume(const Point& point) { return window_volume(point, point.ranks); }

  RandomPairsBothWays(const Context& context, const Point& point)
      : Window(context, point, random_part(context, point).partner) {}

  void run() { pass_both_ways(); }
};

const Registration<RandomPairsBothWays> random_pairs_both_ways;

/// Windows of messages with persistent requests that are started together. They are started once
/// before the checked data are filled in, like those of collectives.
class PersistentWindow {
 public:
  static std::optional<std::string> obstacle(const Point& point) {
    if (!has_rotating_buffers(point)) return std::nullopt;
    return "a persistent request has one place for its buffers";
  }

  void run() {
    MPI_Startall(static_cast<int>(started_.size()), started_.data());
    MPI_Waitall(static_cast<int>(started_.size()), started_.data(), MPI_STATUSES_IGNORE);
    if (sends_ && receives_) return;
    if (sends_) {
      traffic_.await_notice(other_, acknowledgement_tag);
    } else {
      traffic_.notify(other_, acknowledgement_tag);
    }
  }

  void refill(std::uint64_t seed) {
    traffic_.refill(seed);
    make_requests();
    run();
    traffic_.refill(seed);
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return !receives_ || traffic_.verify(seed);
  }

 protected:
  PersistentWindow(const Context& context, const Point& point, bool sends, bool receives)
      : other_(1 - context.rank),
        sends_(sends),
        receives_(receives),
        messages_(static_cast<std::size_t>(window_of(point))),
        traffic_(context, point, std::vector<int>(messages_, other_)) {}

 private:
  static constexpr int tag = 0;
  static constexpr int acknowledgement_tag = 1;

  /// Receives first, so that they are posted before the others' messages arrive.
  void make_requests() {
    requests_.clear();
    for (std::size_t i = 0; receives_ && i < messages_; ++i) {
      traffic_.make_receive(other_, tag, requests_.emplace_back(), i);
    }
    for (std::size_t i = 0; sends_ && i < messages_; ++i) {
      traffic_.make_send(other_, tag, requests_.emplace_back());
    }
    started_.clear();
    for (const UniqueRequest& request : requests_) started_.push_back(request.get());
  }

  int other_;
  bool sends_;
  bool receives_;
  std::size_t messages_;
  Traffic traffic_;
  std::vector<UniqueRequest> requests_;
  std::vector<MPI_Request> started_;  ///< the same, as MPI's array
};

/// Like bandwidth.
class PersistentBandwidth : public PersistentWindow {
 public:
  static constexpr Descriptor descriptor = describe_window(
      "persistent-bandwidth",
      "one message of a window of MPI_Startall and MPI_Waitall of persistent sends, "
      "closed by an acknowledgement",
      "the message once (OMB bw_persistent: x1)", GroupShape::pair, Timing::first_rank);

  static Volume volume(const Point& point) { return window_volume(point); }

  PersistentBandwidth(const Context& context, const Point& point)
      : PersistentWindow(context, point, context.rank == 0, context.rank != 0) {}
};

const Registration<PersistentBandwidth> persistent_bandwidth;

/// Like bidirectional-bandwidth.
class PersistentBothWays : public PersistentWindow {
 public:
  static constexpr Descriptor descriptor =
      describe_window("persistent-bidirectional-bandwidth",
                      "one message each way of two windows of MPI_Startall and MPI_Waitall of "
                      "persistent receives and sends",
                      "the message twice, once each way (OMB bibw_persistent: x2)",
                      GroupShape::pair, Timing::last_rank);

  static Volume volume(const Point& point) { return window_volume(point, 2); }

  PersistentBothWays(const Context& context, const Point& point)
      : PersistentWindow(context, point, true, true) {}
};

const Registration<PersistentBothWays> persistent_bidirectional_bandwidth;

/// The cost of completing many requests, by each of MPI's calls for it; the window is their number.
/// Here they are receives whose messages have all arrived. Before the timed region they are posted,
/// the messages are sent, and MPI_Request_get_status shows that all are complete. A sample contains
/// only the completing calls.
template <class Completion>
class CompletedReceives {
  static constexpr FixedText name{Completion::name, "-completed"};
  static constexpr FixedText summary{"one of a window of receives that are complete, by ",
                                     Completion::function, " alone"};

 public:
  static constexpr Descriptor descriptor{.name = name.view(),
                                         .summary = summary.view(),
                                         .counts = "nothing: the data have come before",
                                         .shape = GroupShape::pair,
                                         .timing = Timing::first_rank,
                                         .single = true,
                                         .windowed = true};

  static Volume volume(const Point& point) { return {.operations = window_of(point)}; }

  static std::optional<std::string> obstacle(const Point& point) {
    if (point.parameters[cadence_parameter] != Cadence::streaming) return std::nullopt;
    return "the requests of a call are made before it";
  }

  CompletedReceives(const Context& context, const Point& point)
      : completes_(context.rank == 0),
        traffic_(context, point,
                 std::vector<int>(static_cast<std::size_t>(window_of(point)), 1 - context.rank)),
        requests_(static_cast<std::size_t>(window_of(point)), MPI_REQUEST_NULL),
        complete_(requests_.size()) {}

  void ready() {
    if (std::exchange(is_ready_, true)) return;
    completes_ ? receive() : send();
  }

  void run() {
    ready();  // already done if calls are timed
    if (completes_) complete_(requests_);
    is_ready_ = false;
  }

  void refill(std::uint64_t seed) {
    if (is_ready_) run();  // started requests must be completed
    traffic_.refill(seed);
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return !completes_ || traffic_.verify(seed);
  }

 private:
  static constexpr int tag = 0;
  static constexpr int posted_tag = 1;

  void receive() {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      traffic_.ireceive_from(1, tag, requests_[i], i);
    }
    traffic_.notify(1, posted_tag);
    for (MPI_Request request : requests_) {
      for (int is_complete = 0; is_complete == 0;) {
        MPI_Request_get_status(request, &is_complete, MPI_STATUS_IGNORE);
      }
    }
  }

  void send() {
    traffic_.await_notice(0, posted_tag);
    for (MPI_Request& request : requests_) traffic_.isend_to(0, tag, request);
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

  bool completes_;
  Traffic traffic_;
  std::vector<MPI_Request> requests_;
  Completion complete_;
  bool is_ready_ = false;
};

const Registration<CompletedReceives<ByWaitall>> waitall_completed;
const Registration<CompletedReceives<ByWaitany>> waitany_completed;
const Registration<CompletedReceives<ByWaitsome>> waitsome_completed;
const Registration<CompletedReceives<ByTestall>> testall_completed;

/// The same for requests that become complete one after the other: like bandwidth, whose receiver
/// calls MPI_Waitall.
template <class Completion>
class ArrivingReceives {
  static constexpr FixedText name{Completion::name, "-bandwidth"};
  static constexpr FixedText summary{
      "one message of a window of MPI_Isend to a receiver that completes by ", Completion::function,
      ", closed by an acknowledgement"};

 public:
  static constexpr Descriptor descriptor{.name = name.view(),
                                         .summary = summary.view(),
                                         .counts = "the message once",
                                         .shape = GroupShape::pair,
                                         .timing = Timing::first_rank,
                                         .windowed = true};

  static Volume volume(const Point& point) { return window_volume(point); }

  ArrivingReceives(const Context& context, const Point& point)
      : sends_(context.rank == 0),
        window_(context, point, 1 - context.rank),
        complete_(static_cast<std::size_t>(window_of(point))) {}

  void run() { window_.pass_one_way(sends_, complete_); }

  void refill(std::uint64_t seed) { window_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return sends_ || window_.verify(seed); }

 private:
  bool sends_;
  Window window_;
  Completion complete_;
};

const Registration<ArrivingReceives<ByWaitany>> waitany_bandwidth;
const Registration<ArrivingReceives<ByWaitsome>> waitsome_bandwidth;
const Registration<ArrivingReceives<ByTestall>> testall_bandwidth;

enum class Order { same, reversed };

/// The cost of finding a message among many: a window of messages with different tags. Received in
/// the order of sending, each is the first in the queue; in the reverse order, each is the last.
/// The window is the depth of the queue. The first rank sends; the second receives and
/// acknowledges.
template <Order order>
class TaggedWindow {
 public:
  static Volume volume(const Point& point) { return window_volume(point); }

  TaggedWindow(const Context& context, const Point& point)
      : is_sender_(context.rank == 0),
        other_(1 - context.rank),
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
  /// The tag of the i-th message to receive.
  [[nodiscard]] int tag_of(int i) const { return order == Order::same ? i : messages_ - 1 - i; }

  void send(int tag) { traffic_.isend_to(receiver, tag, requests_[static_cast<std::size_t>(tag)]); }
  void post(int tag) {
    const auto slot = static_cast<std::size_t>(tag);
    traffic_.ireceive_from(sender, tag, requests_[slot], slot);
  }
  void receive(int tag) { traffic_.receive_from(sender, tag, static_cast<std::size_t>(tag)); }
  void wait() { MPI_Waitall(messages_, requests_.data(), MPI_STATUSES_IGNORE); }

  /// An empty message to the other rank; no other message has the tag `messages_`.
  void notify() { traffic_.notify(other_, messages_); }
  void await_notice() { traffic_.await_notice(other_, messages_); }

 private:
  static constexpr int sender = 0;
  static constexpr int receiver = 1;

  bool is_sender_;
  int other_;
  int messages_;
  Traffic traffic_;
  std::vector<MPI_Request> requests_;
};

constexpr Descriptor describe_queue(std::string_view name, std::string_view summary) {
  return describe_window(name, summary, "the message once", GroupShape::pair, Timing::first_rank);
}

/// All messages have arrived before the first receive.
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
      this->notify();  // arrives after all messages
      this->wait();
      this->await_notice();
    } else {
      this->await_notice();
      for (int i = 0; i < this->messages(); ++i) this->receive(this->tag_of(i));
      this->notify();
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
      this->await_notice();
      for (int i = 0; i < this->messages(); ++i) this->send(this->tag_of(i));
      this->wait();
      this->await_notice();
    } else {
      for (int i = 0; i < this->messages(); ++i) this->post(i);
      this->notify();
      this->wait();
      this->notify();
    }
  }
};

const Registration<PostedQueue<Order::same>> posted_in_order;
const Registration<PostedQueue<Order::reversed>> posted_reversed;

}  // namespace
}  // namespace hockney::benchmarks
