#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/overlap.hpp"
#include "benchmarks/harness/persistent.hpp"
#include "benchmarks/harness/reductions.hpp"

namespace hockney {
namespace {

/// Every rank's data combined into one result, on all ranks.
class Allreduce {
 public:
  static constexpr Descriptor descriptor{
      .name = "allreduce",
      .summary = "MPI_Allreduce over all ranks, until the last one has the result",
      .counts = "the message once (nccl-tests: the same; OMB osu_allreduce, IMB Allreduce: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .reduces = true,
      .sizes = "the vector of each rank (OMB, IMB: the same)",
      .in_place = InPlace::consumed};

  static Account account(const Point& point) {
    return message_account(point, 2.0 * (point.ranks - 1) / point.ranks);
  }

  Allreduce(const Context& context, const Point& point)
      : comm_(context.comm), reduction_(context, point) {}

  void run() {
    MPI_Allreduce(reduction_.send(), reduction_.receive(), reduction_.count(), reduction_.type(),
                  reduction_.op(), comm_);
  }

  void refill(std::uint64_t seed) { reduction_.refill(seed); }
  void ready() { reduction_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return reduction_.verify(seed); }

 private:
  MPI_Comm comm_;
  Reduction reduction_;
};

const Registration<Allreduce> allreduce;

/// Every rank's data combined into one result, on all ranks, beside other work.
class Iallreduce {
 public:
  static constexpr Descriptor descriptor{
      .name = "iallreduce",
      .summary = "MPI_Iallreduce over all ranks, and MPI_Wait, until the last one has the result",
      .counts = "the same bytes as allreduce",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .reduces = true,
      .sizes = "the vector of each rank (OMB, IMB: the same)",
      .in_place = InPlace::consumed,
      .overlaps = true};

  static Account account(const Point& point) {
    return message_account(point, 2.0 * (point.ranks - 1) / point.ranks);
  }

  Iallreduce(const Context& context, const Point& point)
      : comm_(context.comm), overlap_(point), data_(context, point) {}

  void run() {
    overlap_.run([this](MPI_Request* request) {
      MPI_Iallreduce(data_.send(), data_.receive(), data_.count(), data_.type(), data_.op(), comm_,
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
  Reduction data_;
};

const Registration<Iallreduce> iallreduce;

/// Every rank's data combined into one result, on all ranks, by a request made beforehand.
class PersistentAllreduce {
 public:
  static constexpr Descriptor descriptor{
      .name = "persistent-allreduce",
      .summary =
          "MPI_Start and MPI_Wait of a persistent MPI_Allreduce, until the last rank is through",
      .counts = "the same bytes as allreduce",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .reduces = true,
      .sizes = "the vector of each rank (OMB, IMB: the same)",
      .in_place = InPlace::consumed};

  static Account account(const Point& point) {
    return message_account(point, 2.0 * (point.ranks - 1) / point.ranks);
  }
  static std::optional<std::string> obstacle(const Point& point) {
    return persistent_obstacle(point);
  }

  PersistentAllreduce(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() { start_and_wait(request_.get()); }

  void refill(std::uint64_t seed) {
    data_.refill(seed);
    allreduce_init(data_.send(), data_.receive(), data_.count(), data_.type(), data_.op(), comm_,
                   request_.out());
    start_first(request_.get(), data_, seed);
  }
  void ready() { data_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  Reduction data_;
  UniqueRequest request_;
};

const Registration<PersistentAllreduce> persistent_allreduce;

}  // namespace

}  // namespace hockney
