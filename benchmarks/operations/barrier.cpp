#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/overlap.hpp"
#include "benchmarks/harness/persistent.hpp"

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
