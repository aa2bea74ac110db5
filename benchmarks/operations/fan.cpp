#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/flows.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney::benchmarks {
namespace {

/// Ranks 1, 2, ... as many as flows: those that exchange something with rank 0.
std::vector<int> others_of(int flows) {
  std::vector<int> others;
  for (int rank = 1; rank <= flows; ++rank) others.push_back(rank);
  return others;
}

/// What fan-in and fan-out share.
class Fan {
 public:
  static Volume volume(const Point& point) {
    return {.operations = 1, .bytes = point.bytes * flows_of(point, point.ranks - 1)};
  }

  static std::optional<std::string> obstacle(const Point& point) {
    return flows_obstacle(point, point.ranks - 1);
  }

  void refill(std::uint64_t seed) { traffic_.refill(seed); }

 protected:
  /// `sources` are those whose messages this rank receives.
  Fan(const Context& context, const Point& point, const std::vector<int>& sources)
      : comm_(context.comm),
        is_hub_(context.rank == 0),
        flows_(flows_of(point, context.size - 1)),
        works_(context.rank <= flows_),
        traffic_(context, point, sources),
        requests_(is_hub_ ? static_cast<std::size_t>(flows_) : 0) {}

  [[nodiscard]] bool is_hub() const { return is_hub_; }
  [[nodiscard]] bool works() const { return works_; }
  [[nodiscard]] const Traffic& traffic() const { return traffic_; }

  void send_to_hub() {
    MPI_Send(traffic_.send(), traffic_.count(), traffic_.type(), 0, tag, comm_);
  }
  void receive_from_hub() {
    MPI_Recv(traffic_.receive(), traffic_.count(), traffic_.type(), 0, tag, comm_,
             MPI_STATUS_IGNORE);
  }
  void receive_all() {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      MPI_Irecv(traffic_.receive(i), traffic_.count(), traffic_.type(), static_cast<int>(i) + 1,
                tag, comm_, &requests_[i]);
    }
    wait();
  }
  void send_all() {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      MPI_Isend(traffic_.send(), traffic_.count(), traffic_.type(), static_cast<int>(i) + 1, tag,
                comm_, &requests_[i]);
    }
    wait();
  }

 private:
  static constexpr int tag = 0;

  void wait() {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

  MPI_Comm comm_;
  bool is_hub_;
  int flows_;
  bool works_;
  Traffic traffic_;
  std::vector<MPI_Request> requests_;
};

/// Several ranks send to one at once, as in a gather without any order.
class FanIn : public Fan {
 public:
  static constexpr Descriptor descriptor{
      .name = "fan-in",
      .summary =
          "MPI_Send of ranks 1, 2, ... to rank 0, which has posted MPI_Irecv for all of "
          "them, until the last message has come",
      .counts = "the message once for each sender (no other suite has it)",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .contends = true};

  FanIn(const Context& context, const Point& point)
      : Fan(context, point,
            context.rank == 0 ? others_of(flows_of(point, context.size - 1)) : std::vector<int>()) {
  }

  void run() {
    if (is_hub()) {
      receive_all();
    } else if (works()) {
      send_to_hub();
    }
  }

  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return !is_hub() || traffic().verify(seed);
  }
};

/// One rank sends to several at once.
class FanOut : public Fan {
 public:
  static constexpr Descriptor descriptor{
      .name = "fan-out",
      .summary =
          "MPI_Isend of rank 0 to ranks 1, 2, ... and MPI_Waitall, until the last of them "
          "has received its message",
      .counts = "the message once for each receiver (no other suite has it)",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .contends = true};

  FanOut(const Context& context, const Point& point)
      : Fan(context, point, context.rank == 0 ? std::vector<int>() : std::vector<int>{0}) {}

  void run() {
    if (is_hub()) {
      send_all();
    } else if (works()) {
      receive_from_hub();
    }
  }

  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return is_hub() || !works() || traffic().verify(seed);
  }
};

const Registration<FanIn> fan_in;
const Registration<FanOut> fan_out;

}  // namespace
}  // namespace hockney::benchmarks
