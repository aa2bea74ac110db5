#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/reductions.hpp"
#include "benchmarks/harness/rooted_data.hpp"
#include "benchmarks/harness/threaded.hpp"

/// Collectives of all threads of one number, on a communicator of their own, as many at once as a
/// rank has threads.
namespace hockney::benchmarks {
namespace {

template <class Data>
constexpr Descriptor describe_threaded(const CollectiveWords& words) {
  Descriptor made = describe<Data>(words);
  made.in_place = InPlace::never;
  made.threaded = true;
  return made;
}

struct BcastOfThread {
  using Data = BcastData;
  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.message(), data.count(), data.type(), data.next_root(), comm);
  }
};

class ThreadedBcast : public Threaded<CollectiveCall<BcastOfThread, MPI_Bcast>> {
 public:
  static constexpr Descriptor descriptor = describe_threaded<BcastData>(
      {.name = "threaded-bcast",
       .summary = "MPI_Bcast on each thread with a communicator of its own, until the last is done",
       .counts = "each thread's message once (IMB BcastMT: none)",
       .sizes = "the message of each thread"});
  using Threaded::Threaded;
};

struct ReduceOfThread {
  using Data = RootedReduction;
  static auto arguments(Data& data, MPI_Comm comm) {
    const int root = data.next_root();
    return std::tuple(data.send(root), data.receive(), data.count(), data.type(), data.op(), root,
                      comm);
  }
};

class ThreadedReduce : public Threaded<CollectiveCall<ReduceOfThread, MPI_Reduce>> {
 public:
  static constexpr Descriptor descriptor = describe_threaded<RootedReduction>(
      {.name = "threaded-reduce",
       .summary =
           "MPI_Reduce on each thread with a communicator of its own, until the last is done",
       .counts = "each thread's message once (IMB ReduceMT: none)",
       .sizes = "the vector of each thread"});
  using Threaded::Threaded;
};

struct AllreduceOfThread {
  using Data = Reduction;
  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.receive(), data.count(), data.type(), data.op(), comm);
  }
};

class ThreadedAllreduce : public Threaded<CollectiveCall<AllreduceOfThread, MPI_Allreduce>> {
 public:
  static constexpr Descriptor descriptor = describe_threaded<Reduction>(
      {.name = "threaded-allreduce",
       .summary =
           "MPI_Allreduce on each thread with a communicator of its own, until the last is done",
       .counts = "each thread's message once (IMB AllReduceMT: none)",
       .sizes = "the vector of each thread"});
  using Threaded::Threaded;
};

struct BarrierOfThread {
  using Data = NoData;
  static auto arguments(Data&, MPI_Comm comm) { return std::tuple(comm); }
};

class ThreadedBarrier : public Threaded<CollectiveCall<BarrierOfThread, MPI_Barrier>> {
 public:
  static constexpr Descriptor descriptor = describe_threaded<NoData>(
      {.name = "threaded-barrier",
       .summary =
           "MPI_Barrier on each thread with a communicator of its own, until the last is done",
       .counts = "nothing, it carries no data",
       .sizes = "nothing: there is one size, 0"});
  using Threaded::Threaded;
};

const Registration<ThreadedBcast> threaded_bcast;
const Registration<ThreadedReduce> threaded_reduce;
const Registration<ThreadedAllreduce> threaded_allreduce;
const Registration<ThreadedBarrier> threaded_barrier;

}  // namespace
}  // namespace hockney::benchmarks
