#include "benchmarks/harness/accounts.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/persistent.hpp"
#include "benchmarks/harness/reduction_buffers.hpp"

namespace hockney {
namespace {

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
