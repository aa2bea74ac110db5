#include "benchmarks/harness/catalogue.hpp"

namespace hockney {
namespace {

/// Nobody leaves before everybody has come. There are no data, so there is one size, 0.
class Barrier {
 public:
  static constexpr Descriptor descriptor{
      .name = "barrier",
      .summary = "MPI_Barrier over all ranks, until the last one leaves",
      .counts = "nothing, it carries no data",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sized = false,
      .sizes = "nothing: there is one size, 0"};

  static Account account(const Point&) { return {.operations = 1}; }

  Barrier(const Context& context, const Point&) : comm_(context.comm) {}

  void run() { result_ = MPI_Barrier(comm_); }

  void refill(std::uint64_t) { result_ = MPI_ERR_PENDING; }
  [[nodiscard]] bool verify(std::uint64_t) const { return result_ == MPI_SUCCESS; }

 private:
  MPI_Comm comm_;
  int result_ = MPI_ERR_PENDING;
};

const Registration<Barrier> barrier;

}  // namespace
}  // namespace hockney
