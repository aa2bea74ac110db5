#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/exchanged_data.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/overlap.hpp"
#include "benchmarks/harness/persistent.hpp"

namespace hockney {
namespace {

/// Every rank's block, on all ranks.
class Allgather {
 public:
  static constexpr Descriptor descriptor{
      .name = "allgather",
      .summary = "MPI_Allgather among all ranks, until the last one has all blocks",
      .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the block of each rank (OMB, IMB: the same)",
      .blocks = true,
      .in_place = InPlace::kept};

  static Account account(const Point& point) { return allgather_account(point); }

  Allgather(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() {
    MPI_Allgather(data_.send(), data_.send_count(), data_.type(), data_.receive(),
                  data_.send_count(), data_.type(), comm_);
  }

  void refill(std::uint64_t seed) { data_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  AllgatherData data_;
};

const Registration<Allgather> allgather;

/// Every rank's block, on all ranks, beside other work.
class Iallgather {
 public:
  static constexpr Descriptor descriptor{
      .name = "iallgather",
      .summary = "MPI_Iallgather among all ranks, and MPI_Wait, until the last one has all blocks",
      .counts = "the same bytes as allgather",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the block of each rank (OMB, IMB: the same)",
      .blocks = true,
      .in_place = InPlace::kept,
      .overlaps = true};

  static Account account(const Point& point) { return allgather_account(point); }

  Iallgather(const Context& context, const Point& point)
      : comm_(context.comm), overlap_(point), data_(context, point) {}

  void run() {
    overlap_.run([this](MPI_Request* request) {
      MPI_Iallgather(data_.send(), data_.send_count(), data_.type(), data_.receive(),
                     data_.send_count(), data_.type(), comm_, request);
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

const Registration<Iallgather> iallgather;

/// Every rank's block, on all ranks, by a request made beforehand.
class PersistentAllgather {
 public:
  static constexpr Descriptor descriptor{
      .name = "persistent-allgather",
      .summary =
          "MPI_Start and MPI_Wait of a persistent MPI_Allgather, until the last rank is through",
      .counts = "the same bytes as allgather",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the block of each rank (OMB, IMB: the same)",
      .blocks = true,
      .in_place = InPlace::kept};

  static Account account(const Point& point) { return allgather_account(point); }
  static std::optional<std::string> obstacle(const Point& point) {
    return persistent_obstacle(point);
  }

  PersistentAllgather(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() { start_and_wait(request_.get()); }

  void refill(std::uint64_t seed) {
    data_.refill(seed);
    allgather_init(data_.send(), data_.receive(), data_.send_count(), data_.type(), comm_,
                   request_.out());
    start_first(request_.get(), data_, seed);
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  AllgatherData data_;
  UniqueRequest request_;
};

const Registration<PersistentAllgather> persistent_allgather;

}  // namespace

}  // namespace hockney
