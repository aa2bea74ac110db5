#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney::benchmarks {
namespace {

/// Windows of messages by requests that are made once and started together again and again. As
/// those of collectives they are started once before the data are laid out that are checked.
class PersistentWindow {
 public:
  static std::optional<std::string> obstacle(const Point& point) {
    if (!has_rotating_buffers(point)) return std::nullopt;
    return "a persistent request has one place for its buffers";
  }

  void run() {
    MPI_Startall(static_cast<int>(started_.size()), started_.data());
    MPI_Waitall(static_cast<int>(started_.size()), started_.data(), MPI_STATUSES_IGNORE);
    if (sends_ && receives_) return;
    if (sends_) {
      MPI_Recv(nullptr, 0, MPI_BYTE, other_, acknowledgement_tag, comm_, MPI_STATUS_IGNORE);
    } else {
      MPI_Send(nullptr, 0, MPI_BYTE, other_, acknowledgement_tag, comm_);
    }
  }

  void refill(std::uint64_t seed) {
    traffic_.refill(seed);
    make_requests();
    run();
    traffic_.refill(seed);
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return !receives_ || traffic_.verify(seed);
  }

 protected:
  PersistentWindow(const Context& context, const Point& point, bool sends, bool receives)
      : comm_(context.comm),
        other_(1 - context.rank),
        sends_(sends),
        receives_(receives),
        messages_(static_cast<std::size_t>(window_of(point))),
        traffic_(context, point, std::vector<int>(messages_, other_)) {}

 private:
  static constexpr int tag = 0;
  static constexpr int acknowledgement_tag = 1;

  /// Receives first, so that they are posted when the others' messages come.
  void make_requests() {
    requests_.clear();
    for (std::size_t i = 0; receives_ && i < messages_; ++i) {
      mpi_check(MPI_Recv_init(traffic_.receive(i), traffic_.count(), traffic_.type(), other_, tag,
                              comm_, requests_.emplace_back().out()));
    }
    for (std::size_t i = 0; sends_ && i < messages_; ++i) {
      mpi_check(MPI_Send_init(traffic_.send(), traffic_.count(), traffic_.type(), other_, tag,
                              comm_, requests_.emplace_back().out()));
    }
    started_.clear();
    for (const UniqueRequest& request : requests_) started_.push_back(request.get());
  }

  MPI_Comm comm_;
  int other_;
  bool sends_;
  bool receives_;
  std::size_t messages_;
  Traffic traffic_;
  std::vector<UniqueRequest> requests_;
  std::vector<MPI_Request> started_;  ///< the same, as MPI takes them
};

/// As bandwidth.
class PersistentBandwidth : public PersistentWindow {
 public:
  static constexpr Descriptor descriptor{
      .name = "persistent-bandwidth",
      .summary =
          "one message of a window of MPI_Startall and MPI_Waitall of persistent sends, "
          "closed by an acknowledgement",
      .counts = "the message once (OMB bw_persistent: x1)",
      .shape = GroupShape::pair,
      .timing = Timing::first_rank,
      .windowed = true};

  static Volume volume(const Point& point) {
    return {.operations = window_of(point), .bytes = point.bytes};
  }

  PersistentBandwidth(const Context& context, const Point& point)
      : PersistentWindow(context, point, context.rank == 0, context.rank != 0) {}
};

const Registration<PersistentBandwidth> persistent_bandwidth;

/// As bidirectional-bandwidth.
class PersistentBothWays : public PersistentWindow {
 public:
  static constexpr Descriptor descriptor{
      .name = "persistent-bidirectional-bandwidth",
      .summary =
          "one message each way of two windows of MPI_Startall and MPI_Waitall of "
          "persistent receives and sends",
      .counts = "the message twice, once each way (OMB bibw_persistent: x2)",
      .shape = GroupShape::pair,
      .timing = Timing::last_rank,
      .windowed = true};

  static Volume volume(const Point& point) {
    return {.operations = window_of(point), .bytes = point.bytes * 2};
  }

  PersistentBothWays(const Context& context, const Point& point)
      : PersistentWindow(context, point, true, true) {}
};

const Registration<PersistentBothWays> persistent_bidirectional_bandwidth;

}  // namespace
}  // namespace hockney::benchmarks
