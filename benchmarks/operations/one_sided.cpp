#include <mpi.h>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/epochs.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/rank_work.hpp"
#include "benchmarks/harness/remote_data.hpp"
#include "benchmarks/harness/traffic.hpp"

/// Forms in which a call on another rank's memory is measured: one call, a window of calls in one
/// or both directions, and windows of many pairs. A call is a struct with
/// - `Data`: its data, with their rules (remote_data.hpp);
/// - `words`: its descriptions;
/// - `make(data, place)`: the call on a slot of the other rank's memory.
namespace hockney::benchmarks {
namespace {

/// A call's descriptions.
struct RemoteCallWords {
  std::string_view name;
  std::string_view function;  ///< of MPI
  std::string_view counts;    ///< of one call
};

/// A slot of another rank's memory, as an argument of calls on its window.
struct Place {
  MPI_Win window;
  int rank;
  MPI_Aint displacement;
  std::size_t slot;
};

/// Why a call on a window cannot be measured at the point; nullopt if it can.
std::optional<std::string> window_obstacle(const Point& point) {
  if (has_rotating_buffers(point)) return "the memory of a window stays in one place";
  return epoch_obstacle(point);
}

/// The common part of the forms: memory, data and epochs of one rank.
template <class Call>
class RemoteCalls {
 public:
  using Data = typename Call::Data;

  static std::optional<std::string> obstacle(const Point& point) {
    if (auto reason = window_obstacle(point)) return reason;
    if (!Data::calls.changes_target && completion_of(point) == Completion::target) {
      return "it changes nothing at its target";
    }
    return Data::obstacle(point);
  }

  void refill(std::uint64_t seed) {
    epochs_.begin_own();
    data_.refill(seed, memory_.bytes());
    epochs_.end_own();
    calls_ = 0;
    mpi_check(MPI_Barrier(comm_));  // no call may come before the memory is laid out
  }
  void settle() {
    epochs_.settle();
    mpi_check(MPI_Barrier(comm_));
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    epochs_.begin_own();
    const bool is_good = data_.verify(seed, memory_.bytes(), calls_);
    epochs_.end_own();
    mpi_check(MPI_Barrier(comm_));  // no next call may come before all ranks have checked their
                                    // memory
    return is_good;
  }

 protected:
  RemoteCalls(const Context& context, const Point& point, const Links& links)
      : comm_(context.comm),
        slots_(point, static_cast<std::size_t>(links.slots)),
        memory_(comm_, window_kind_of(point), slots_.bytes()),
        data_(context, point, links, slots_),
        epochs_({.comm = comm_,
                 .window = memory_.window(),
                 .own = context.rank,
                 .targets = links.targets(),
                 .origins = links.sources()},
                point) {
    for (const RemoteSlot& call : links.calls) {
      const auto offset = static_cast<MPI_Aint>(slots_.begin_of(call.there));
      places_.push_back(
          {memory_.window(), call.rank, memory_.begin_of(call.rank) + offset, call.here});
    }
  }

  /// This rank's calls, until they are complete.
  void give() {
    epochs_.begin();
    make_calls();
    epochs_.complete();
  }
  /// This rank's part in the other ranks' calls.
  void take() {
    epochs_.expose();
    epochs_.conclude();
  }
  void give_and_take() {
    epochs_.expose();
    epochs_.begin();
    make_calls();
    epochs_.complete_both();
  }
  /// Counts one call on each slot, made by either rank.
  void count() {
    ++calls_;
    if constexpr (requires { data_.advance(); }) data_.advance();
  }

 private:
  void make_calls() {
    for (const Place& place : places_) Call::make(data_, place);
  }

  MPI_Comm comm_;
  Slots slots_;
  ExposedMemory memory_;
  Data data_;
  Epochs epochs_;
  std::vector<Place> places_;
  std::uint64_t calls_ = 0;  ///< number of calls on each slot since refill
};

/// The descriptor of a form: its name and summary, and the call's other properties.
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

/// One call. At the origin it is complete when the synchronising call has returned. For completion
/// at the target, the target replies with the same call, and a sample is half of both.
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

  /// A target that computes, and enters MPI only between its pieces of work.
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

/// A window of calls that are completed together, from the first rank to the second. For completion
/// at the target, the target ends it with an empty message back.
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

/// Windows of calls of two ranks on each other's memory at the same time.
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

/// Many pairs at the same time, each with a window of calls. The slowest pair counts.
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

}  // namespace

}  // namespace hockney::benchmarks

