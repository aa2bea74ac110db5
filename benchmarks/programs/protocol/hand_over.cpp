#include "benchmarks/programs/protocol/hand_over.hpp"

#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/programs/protocol/pair_link.hpp"

namespace hockney::benchmarks::programs {
namespace {

constexpr int tries = 50;
constexpr double short_wait_seconds = 5e-3;
constexpr double long_wait_seconds = 0.05;

double wait_seconds(std::int64_t bytes, Patience patience) {
  const double base = patience == Patience::short_wait ? short_wait_seconds : long_wait_seconds;
  return base + static_cast<double>(bytes) / slowest_bytes_per_second;
}

/// When the call under test began and returned.
struct Called {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

class Probing {
 public:
  Probing(PairLink& link, MessageData& data, const HandOverQuestion& question)
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
      tell(called, waited);
      if (called.end < waited.end) return true;
      // Held, if the call was there for most of the wait and the receiver was, too.
      const bool is_early = link_.seconds(waited.end - called.begin) >= wait / 2;
      if (is_early && called.begin <= waited.settled) return false;
    }
    return false;
  }

 private:
  /// Each rank fills in what the other one saw.
  void tell(Called& called, Waited& waited) {
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
    send_message(question_.call, buffer, message, link_.other(), hand_over_tag, link_.messages());
    called.end = link_.now();
    link_.notify();
    return called;
  }

  Waited receive(std::int64_t bytes, double wait) {
    link_.notify();
    const Waited waited = link_.wait(question_.receiver, wait);
    mpi_check(MPI_Recv(data_.to_receive(), static_cast<int>(bytes), MPI_BYTE, link_.other(),
                       hand_over_tag, link_.messages(), MPI_STATUS_IGNORE));
    link_.await_note();
    data_.check(bytes);
    return waited;
  }

  PairLink& link_;
  MessageData& data_;
  HandOverQuestion question_;
};

}  // namespace

std::string receiver_name(Receiver receiver) {
  return receiver == Receiver::progressing ? "progressing" : "asleep";
}

HandOver find_hand_over(PairLink& link, MessageData& data, const HandOverQuestion& question,
                        std::int64_t most_bytes) {
  LimitFound found = find_limit(Probing(link, data, question), most_bytes);
  return {.call = name_in(call_names, question.call),
          .receiver = receiver_name(question.receiver),
          .datatype = name_in(layout_names, question.layout),
          .limit_bytes = found.limit_bytes,
          .held_bytes = found.held_bytes,
          .most_bytes = most_bytes,
          .exceptions = std::move(found.exceptions),
          .probes = found.probes,
          .corrections = found.corrections};
}

}  // namespace hockney::benchmarks::programs
