#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/exchanged_data.hpp"
#include "benchmarks/harness/overlap.hpp"

namespace hockney {
namespace {

/// Every rank's block, on all ranks; blocks may differ.
class Allgatherv {
 public:
  static constexpr Descriptor descriptor{
      .name = "allgatherv",
      .summary = "MPI_Allgatherv among all ranks, until the last one has all blocks",
      .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the mean block of a rank (OMB, IMB: the block, as theirs are equal)",
      .blocks = true,
      .divides = true,
      .in_place = InPlace::kept};

  static Account account(const Point& point) { return allgather_account(point); }

  Allgatherv(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() {
    MPI_Allgatherv(data_.send(), data_.send_count(), data_.type(), data_.receive(), data_.counts(),
                   data_.displacements(), data_.type(), comm_);
  }

  void refill(std::uint64_t seed) { data_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  AllgatherData data_;
};

const Registration<Allgatherv> allgatherv;

/// Every rank's block, on all ranks, beside other work; blocks may differ.
class Iallgatherv {
 public:
  static constexpr Descriptor descriptor{
      .name = "iallgatherv",
      .summary = "MPI_Iallgatherv among all ranks, and MPI_Wait, until the last one has all blocks",
      .counts = "the same bytes as allgatherv",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the mean block of a rank (OMB, IMB: the block, as theirs are equal)",
      .blocks = true,
      .divides = true,
      .in_place = InPlace::kept,
      .overlaps = true};

  static Account account(const Point& point) { return allgather_account(point); }

  Iallgatherv(const Context& context, const Point& point)
      : comm_(context.comm), overlap_(point), data_(context, point) {}

  void run() {
    overlap_.run([this](MPI_Request* request) {
      MPI_Iallgatherv(data_.send(), data_.send_count(), data_.type(), data_.receive(),
                      data_.counts(), data_.displacements(), data_.type(), comm_, request);
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
  AllgatherData data_;
};

const Registration<Iallgatherv> iallgatherv;

}  // namespace

}  // namespace hockney