/// Forms in which calls of many ranks on each other's memory are measured. A call is a struct as
/// above; its make() must not depend on the actions of other ranks.
namespace hockney::benchmarks {
namespace {

/// One run: every rank makes its calls and completes them together. The last rank counts. A rank
/// has finished when its own calls are complete. For completion at the target, it must also have
/// been notified that the others' calls are complete.
template <class Call, class Pattern>
class LinkedCalls : public RemoteCalls<Call> {
  using Base = RemoteCalls<Call>;

 public:
  static std::optional<std::string> obstacle(const Point& point) {
    if (point.ranks < 2) return "it needs another rank";
    return Base::obstacle(point);
  }

  static Volume volume(const Point& point) {
    return {.operations = 1, .bytes = point.bytes * Pattern::messages(point.ranks)};
  }

  LinkedCalls(const Context& context, const Point& point)
      : LinkedCalls(context, point, Pattern::links(context.rank, context.size)) {}

  void run() {
    if (gives_ && takes_) {
      this->give_and_take();
    } else if (gives_) {
      this->give();
    } else {
      this->take();
    }
    this->count();
  }

 protected:
  static constexpr Descriptor describe(const FixedText& name, const FixedText& summary,
                                       std::string_view counts) {
    Descriptor made = describe_form<Call>(name, summary);
    made.counts = counts;
    made.shape = GroupShape::everybody;
    made.timing = Timing::last_rank;
    return made;
  }

 private:
  LinkedCalls(const Context& context, const Point& point, const Links& links)
      : Base(context, point, links), gives_(!links.calls.empty()), takes_(!links.origins.empty()) {}

  bool gives_;
  bool takes_;
};

template <class Call>
class OneOnAll : public LinkedCalls<Call, OneToAll> {
  static constexpr FixedText name{"one-", Call::words.name, "-all"};
  static constexpr FixedText summary{
      Call::words.function,
      " of the first rank on each of the others, completed together, until the last rank is "
      "through"};

 public:
  static constexpr Descriptor descriptor = LinkedCalls<Call, OneToAll>::describe(
      name, summary, "the data of all calls (IMB-RMA One_put_all, One_get_all: the same)");
  using LinkedCalls<Call, OneToAll>::LinkedCalls;
};

template <class Call>
class AllOnAll : public LinkedCalls<Call, AllToAll> {
  static constexpr FixedText name{"all-", Call::words.name, "-all"};
  static constexpr FixedText summary{
      Call::words.function,
      " of every rank on each of the others, completed together, until the last rank is through"};

 public:
  static constexpr Descriptor descriptor = LinkedCalls<Call, AllToAll>::describe(
      name, summary, "the data of one rank's calls (IMB-RMA All_put_all, All_get_all: none)");
  using LinkedCalls<Call, AllToAll>::LinkedCalls;
};

template <class Call>
class ExchangeByCalls : public LinkedCalls<Call, BothNeighbours> {
  static constexpr FixedText name{"exchange-", Call::words.name};
  static constexpr FixedText summary{
      Call::words.function,
      " of every rank on both neighbours in a ring, completed together, until the last rank is "
      "through"};

 public:
  static constexpr Descriptor descriptor = LinkedCalls<Call, BothNeighbours>::describe(
      name, summary,
      "the data four times, as exchange: two calls of a rank and two on it (IMB-RMA Exchange_put, "
      "Exchange_get: none)");
  using LinkedCalls<Call, BothNeighbours>::LinkedCalls;
};

}  // namespace

}  // namespace hockney::benchmarks

/// Calls on other ranks' memory. Each is a struct; the forms above measure it between two and among
/// many ranks.
namespace hockney::benchmarks {
namespace {

/// Writes this rank's data into the other rank's memory.
struct Put {
  using Data = PutData;
  static constexpr RemoteCallWords words{
      .name = "put",
      .function = "MPI_Put",
      .counts = "the data of one call (OMB put_bw, IMB Unidir_put: the same)"};

  static void make(Data& data, const Place& place) {
    MPI_Put(data.source(), data.count(), data.type(), place.rank, place.displacement, data.count(),
            data.type(), place.window);
  }
};

const Registration<RemoteLatency<Put>> put;
const Registration<RemoteBandwidth<Put>> put_bandwidth;
const Registration<RemoteBothWays<Put>> put_bidirectional_bandwidth;
const Registration<RemoteRate<Put>> put_rate;
const Registration<OneOnAll<Put>> one_put_all;
const Registration<AllOnAll<Put>> all_put_all;
const Registration<ExchangeByCalls<Put>> exchange_put;

/// Reads the other rank's memory.
struct Get {
  using Data = GetData;
  static constexpr RemoteCallWords words{
      .name = "get",
      .function = "MPI_Get",
      .counts = "the data of one call (OMB get_bw, IMB Unidir_get: the same)"};

