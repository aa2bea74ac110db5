#include <utility>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/completion_calls.hpp"
#include "benchmarks/harness/fixed_text.hpp"
#include "benchmarks/harness/traffic.hpp"

/// What it costs to complete many requests, by each of the calls that MPI has for it: of requests
/// that are complete already, and of those that become so one after the other. The window is the
/// number of requests.
namespace hockney::benchmarks {
namespace {

/// Receives whose messages have all come. They are posted, sent to and seen to be complete, by
/// MPI_Request_get_status, before the time begins: a sample is the completing calls and no more.
template <class Completion>
class CompletedReceives {
  static constexpr FixedText name{Completion::name, "-completed"};
  static constexpr FixedText summary{"one of a window of receives that are complete, by ",
                                     Completion::function, " alone"};

 public:
  static constexpr Descriptor descriptor{.name = name.view(),
                                         .summary = summary.view(),
                                         .counts = "nothing: the data have come before",
                                         .shape = GroupShape::pair,
                                         .timing = Timing::first_rank,
                                         .single = true,
                                         .windowed = true};

  static Volume volume(const Point& point) { return {.operations = window_of(point)}; }

  static std::optional<std::string> obstacle(const Point& point) {
    if (parameter_of(point, "cadence") != "streaming") return std::nullopt;
    return "the requests of a call are made before it";
  }

  CompletedReceives(const Context& context, const Point& point)
      : comm_(context.comm),
        completes_(context.rank == 0),
        traffic_(context, point,
                 std::vector<int>(static_cast<std::size_t>(window_of(point)), 1 - context.rank)),
        requests_(static_cast<std::size_t>(window_of(point)), MPI_REQUEST_NULL),
        complete_(requests_.size()) {}

  void ready() {
    if (std::exchange(is_ready_, true)) return;
    completes_ ? receive() : send();
  }

  void run() {
    ready();  // done already where calls are timed
    if (completes_) complete_(requests_);
    is_ready_ = false;
  }

  void refill(std::uint64_t seed) {
    if (is_ready_) run();  // what was begun must end
    traffic_.refill(seed);
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return !completes_ || traffic_.verify(seed);
  }

 private:
  static constexpr int tag = 0;
  static constexpr int posted_tag = 1;

  void receive() {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      MPI_Irecv(traffic_.receive(i), traffic_.count(), traffic_.type(), 1, tag, comm_,
                &requests_[i]);
    }
    MPI_Send(nullptr, 0, MPI_BYTE, 1, posted_tag, comm_);
    for (MPI_Request request : requests_) {
      for (int is_complete = 0; is_complete == 0;) {
        MPI_Request_get_status(request, &is_complete, MPI_STATUS_IGNORE);
      }
    }
  }

  void send() {
    MPI_Recv(nullptr, 0, MPI_BYTE, 0, posted_tag, comm_, MPI_STATUS_IGNORE);
    for (MPI_Request& request : requests_) {
      MPI_Isend(traffic_.send(), traffic_.count(), traffic_.type(), 0, tag, comm_, &request);
    }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

  MPI_Comm comm_;
  bool completes_;
  Traffic traffic_;
  std::vector<MPI_Request> requests_;
  Completion complete_;
  bool is_ready_ = false;
};

const Registration<CompletedReceives<ByWaitall>> waitall_completed;
const Registration<CompletedReceives<ByWaitany>> waitany_completed;
const Registration<CompletedReceives<ByWaitsome>> waitsome_completed;
const Registration<CompletedReceives<ByTestall>> testall_completed;

/// As bandwidth, whose receiver calls MPI_Waitall: messages come one after the other.
template <class Completion>
class ArrivingReceives {
  static constexpr FixedText name{Completion::name, "-bandwidth"};
  static constexpr FixedText summary{
      "one message of a window of MPI_Isend to a receiver that completes by ", Completion::function,
      ", closed by an acknowledgement"};

 public:
  static constexpr Descriptor descriptor{.name = name.view(),
                                         .summary = summary.view(),
                                         .counts = "the message once",
                                         .shape = GroupShape::pair,
                                         .timing = Timing::first_rank,
                                         .windowed = true};

  static Volume volume(const Point& point) {
    return {.operations = window_of(point), .bytes = point.bytes};
  }

  ArrivingReceives(const Context& context, const Point& point)
      : sends_(context.rank == 0),
        window_(context, point, 1 - context.rank),
        complete_(static_cast<std::size_t>(window_of(point))) {}

  void run() { window_.pass_one_way(sends_, complete_); }

  void refill(std::uint64_t seed) { window_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return sends_ || window_.verify(seed); }

 private:
  bool sends_;
  Window window_;
  Completion complete_;
};

const Registration<ArrivingReceives<ByWaitany>> waitany_bandwidth;
const Registration<ArrivingReceives<ByWaitsome>> waitsome_bandwidth;
const Registration<ArrivingReceives<ByTestall>> testall_bandwidth;

}  // namespace
}  // namespace hockney::benchmarks
