#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/overlap.hpp"
#include "benchmarks/harness/rooted_data.hpp"

namespace hockney {
namespace {

/// To every rank its block, from the root.
class Scatter {
 public:
  static constexpr Descriptor descriptor{
      .name = "scatter",
      .summary = "MPI_Scatter from the root, until the last rank has its block",
      .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the block of each rank (OMB, IMB: the same)",
      .blocks = true,
      .rooted = true,
      .in_place = InPlace::kept};

  static Account account(const Point& point) { return rooted_account(point); }

  Scatter(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() {
    const int root = data_.next_root();
    MPI_Scatter(data_.send(), data_.receive_count(), data_.type(), data_.receive(root),
                data_.receive_count(), data_.type(), root, comm_);
  }

  void refill(std::uint64_t seed) { data_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  ScatterData data_;
};

const Registration<Scatter> scatter;

/// To every rank its block, from the root, beside other work.
class Iscatter {
 public:
  static constexpr Descriptor descriptor{
      .name = "iscatter",
      .summary = "MPI_Iscatter from the root, and MPI_Wait, until the last rank has its block",
      .counts = "the same bytes as scatter",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the block of each rank (OMB, IMB: the same)",
      .blocks = true,
      .rooted = true,
      .in_place = InPlace::kept,
      .overlaps = true};

  static Account account(const Point& point) { return rooted_account(point); }

  Iscatter(const Context& context, const Point& point)
      : comm_(context.comm), overlap_(point), data_(context, point) {}

  void run() {
    overlap_.run([this](MPI_Request* request) {
      const int root = data_.next_root();
      MPI_Iscatter(data_.send(), data_.receive_count(), data_.type(), data_.receive(root),
                   data_.receive_count(), data_.type(), root, comm_, request);
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
  ScatterData data_;
};

const Registration<Iscatter> iscatter;

}  // namespace

}  // namespace hockney
