#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/overlap.hpp"
#include "benchmarks/harness/persistent.hpp"
#include "benchmarks/harness/rooted_data.hpp"

namespace hockney {
namespace {

/// The root's message reaches everybody.
class Bcast {
 public:
  static constexpr Descriptor descriptor{
      .name = "bcast",
      .summary = "MPI_Bcast from the root to all, until the last one has it",
      .counts = "the message once (nccl-tests: the same; OMB osu_bcast, IMB Bcast: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the message (OMB, IMB: the same)",
      .rooted = true};

  static Account account(const Point& point) {
    return message_account(point, point.ranks > 1 ? 1 : 0);
  }

  Bcast(const Context& context, const Point& point) : comm_(context.comm), data_(context, point) {}

  void run() { MPI_Bcast(data_.message(), data_.count(), data_.type(), data_.next_root(), comm_); }

  void refill(std::uint64_t seed) { data_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  BcastData data_;
};

const Registration<Bcast> bcast;

/// The root's message reaches everybody, beside other work.
class Ibcast {
 public:
  static constexpr Descriptor descriptor{
      .name = "ibcast",
      .summary = "MPI_Ibcast from the root to all, and MPI_Wait, until the last rank has it",
      .counts = "the same bytes as bcast",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the message (OMB, IMB: the same)",
      .rooted = true,
      .overlaps = true};

  static Account account(const Point& point) {
    return message_account(point, point.ranks > 1 ? 1 : 0);
  }

  Ibcast(const Context& context, const Point& point)
      : comm_(context.comm), overlap_(point), data_(context, point) {}

  void run() {
    overlap_.run([this](MPI_Request* request) {
      MPI_Ibcast(data_.message(), data_.count(), data_.type(), data_.next_root(), comm_, request);
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
  BcastData data_;
};

const Registration<Ibcast> ibcast;

/// The root's message reaches everybody, by a request made beforehand.
class PersistentBcast {
 public:
  static constexpr Descriptor descriptor{
      .name = "persistent-bcast",
      .summary = "MPI_Start and MPI_Wait of a persistent MPI_Bcast, until the last rank is through",
      .counts = "the same bytes as bcast",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the message (OMB, IMB: the same)",
      .rooted = true};

  static Account account(const Point& point) {
    return message_account(point, point.ranks > 1 ? 1 : 0);
  }
  static std::optional<std::string> obstacle(const Point& point) {
    return persistent_obstacle(point);
  }

  PersistentBcast(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() { start_and_wait(request_.get()); }

  void refill(std::uint64_t seed) {
    data_.refill(seed);
    bcast_init(data_.message(), data_.count(), data_.type(), data_.next_root(), comm_,
               request_.out());
    start_first(request_.get(), data_, seed);
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  BcastData data_;
  UniqueRequest request_;
};

const Registration<PersistentBcast> persistent_bcast;

}  // namespace

}  // namespace hockney
