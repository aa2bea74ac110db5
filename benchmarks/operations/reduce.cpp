#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/overlap.hpp"
#include "benchmarks/harness/persistent.hpp"
#include "benchmarks/harness/reductions.hpp"

namespace hockney {
namespace {

/// Every rank's data combined into one result, on the root.
class Reduce {
 public:
  static constexpr Descriptor descriptor{
      .name = "reduce",
      .summary = "MPI_Reduce over all ranks to the root, until the last rank is through",
      .counts = "the message once (nccl-tests: the same; OMB osu_reduce, IMB Reduce: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .reduces = true,
      .sizes = "the vector of each rank (OMB, IMB: the same)",
      .rooted = true,
      .in_place = InPlace::consumed};

  static Account account(const Point& point) {
    return message_account(point, point.ranks > 1 ? 1 : 0);
  }

  Reduce(const Context& context, const Point& point)
      : comm_(context.comm), reduction_(context, point) {}

  void run() {
    const int root = reduction_.next_root();
    const Reduction& data = reduction_.data();
    MPI_Reduce(reduction_.send(root), data.receive(), data.count(), data.type(), data.op(), root,
               comm_);
  }

  void refill(std::uint64_t seed) { reduction_.refill(seed); }
  void ready() { reduction_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return reduction_.verify(seed); }

 private:
  MPI_Comm comm_;
  RootedReduction reduction_;
};

const Registration<Reduce> reduce;

/// Every rank's data combined into one result, on the root, beside other work.
class Ireduce {
 public:
  static constexpr Descriptor descriptor{
      .name = "ireduce",
      .summary =
          "MPI_Ireduce over all ranks to the root, and MPI_Wait, until the last rank is through",
      .counts = "the same bytes as reduce",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .reduces = true,
      .sizes = "the vector of each rank (OMB, IMB: the same)",
      .rooted = true,
      .in_place = InPlace::consumed,
      .overlaps = true};

  static Account account(const Point& point) {
    return message_account(point, point.ranks > 1 ? 1 : 0);
  }

  Ireduce(const Context& context, const Point& point)
      : comm_(context.comm), overlap_(point), data_(context, point) {}

  void run() {
    overlap_.run([this](MPI_Request* request) {
      const int root = data_.next_root();
      const Reduction& data = data_.data();
      MPI_Ireduce(data_.send(root), data.receive(), data.count(), data.type(), data.op(), root,
                  comm_, request);
    });
  }

  void set_work(double rounds) { overlap_.set_rounds(rounds); }
  void refill(std::uint64_t seed) { data_.refill(seed); }
  void ready() { data_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return overlap_.only_works() || data_.verify(seed);
  }

 private:
  MPI_Comm comm_;
  Overlap overlap_;
  RootedReduction data_;
};

const Registration<Ireduce> ireduce;

/// Every rank's data combined into one result, on the root, by a request made beforehand.
class PersistentReduce {
 public:
  static constexpr Descriptor descriptor{
      .name = "persistent-reduce",
      .summary =
          "MPI_Start and MPI_Wait of a persistent MPI_Reduce, until the last rank is through",
      .counts = "the same bytes as reduce",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .reduces = true,
      .sizes = "the vector of each rank (OMB, IMB: the same)",
      .rooted = true,
      .in_place = InPlace::consumed};

  static Account account(const Point& point) {
    return message_account(point, point.ranks > 1 ? 1 : 0);
  }
  static std::optional<std::string> obstacle(const Point& point) {
    return persistent_obstacle(point);
  }

  PersistentReduce(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() { start_and_wait(request_.get()); }

  void refill(std::uint64_t seed) {
    data_.refill(seed);
    const int root = data_.next_root();
    const Reduction& data = data_.data();
    reduce_init(data_.send(root), data.receive(), data.count(), data.type(), data.op(), root, comm_,
                request_.out());
    start_first(request_.get(), data_, seed);
  }
  void ready() { data_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  RootedReduction data_;
  UniqueRequest request_;
};

const Registration<PersistentReduce> persistent_reduce;

}  // namespace

}  // namespace hockney
