#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/overlap.hpp"
#include "benchmarks/harness/rooted_data.hpp"

namespace hockney {
namespace {

/// Every rank's block, on the root.
class Gather {
 public:
  static constexpr Descriptor descriptor{
      .name = "gather",
      .summary = "MPI_Gather to the root, until the last rank is through",
      .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the block of each rank (OMB, IMB: the same)",
      .blocks = true,
      .rooted = true,
      .in_place = InPlace::kept};

  static Account account(const Point& point) { return rooted_account(point); }

  Gather(const Context& context, const Point& point) : comm_(context.comm), data_(context, point) {}

  void run() {
    const int root = data_.next_root();
    MPI_Gather(data_.send(root), data_.send_count(), data_.type(), data_.receive(),
               data_.send_count(), data_.type(), root, comm_);
  }

  void refill(std::uint64_t seed) { data_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  GatherData data_;
};

const Registration<Gather> gather;

/// Every rank's block, on the root, beside other work.
class Igather {
 public:
  static constexpr Descriptor descriptor{
      .name = "igather",
      .summary = "MPI_Igather to the root, and MPI_Wait, until the last rank is through",
      .counts = "the same bytes as gather",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the block of each rank (OMB, IMB: the same)",
      .blocks = true,
      .rooted = true,
      .in_place = InPlace::kept,
      .overlaps = true};

  static Account account(const Point& point) { return rooted_account(point); }

  Igather(const Context& context, const Point& point)
      : comm_(context.comm), overlap_(point), data_(context, point) {}

  void run() {
    overlap_.run([this](MPI_Request* request) {
      const int root = data_.next_root();
      MPI_Igather(data_.send(root), data_.send_count(), data_.type(), data_.receive(),
                  data_.send_count(), data_.type(), root, comm_, request);
    });
  }

  void set_work(double rounds) { overlap_.set_rounds(rounds); }
  void refill(std::uint64_t seed) { data_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return overlap_.only_works() || data_.verify(seed);
  }

 private:
  MPI_Comm comm_;
  Overlap overlap_;
  GatherData data_;
};

const Registration<Igather> igather;

}  // namespace

}  // namespace hockney
