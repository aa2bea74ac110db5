#include <mpi.h>
#include <optional>
#include <string>

#include "benchmarks/harness/guidelines.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney::benchmarks {

/// A message that the first of two ranks puts into a window of the other, between two fences.
class PutMessage {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    return {.name = name,
            .summary = summary,
            .counts = "the message once",
            .shape = GroupShape::pair,
            .timing = Timing::first_rank};
  }
  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }
  static std::optional<std::string> obstacle(const Point& point) {
    if (!has_rotating_buffers(point)) return std::nullopt;
    return "a window has one place for its buffer";
  }

  PutMessage(const Context& context, const Point& point)
      : comm_(context.comm),
        first_(context.rank == 0),
        bytes_(static_cast<MPI_Aint>(message_of(point).extent())),
        traffic_(context, point, {0}) {}

  /// The window is made here, where the buffers are known.
  void refill(std::uint64_t seed) {
    traffic_.refill(seed);
    mpi_check(MPI_Win_create(traffic_.receive(), bytes_, 1, MPI_INFO_NULL, comm_, window_.out()));
    take_mpi_errors(window_.get());
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return first_ || traffic_.verify(seed); }

 protected:
  /// `put` begins what the two fences enclose; on the first rank only.
  template <class Put>
  void between_fences(Put put) {
    MPI_Win_fence(0, window_.get());
    if (first_) put(traffic_.send(), traffic_.count(), traffic_.type(), window_.get());
    MPI_Win_fence(0, window_.get());
  }

 private:
  MPI_Comm comm_;
  bool first_;
  MPI_Aint bytes_;  ///< of the window
  Traffic traffic_;
  UniqueWin window_;
};

namespace {

/// What was there is replaced, in whatever order.
class PutInFences : public PutMessage {
 public:
  static constexpr Descriptor descriptor =
      describe("put-in-fences", "MPI_Win_fence, MPI_Put to the other rank and MPI_Win_fence");

  using PutMessage::PutMessage;

  void run() {
    between_fences([](const void* data, int count, MPI_Datatype type, MPI_Win window) {
      MPI_Put(data, count, type, 1, 0, count, type, window);
    });
  }
};

const Original<PutInFences> put_in_fences;

/// The same with a promise more: each element is replaced in one piece, and in order.
class PutByAccumulate : public PutMessage {
 public:
  static constexpr Descriptor descriptor =
      describe("put-in-fences-by-accumulate",
               "MPI_Win_fence, MPI_Accumulate (MPI_REPLACE) to the other rank and MPI_Win_fence");
  static constexpr std::string_view guideline = "put <= accumulate of replace";

  using PutMessage::PutMessage;

  void run() {
    between_fences([](const void* data, int count, MPI_Datatype type, MPI_Win window) {
      MPI_Accumulate(data, count, type, 1, 0, count, type, MPI_REPLACE, window);
    });
  }
};

const MockUp<PutByAccumulate> put_in_fences_by_accumulate;

}  // namespace

}  // namespace hockney::benchmarks
