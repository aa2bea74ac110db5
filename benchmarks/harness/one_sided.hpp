#pragma once

#include <mpi.h>

#include "benchmarks/harness/fixed_text.hpp"
#include "benchmarks/harness/overlap.hpp"
#include "benchmarks/harness/remote_calls.hpp"
#include "benchmarks/harness/traffic.hpp"

/// The forms in which a call on another rank's memory is measured: one call, a window of calls one
/// way or both ways, and windows of many pairs. A call is a struct with
/// - `Data`: what it gives and leaves (remote_data.hpp);
/// - `words`: what it says of itself;
/// - `make(data, place)`: the call on a slot of the other rank's memory.
namespace hockney::benchmarks {

/// The descriptor of a form: `name` and `summary` of it, and the rest from its call.
template <class Call>
constexpr Descriptor describe_form(const FixedText& name, const FixedText& summary) {
  Descriptor made = Call::Data::calls;
  made.name = name.view();
  made.summary = summary.view();
  made.counts = Call::words.counts;
  made.sizes = made.one_element ? "one element of the datatype" : "what one call moves";
  made.one_sided = true;
  return made;
}

/// One call. It is complete at the origin when the synchronising call has returned there; to
/// be complete at the target, the target answers it by the same call, and half of both counts.
template <class Call>
class RemoteLatency : public RemoteCalls<Call> {
  static constexpr FixedText name{Call::words.name};
  static constexpr FixedText summary{
      Call::words.function,
      " and its synchronisation, until complete at the origin; at the target: half of it and the "
      "same call back"};

  static constexpr Descriptor describe() {
    Descriptor made = describe_form<Call>(name, summary);
    made.overlaps = true;
    return made;
  }

 public:
  static constexpr Descriptor descriptor = describe();

  static Volume volume(const Point& point) {
    return {.operations = is_answered(point) ? 2 : 1, .bytes = point.bytes};
  }

  RemoteLatency(const Context& context, const Point& point)
      : RemoteCalls<Call>(context, point,
                          pair_links(context.rank, 1 - context.rank, 1, parts_in(context, point))),
        is_first_(context.rank == 0),
        is_answered_(is_answered(point)),
        comm_(context.comm),
        target_(point) {}

  void run() {
    if (target_.only_works()) return target_.work();
    if (is_first_) {
      this->give();
      if (is_answered_) this->take();
    } else {
      if (target_.works_during()) return compute();
      this->take();
      if (is_answered_) this->give();
    }
    this->count();
  }

  void set_work(double rounds) { target_.set_rounds(rounds); }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return target_.only_works() || RemoteCalls<Call>::verify(seed);
  }

 private:
  static bool is_answered(const Point& point) { return completion_of(point) == Completion::target; }
  static Parts parts_in(const Context& context, const Point& point) {
    const bool is_first = context.rank == 0;
    return {.gives = is_first || is_answered(point), .takes = !is_first || is_answered(point)};
  }

  /// A target that is in MPI between its pieces of work only.
  void compute() {
    target_.work_during([this] { visit_mpi(); });
    visit_mpi();
    this->count();
  }
  void visit_mpi() const {
    int found = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &found, MPI_STATUS_IGNORE);
  }

  bool is_first_;
  bool is_answered_;
  MPI_Comm comm_;
  Overlap target_;
};

/// A window of calls that are completed together, from the first rank to the second. Where it
/// counts at the target, an empty message back closes it.
template <class Call>
class RemoteBandwidth : public RemoteCalls<Call> {
  static constexpr FixedText name{Call::words.name, "-bandwidth"};
  static constexpr FixedText summary{
      "one of a window of ", Call::words.function,
      ", completed at the origin together; at the target: closed by an acknowledgement"};

  static constexpr Descriptor describe() {
    Descriptor made = describe_form<Call>(name, summary);
    made.windowed = true;
    return made;
  }

 public:
  static constexpr Descriptor descriptor = describe();

  static Volume volume(const Point& point) {
    return {.operations = window_of(point), .bytes = point.bytes};
  }

  RemoteBandwidth(const Context& context, const Point& point)
      : RemoteCalls<Call>(context, point,
                          pair_links(context.rank, 1 - context.rank, window_of(point),
                                     {.gives = context.rank == 0, .takes = context.rank != 0})),
        is_first_(context.rank == 0),
        is_acknowledged_(completion_of(point) == Completion::target),
        comm_(context.comm) {}

  void run() {
    if (is_first_) {
      this->give();
      if (is_acknowledged_) MPI_Recv(nullptr, 0, MPI_BYTE, 1, tag, comm_, MPI_STATUS_IGNORE);
    } else {
      this->take();
      if (is_acknowledged_) MPI_Send(nullptr, 0, MPI_BYTE, 0, tag, comm_);
    }
    this->count();
  }

 private:
  static constexpr int tag = 3;

  bool is_first_;
  bool is_acknowledged_;
  MPI_Comm comm_;
};

/// Windows of calls of two ranks on each other's memory at once.
template <class Call>
class RemoteBothWays : public RemoteCalls<Call> {
  static constexpr FixedText name{Call::words.name, "-bidirectional-bandwidth"};
  static constexpr FixedText summary{"one each way of two windows of ", Call::words.function,
                                     " at once, each completed together"};
  static constexpr FixedText counts{"twice, once each way: ", Call::words.counts};

  static constexpr Descriptor describe() {
    Descriptor made = describe_form<Call>(name, summary);
    made.counts = counts.view();
    made.timing = Timing::last_rank;
    made.windowed = true;
    return made;
  }

 public:
  static constexpr Descriptor descriptor = describe();

  static Volume volume(const Point& point) {
    return {.operations = window_of(point), .bytes = point.bytes * 2};
  }

  RemoteBothWays(const Context& context, const Point& point)
      : RemoteCalls<Call>(context, point,
                          pair_links(context.rank, 1 - context.rank, window_of(point),
                                     {.gives = true, .takes = true})) {}

  void run() {
    this->give_and_take();
    this->count();
  }
};

/// Many pairs at once, each with its window of calls: the slowest pair counts.
template <class Call>
class RemoteRate : public RemoteCalls<Call> {
  static constexpr FixedText name{Call::words.name, "-rate"};
  static constexpr FixedText summary{"one of every pair, rank i on rank i + n/2, of windows of ",
                                     Call::words.function, " that are completed together"};
  static constexpr FixedText counts{"once for every pair: ", Call::words.counts};

  static constexpr Descriptor describe() {
    Descriptor made = describe_form<Call>(name, summary);
    made.counts = counts.view();
    made.shape = GroupShape::pairs;
    made.timing = Timing::last_rank;
    made.windowed = true;
    return made;
  }

 public:
  static constexpr Descriptor descriptor = describe();

  static Volume volume(const Point& point) {
    return {.operations = window_of(point), .bytes = point.bytes * (point.ranks / 2)};
  }

  RemoteRate(const Context& context, const Point& point)
      : RemoteCalls<Call>(context, point,
                          pair_links(context.rank, (context.rank + context.size / 2) % context.size,
                                     window_of(point),
                                     {.gives = context.rank < context.size / 2,
                                      .takes = context.rank >= context.size / 2})),
        gives_(context.rank < context.size / 2) {}

  void run() {
    if (gives_) {
      this->give();
    } else {
      this->take();
    }
    this->count();
  }

 private:
  bool gives_;
};

}  // namespace hockney::benchmarks
