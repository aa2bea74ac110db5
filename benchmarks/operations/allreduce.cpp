#include <algorithm>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/reduction_data.hpp"

namespace hockney {
namespace {

std::span<double> as_doubles(std::span<std::byte> data) {
  return {reinterpret_cast<double*>(data.data()), data.size() / sizeof(double)};
}

/// The sum over all ranks, on all ranks. Of a size that is no multiple of 8 B the rest is not sent.
class Allreduce {
 public:
  static constexpr Descriptor descriptor{
      .name = "allreduce",
      .summary = "MPI_Allreduce of doubles with MPI_SUM over all ranks, until the last one has it",
      .counts = "the message once (OMB osu_allreduce, IMB Allreduce: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true};

  static Account account(const Point& point) { return {.operations = 1, .bytes = whole(point)}; }

  Allreduce(const Context& context, const Point& point)
      : comm_(context.comm), rank_(context.rank), ranks_(context.size) {
    const auto bytes = static_cast<std::size_t>(whole(point).value);
    const auto buffers = context.buffers.draw({bytes, bytes});
    send_ = as_doubles(buffers[0]);
    receive_ = as_doubles(buffers[1]);
  }

  void run() {
    MPI_Allreduce(send_.data(), receive_.data(), static_cast<int>(send_.size()), MPI_DOUBLE,
                  MPI_SUM, comm_);
  }

  void refill(std::uint64_t seed) {
    seed_ = seed;
    fill_summands(send_, seed, rank_);
    std::ranges::fill(receive_, -1.0);
  }
  [[nodiscard]] bool verify() const { return holds_sums(receive_, seed_, ranks_); }

 private:
  static Bytes whole(const Point& point) {
    constexpr auto element = static_cast<std::int64_t>(sizeof(double));
    return {point.bytes.value / element * element};
  }

  MPI_Comm comm_;
  int rank_;
  int ranks_;
  std::uint64_t seed_ = 0;
  std::span<double> send_;
  std::span<double> receive_;
};

const Registration<Allreduce> registration;

}  // namespace
}  // namespace hockney