  static void make(Data& data, const Place& place) {
    MPI_Get(data.result(place.slot), data.count(), data.type(), place.rank, place.displacement,
            data.count(), data.type(), place.window);
  }
};

const Registration<RemoteLatency<Get>> get;
const Registration<RemoteBandwidth<Get>> get_bandwidth;
const Registration<RemoteBothWays<Get>> get_bidirectional_bandwidth;
const Registration<RemoteRate<Get>> get_rate;
const Registration<OneOnAll<Get>> one_get_all;
const Registration<AllOnAll<Get>> all_get_all;
const Registration<ExchangeByCalls<Get>> exchange_get;

/// Combines this rank's data with the other rank's memory.
struct Accumulate {
  using Data = AccumulateData;
  static constexpr RemoteCallWords words{.name = "accumulate",
                                         .function = "MPI_Accumulate",
                                         .counts = "the data of one call (OMB acc_latency: none)"};

  static void make(Data& data, const Place& place) {
    MPI_Accumulate(data.source(), data.count(), data.type(), place.rank, place.displacement,
                   data.count(), data.type(), data.rule().op->handle, place.window);
  }
};

const Registration<RemoteLatency<Accumulate>> accumulate;
const Registration<RemoteBandwidth<Accumulate>> accumulate_bandwidth;
const Registration<RemoteBothWays<Accumulate>> accumulate_bidirectional_bandwidth;
const Registration<RemoteRate<Accumulate>> accumulate_rate;

/// Combines this rank's data with the other rank's memory, and returns the previous content.
struct GetAccumulate {
  using Data = FetchData;
  static constexpr RemoteCallWords words{
      .name = "get-accumulate",
      .function = "MPI_Get_accumulate",
      .counts = "the data once, although as much comes back (OMB get_acc_latency: none)"};

  static void make(Data& data, const Place& place) {
    MPI_Get_accumulate(data.source(), data.count(), data.type(), data.result(place.slot),
                       data.count(), data.type(), place.rank, place.displacement, data.count(),
                       data.type(), data.rule().op->handle, place.window);
  }
};

const Registration<RemoteLatency<GetAccumulate>> get_accumulate;
const Registration<RemoteBandwidth<GetAccumulate>> get_accumulate_bandwidth;
const Registration<RemoteBothWays<GetAccumulate>> get_accumulate_bidirectional_bandwidth;
const Registration<RemoteRate<GetAccumulate>> get_accumulate_rate;

/// Combines one element with that in the other rank's memory, and returns the previous value.
struct FetchAndOp {
  using Data = FetchElementData;
  static constexpr RemoteCallWords words{
      .name = "fetch-and-op",
      .function = "MPI_Fetch_and_op",
      .counts = "the element once, although one comes back (OMB fop_latency: none)"};

  static void make(Data& data, const Place& place) {
    MPI_Fetch_and_op(data.source(), data.result(place.slot), data.type(), place.rank,
                     place.displacement, data.rule().op->handle, place.window);
  }
};

const Registration<RemoteLatency<FetchAndOp>> fetch_and_op;
const Registration<RemoteBandwidth<FetchAndOp>> fetch_and_op_bandwidth;
const Registration<RemoteBothWays<FetchAndOp>> fetch_and_op_bidirectional_bandwidth;
const Registration<RemoteRate<FetchAndOp>> fetch_and_op_rate;

/// Replaces one element in the other rank's memory if it is the expected one, which it always is.
struct CompareAndSwap {
  using Data = SwapData;
  static constexpr RemoteCallWords words{
      .name = "compare-and-swap",
      .function = "MPI_Compare_and_swap",
      .counts = "the element once, although two go and one comes back (OMB cas_latency: none)"};

  static void make(Data& data, const Place& place) {
    MPI_Compare_and_swap(data.source(1 - data.turn()), data.source(data.turn()),
                         data.result(place.slot), data.type(), place.rank, place.displacement,
                         place.window);
  }
};

const Registration<RemoteLatency<CompareAndSwap>> compare_and_swap;
const Registration<RemoteBandwidth<CompareAndSwap>> compare_and_swap_bandwidth;
const Registration<RemoteBothWays<CompareAndSwap>> compare_and_swap_bidirectional_bandwidth;
const Registration<RemoteRate<CompareAndSwap>> compare_and_swap_rate;

}  // namespace
}  // namespace hockney::benchmarks
