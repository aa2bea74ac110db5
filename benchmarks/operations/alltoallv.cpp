#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/exchanged_data.hpp"
#include "benchmarks/harness/overlap.hpp"

namespace hockney {
namespace {

/// Another block from every rank to every rank; what a rank receives may differ from the others'.
class Alltoallv {
 public:
  static constexpr Descriptor descriptor{
      .name = "alltoallv",
      .summary = "MPI_Alltoallv among all ranks, until the last one has all its blocks",
      .counts = "what one rank sends, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the mean block of a pair of ranks (OMB, IMB: the block, as theirs are equal)",
      .blocks = true,
      .divides = true,
      .in_place = InPlace::consumed};

  static Account account(const Point& point) { return alltoall_account(point); }

  Alltoallv(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() {
    MPI_Alltoallv(data_.send(), data_.send_counts(), data_.send_displacements(), data_.type(),
                  data_.receive(), data_.counts(), data_.displacements(), data_.type(), comm_);
  }

  void refill(std::uint64_t seed) { data_.refill(seed); }
  void ready() { data_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  AlltoallData data_;
};

const Registration<Alltoallv> alltoallv;

/// Another block from every rank to every rank, beside other work; what a rank receives may differ.
class Ialltoallv {
 public:
  static constexpr Descriptor descriptor{
      .name = "ialltoallv",
      .summary =
          "MPI_Ialltoallv among all ranks, and MPI_Wait, until the last one has all its blocks",
      .counts = "the same bytes as alltoallv",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the mean block of a pair of ranks (OMB, IMB: the block, as theirs are equal)",
      .blocks = true,
      .divides = true,
      .in_place = InPlace::consumed,
      .overlaps = true};

  static Account account(const Point& point) { return alltoall_account(point); }

  Ialltoallv(const Context& context, const Point& point)
      : comm_(context.comm), overlap_(point), data_(context, point) {}

  void run() {
    overlap_.run([this](MPI_Request* request) {
      MPI_Ialltoallv(data_.send(), data_.send_counts(), data_.send_displacements(), data_.type(),
                     data_.receive(), data_.counts(), data_.displacements(), data_.type(), comm_,
                     request);
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
  AlltoallData data_;
};

const Registration<Ialltoallv> ialltoallv;

}  // namespace

}  // namespace hockney
