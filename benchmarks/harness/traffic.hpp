#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/payload.hpp"
#include "benchmarks/harness/point.hpp"

/// The ways to complete many requests (MPI 3.1, section 3.7.5). Each is constructed for a number of
/// requests, and completes that many, by as many calls as needed.
namespace hockney::benchmarks {

/// One call for all of them.
class ByWaitall {
 public:
  static constexpr std::string_view name = "waitall";
  static constexpr std::string_view function = "MPI_Waitall";

  explicit ByWaitall(std::size_t) {}

  void operator()(std::span<MPI_Request> requests) {
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }
};

/// One call for each request; a call returns one that is complete.
class ByWaitany {
 public:
  static constexpr std::string_view name = "waitany";
  static constexpr std::string_view function = "MPI_Waitany";

  explicit ByWaitany(std::size_t) {}

  void operator()(std::span<MPI_Request> requests) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      int index = 0;
      MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &index, MPI_STATUS_IGNORE);
    }
  }
};

/// Each call returns all requests that are complete.
class ByWaitsome {
 public:
  static constexpr std::string_view name = "waitsome";
  static constexpr std::string_view function = "MPI_Waitsome";

  explicit ByWaitsome(std::size_t requests) : indices_(requests) {}

  void operator()(std::span<MPI_Request> requests) {
    const auto all = static_cast<int>(requests.size());
    for (int done = 0, some = 0; done < all && some != MPI_UNDEFINED; done += some) {
      MPI_Waitsome(all, requests.data(), &some, indices_.data(), MPI_STATUSES_IGNORE);
    }
  }

 private:
  std::vector<int> indices_;
};

/// Tests repeatedly until all requests are complete.
class ByTestall {
 public:
  static constexpr std::string_view name = "testall";
  static constexpr std::string_view function = "MPI_Testall";

  explicit ByTestall(std::size_t) {}

  void operator()(std::span<MPI_Request> requests) {
    for (int is_done = 0; is_done == 0;) {
      MPI_Testall(static_cast<int>(requests.size()), requests.data(), &is_done,
                  MPI_STATUSES_IGNORE);
    }
  }
};

/// The messages of one rank and the calls that pass them. Every message that can be in progress at
/// once has a buffer to send from and one to receive into, and each receive buffer has the rank
/// whose data it must contain afterwards. Return codes are not checked in the timed region: the
/// handler of take_mpi_errors() (mpi_objects.hpp) ends the launch on an error.
class Traffic {
 public:
  /// Messages of the point's size and datatype. `sources` are ranks of the context, one for every
  /// receive buffer; a rank may occur several times.
  Traffic(const Context& context, const Point& point, const std::vector<int>& sources);

  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] void* send() const { return send_.data(); }
  [[nodiscard]] void* receive(std::size_t index = 0) const { return inboxes_[index].data.data(); }
  [[nodiscard]] int count() const { return send_.count(); }  ///< [elements]
  [[nodiscard]] MPI_Datatype type() const { return send_.type(); }

  /// `function` is MPI_Send or has its parameters.
  template <auto function = MPI_Send>
  void send_to(int to, int tag) const {
    function(send(), count(), type(), to, tag, comm_);
  }
  void isend_to(int to, int tag, MPI_Request& request) const {
    MPI_Isend(send(), count(), type(), to, tag, comm_, &request);
  }
  void receive_from(int from, int tag, std::size_t index = 0) const {
    MPI_Recv(receive(index), count(), type(), from, tag, comm_, MPI_STATUS_IGNORE);
  }
  void ireceive_from(int from, int tag, MPI_Request& request, std::size_t index = 0) const {
    MPI_Irecv(receive(index), count(), type(), from, tag, comm_, &request);
  }
  /// An empty message that notifies another rank.
  void notify(int to, int tag) const { MPI_Send(nullptr, 0, MPI_BYTE, to, tag, comm_); }
  void await_notice(int from, int tag) const {
    MPI_Recv(nullptr, 0, MPI_BYTE, from, tag, comm_, MPI_STATUS_IGNORE);
  }
  /// Persistent requests for the current places of the buffers.
  void make_send(int to, int tag, UniqueRequest& request) const {
    mpi_check(MPI_Send_init(send(), count(), type(), to, tag, comm_, request.out()));
  }
  void make_receive(int from, int tag, UniqueRequest& request, std::size_t index = 0) const {
    mpi_check(MPI_Recv_init(receive(index), count(), type(), from, tag, comm_, request.out()));
  }

  void refill(std::uint64_t seed);
  [[nodiscard]] bool verify(std::uint64_t seed) const { return verify(seed, inboxes_.size()); }
  /// Checks only the first `buffers` receive buffers.
  [[nodiscard]] bool verify(std::uint64_t seed, std::size_t buffers) const;

 private:
  struct Inbox {
    Buffer data;
    int source = 0;
  };

  MPI_Comm comm_;
  Payload<> send_;
  Pattern received_;
  std::vector<Inbox> inboxes_;
};

