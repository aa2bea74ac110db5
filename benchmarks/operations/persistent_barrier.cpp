#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/persistent.hpp"

namespace hockney {
namespace {

/// Nobody leaves before everybody has come, by a request made beforehand.
class PersistentBarrier {
 public:
  static constexpr Descriptor descriptor{
      .name = "persistent-barrier",
      .summary = "MPI_Start and MPI_Wait of a persistent MPI_Barrier, until the last rank leaves",
      .counts = "nothing, it carries no data",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sized = false,
      .sizes = "nothing: there is one size, 0"};

  static Account account(const Point&) { return {.operations = 1}; }
  static std::optional<std::string> obstacle(const Point& point) {
    return persistent_obstacle(point);
  }

  PersistentBarrier(const Context& context, const Point&) : comm_(context.comm) {}

  void run() {
    result_ = MPI_Start(&request_);
    MPI_Wait(&request_, MPI_STATUS_IGNORE);
  }

  void refill(std::uint64_t) {
    result_ = MPI_ERR_PENDING;
    barrier_init(comm_, owner_.out());
    request_ = owner_.get();
  }
  [[nodiscard]] bool verify(std::uint64_t) const { return result_ == MPI_SUCCESS; }

 private:
  MPI_Comm comm_;
  UniqueRequest owner_;
  MPI_Request request_ = MPI_REQUEST_NULL;
  int result_ = MPI_ERR_PENDING;
};

const Registration<PersistentBarrier> persistent_barrier;

}  // namespace
}  // namespace hockney
