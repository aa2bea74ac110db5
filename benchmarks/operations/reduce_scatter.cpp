#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/overlap.hpp"
#include "benchmarks/harness/reductions.hpp"

namespace hockney {
namespace {

/// Every rank's vector combined into one result, of which each rank gets its part.
class ReduceScatter {
 public:
  static constexpr Descriptor descriptor{
      .name = "reduce-scatter",
      .summary = "MPI_Reduce_scatter over all ranks, until the last one has its part",
      .counts =
          "the vector once (nccl-tests: the same; OMB osu_reduce_scatter, IMB Reduce_scatter: "
          "none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .reduces = true,
      .sizes = "the whole vector (OMB: the same; IMB: the part that a rank gets)",
      .divides = true,
      .in_place = InPlace::consumed};

  static Account account(const Point& point) { return reduce_scatter_account(point); }

  ReduceScatter(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() {
    MPI_Reduce_scatter(data_.send(), data_.receive(), data_.counts(), data_.type(), data_.op(),
                       comm_);
  }

  void refill(std::uint64_t seed) { data_.refill(seed); }
  void ready() { data_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  ScatteredReduction data_;
};

const Registration<ReduceScatter> reduce_scatter;

/// Every rank's vector combined, of which each rank gets its part, beside other work.
class IreduceScatter {
 public:
  static constexpr Descriptor descriptor{
      .name = "ireduce-scatter",
      .summary =
          "MPI_Ireduce_scatter over all ranks, and MPI_Wait, until the last one has its part",
      .counts = "the same bytes as reduce-scatter",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .reduces = true,
      .sizes = "the whole vector (OMB: the same; IMB: the part that a rank gets)",
      .divides = true,
      .in_place = InPlace::consumed,
      .overlaps = true};

  static Account account(const Point& point) { return reduce_scatter_account(point); }

  IreduceScatter(const Context& context, const Point& point)
      : comm_(context.comm), overlap_(point), data_(context, point) {}

  void run() {
    overlap_.run([this](MPI_Request* request) {
      MPI_Ireduce_scatter(data_.send(), data_.receive(), data_.counts(), data_.type(), data_.op(),
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
  ScatteredReduction data_;
};

const Registration<IreduceScatter> ireduce_scatter;

}  // namespace

}  // namespace hockney