/// A message to one rank, and one of equal size from a rank.
class PassedMessage {
 public:
  /// With a receive buffer for each message of one run.
  PassedMessage(const Context& context, const Point& point, int to, int from,
                std::size_t buffers = 1)
      : to_(to),
        from_(from),
        tag_(context.first_tag),
        traffic_(context, point, std::vector<int>(buffers, from)) {}

  template <auto function = MPI_Send>
  void send() {
    traffic_.send_to<function>(to_, tag_);
  }
  void isend(MPI_Request& request) { traffic_.isend_to(to_, tag_, request); }
  void receive() { traffic_.receive_from(from_, tag_); }
  void receive_from_any() { traffic_.receive_from(MPI_ANY_SOURCE, tag_); }
  /// Probes a message for its size, then receives it.
  void probe_and_receive() {
    MPI_Status status;
    int count = 0;
    MPI_Probe(from_, tag_, traffic_.comm(), &status);
    MPI_Get_count(&status, traffic_.type(), &count);
    MPI_Recv(traffic_.receive(), count, traffic_.type(), from_, tag_, traffic_.comm(),
             MPI_STATUS_IGNORE);
  }
  /// The same with a matched probe and receive.
  void probe_and_receive_matched() {
    MPI_Status status;
    MPI_Message message = MPI_MESSAGE_NULL;
    int count = 0;
    MPI_Mprobe(from_, tag_, traffic_.comm(), &message, &status);
    MPI_Get_count(&status, traffic_.type(), &count);
    MPI_Mrecv(traffic_.receive(), count, traffic_.type(), &message, MPI_STATUS_IGNORE);
  }
  void ireceive(MPI_Request& request) { traffic_.ireceive_from(from_, tag_, request); }
  void sendrecv(std::size_t buffer = 0) {
    MPI_Sendrecv(traffic_.send(), traffic_.count(), traffic_.type(), to_, tag_,
                 traffic_.receive(buffer), traffic_.count(), traffic_.type(), from_, tag_,
                 traffic_.comm(), MPI_STATUS_IGNORE);
  }

  void make_send(UniqueRequest& request) { traffic_.make_send(to_, tag_, request); }
  void make_receive(UniqueRequest& request) { traffic_.make_receive(from_, tag_, request); }

  /// An empty message that notifies the sender that this rank's receive is posted.
  void announce() { traffic_.notify(from_, tag_ + 1); }
  void await_announcement() { traffic_.await_notice(to_, tag_ + 1); }

  void refill(std::uint64_t seed) { traffic_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return traffic_.verify(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed, std::size_t buffers) const {
    return traffic_.verify(seed, buffers);
  }

 private:
  int to_;
  int from_;
  int tag_;  ///< tag of messages; notifications use the next one
  Traffic traffic_;
};

/// A message between the two ranks of a pair.
class PairMessage : public PassedMessage {
 public:
  /// Counts the message once; a round trip is two operations.
  static Volume volume(const Point& point) { return {.operations = 2, .bytes = point.bytes}; }

  PairMessage(const Context& context, const Point& point)
      : PassedMessage(context, point, 1 - context.rank, 1 - context.rank),
        is_first_(context.rank == 0) {}

 protected:
  /// A round trip, which the first rank begins. `pass` sends a message, `take` receives one.
  template <class Pass, class Take>
  void pass_and_return(Pass pass, Take take) {
    if (is_first_) {
      pass();
      take();
    } else {
      take();
      pass();
    }
  }
  template <class Pass>
  void pass_and_return(Pass pass) {
    pass_and_return(pass, [this] { receive(); });
  }

  [[nodiscard]] bool is_first() const { return is_first_; }

 private:
  bool is_first_;
};

/// A message to the right neighbour in a ring of all ranks, and one from the left.
class RingMessage : public PassedMessage {
 public:
  /// Counts the message twice, as each rank sends and receives one.
  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes * 2}; }

  RingMessage(const Context& context, const Point& point)
      : PassedMessage(context, point, (context.rank + 1) % context.size,
                      (context.rank + context.size - 1) % context.size) {}
};

/// Number of messages in a window.
inline constexpr Parameter<int> window_parameter{hockney::window_parameter, 1};
inline int window_of(const Point& point) { return point.parameters[window_parameter]; }

