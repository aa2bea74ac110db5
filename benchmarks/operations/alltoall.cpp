#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/exchanged_data.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/overlap.hpp"
#include "benchmarks/harness/persistent.hpp"

namespace hockney {
namespace {

/// Another block from every rank to every rank.
class Alltoall {
 public:
  static constexpr Descriptor descriptor{
      .name = "alltoall",
      .summary = "MPI_Alltoall among all ranks, until the last one has all its blocks",
      .counts = "what one rank sends, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the block of each pair of ranks (OMB, IMB: the same)",
      .blocks = true,
      .in_place = InPlace::consumed};

  static Account account(const Point& point) { return alltoall_account(point); }

  Alltoall(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() {
    MPI_Alltoall(data_.send(), data_.counts()[0], data_.type(), data_.receive(), data_.counts()[0],
                 data_.type(), comm_);
  }

  void refill(std::uint64_t seed) { data_.refill(seed); }
  void ready() { data_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  AlltoallData data_;
};

const Registration<Alltoall> alltoall;

/// Another block from every rank to every rank, beside other work.
class Ialltoall {
 public:
  static constexpr Descriptor descriptor{
      .name = "ialltoall",
      .summary =
          "MPI_Ialltoall among all ranks, and MPI_Wait, until the last one has all its blocks",
      .counts = "the same bytes as alltoall",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the block of each pair of ranks (OMB, IMB: the same)",
      .blocks = true,
      .in_place = InPlace::consumed,
      .overlaps = true};

  static Account account(const Point& point) { return alltoall_account(point); }

  Ialltoall(const Context& context, const Point& point)
      : comm_(context.comm), overlap_(point), data_(context, point) {}

  void run() {
    overlap_.run([this](MPI_Request* request) {
      MPI_Ialltoall(data_.send(), data_.counts()[0], data_.type(), data_.receive(),
                    data_.counts()[0], data_.type(), comm_, request);
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

const Registration<Ialltoall> ialltoall;

/// Another block from every rank to every rank, by a request made beforehand.
class PersistentAlltoall {
 public:
  static constexpr Descriptor descriptor{
      .name = "persistent-alltoall",
      .summary =
          "MPI_Start and MPI_Wait of a persistent MPI_Alltoall, until the last rank is through",
      .counts = "the same bytes as alltoall",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the block of each pair of ranks (OMB, IMB: the same)",
      .blocks = true,
      .in_place = InPlace::consumed};

  static Account account(const Point& point) { return alltoall_account(point); }
  static std::optional<std::string> obstacle(const Point& point) {
    return persistent_obstacle(point);
  }

  PersistentAlltoall(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() { start_and_wait(request_.get()); }

  void refill(std::uint64_t seed) {
    data_.refill(seed);
    alltoall_init(data_.send(), data_.receive(), data_.counts()[0], data_.type(), comm_,
                  request_.out());
    start_first(request_.get(), data_, seed);
  }
  void ready() { data_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  AlltoallData data_;
  UniqueRequest request_;
};

const Registration<PersistentAlltoall> persistent_alltoall;

}  // namespace

}  // namespace hockney
