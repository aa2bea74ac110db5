#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/overlap.hpp"

namespace hockney {
namespace {

/// Nobody gets through before everybody has come, and other work goes on meanwhile.
class Ibarrier {
 public:
  static constexpr Descriptor descriptor{
      .name = "ibarrier",
      .summary = "MPI_Ibarrier over all ranks, and MPI_Wait, until the last one is through",
      .counts = "nothing, it carries no data",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sized = false,
      .sizes = "nothing: there is one size, 0",
      .overlaps = true};

  static Account account(const Point&) { return {.operations = 1}; }

  Ibarrier(const Context& context, const Point& point) : comm_(context.comm), overlap_(point) {}

  void run() {
    overlap_.run([this](MPI_Request* request) { result_ = MPI_Ibarrier(comm_, request); });
  }

  void set_work(double rounds) { overlap_.set_rounds(rounds); }
  void refill(std::uint64_t) { result_ = MPI_ERR_PENDING; }
  [[nodiscard]] bool verify(std::uint64_t) const {
    return overlap_.only_works() || result_ == MPI_SUCCESS;
  }

 private:
  MPI_Comm comm_;
  Overlap overlap_;
  int result_ = MPI_ERR_PENDING;
};

const Registration<Ibarrier> ibarrier;

}  // namespace
}  // namespace hockney