/// A run is a window of operations, each of which counts `messages` messages.
inline Volume window_volume(const Point& point, int messages = 1) {
  return {.operations = window_of(point), .bytes = point.bytes * messages};
}

/// A stream of messages to or from one rank: all are posted, then completed.
class Window {
 public:
  Window(const Context& context, const Point& point, int other);

  void start_sends();
  void start_receives();
  void wait();

  /// The window in one direction; the receiver ends it with an empty message back.
  void pass_one_way(bool sends) { pass_one_way(sends, complete_); }
  /// The same; the receiver completes its requests with `complete`.
  template <class Completion>
  void pass_one_way(bool sends, Completion& complete) {
    if (sends) {
      start_sends();
      wait();
      await_acknowledgement();
    } else {
      start_receives();
      complete(requests_);
      requests_.clear();
      acknowledge();
    }
  }
  /// Windows in both directions at once.
  void pass_both_ways() {
    start_receives();
    start_sends();
    wait();
  }

  void refill(std::uint64_t seed) { traffic_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return traffic_.verify(seed); }

 private:
  void acknowledge() const { traffic_.notify(other_, tag_ + 1); }
  void await_acknowledgement() const { traffic_.await_notice(other_, tag_ + 1); }

  int other_;
  int tag_;  ///< tag of messages; acknowledgements use the next one
  int messages_;
  Traffic traffic_;
  std::vector<MPI_Request> requests_;
  ByWaitall complete_{0};
};

/// A window from one rank to another; the second half of the ranks receive.
class OneWayWindow {
 public:
  OneWayWindow(const Context& context, const Point& point, bool sends, int other)
      : sends_(sends), window_(context, point, other) {}

  void run() { window_.pass_one_way(sends_); }

  void refill(std::uint64_t seed) { window_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return sends_ || window_.verify(seed); }

 private:
  bool sends_;
  Window window_;
};

/// Number of competing messages that are in progress at once.
struct Flows {
  int number = 0;  ///< 0: as many as the ranks permit

  friend bool operator==(const Flows&, const Flows&) = default;
};

/// A number, or "all".
std::string parameter_text(const Flows& flows);
inline constexpr Parameter<Flows> flows_parameter{"flows"};

/// InputError if the text is neither a number from 1 nor "all".
Flows parse_flows(const std::string& text);

/// The flows of a point; `most` is possible. A point without the parameter has all.
int flows_of(const Point& point, int most);

/// Why a point cannot be measured: its ranks permit fewer flows. nullopt if it can.
std::optional<std::string> flows_obstacle(const Point& point, int most);

/// Messages between two halves of the ranks: the first pairs, rank i and rank i + n/2, are active,
/// as many as there are flows.
class CutMessage : public PassedMessage {
 public:
  static std::optional<std::string> obstacle(const Point& point) {
    return flows_obstacle(point, point.ranks / 2);
  }

  CutMessage(const Context& context, const Point& point, std::size_t buffers = 1);

 protected:
  [[nodiscard]] bool is_in_first_half() const { return is_in_first_half_; }
  [[nodiscard]] int pair() const { return pair_; }
  [[nodiscard]] bool works() const { return works_; }

 private:
  bool is_in_first_half_;
  int pair_;
  bool works_;
};

/// A message to both neighbours in a ring, and one from both.
class RingExchange {
 public:
  /// Counts the message four times: each rank sends two and receives two.
  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes * 4}; }

  RingExchange(const Context& context, const Point& point)
      : comm_(context.comm),
        right_((context.rank + 1) % context.size),
        left_((context.rank + context.size - 1) % context.size),
        rightwards_(context.first_tag),
        leftwards_(context.first_tag + 1),
        traffic_(context, point, {left_, right_}) {}

  void run() {
    std::array<MPI_Request, 2> requests{};
    const int count = traffic_.count();
    MPI_Datatype type = traffic_.type();
    MPI_Isend(traffic_.send(), count, type, right_, rightwards_, comm_, requests.data());
    MPI_Isend(traffic_.send(), count, type, left_, leftwards_, comm_, &requests[1]);
    MPI_Recv(traffic_.receive(0), count, type, left_, rightwards_, comm_, MPI_STATUS_IGNORE);
    MPI_Recv(traffic_.receive(1), count, type, right_, leftwards_, comm_, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  }

  void refill(std::uint64_t seed) { traffic_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return traffic_.verify(seed); }

 private:
  MPI_Comm comm_;
  int right_;
  int left_;
  // With two ranks both neighbours are the same rank; the tag gives the direction.
  int rightwards_;
  int leftwards_;
  Traffic traffic_;
};

}  // namespace hockney::benchmarks
