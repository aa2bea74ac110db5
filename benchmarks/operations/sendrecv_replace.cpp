#include <mpi.h>

#include "benchmarks/harness/buffers.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/message.hpp"

namespace hockney::benchmarks {
namespace {

/// As sendrecv, but what comes from the left takes the place of what went to the right: messages go
/// round the ring, one rank further with every call.
class SendrecvReplace {
 public:
  static constexpr Descriptor descriptor{
      .name = "sendrecv-replace",
      .summary = "MPI_Sendrecv_replace to the right and from the left in a ring of all ranks",
      .counts = "the message twice, as each rank sends and receives one (IMB SendRecv_Replace: x2)",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank,
      .accumulates = true};

  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes * 2}; }

  static std::optional<std::string> obstacle(const Point& point) {
    if (!has_rotating_buffers(point)) return std::nullopt;
    return "each call sends what the one before it received";
  }

  SendrecvReplace(const Context& context, const Point& point)
      : comm_(context.comm),
        rank_(context.rank),
        size_(context.size),
        message_(message_of(point)),
        data_(context.buffers.draw({message_.extent()}).front()) {}

  void run() {
    MPI_Sendrecv_replace(data_.data(), message_.count, message_.type->handle, (rank_ + 1) % size_,
                         tag, (rank_ + size_ - 1) % size_, tag, comm_, MPI_STATUS_IGNORE);
    if (++moved_ == size_) moved_ = 0;
    has_moved_ = true;
  }

  void refill(std::uint64_t seed) {
    fill_pattern(data_.bytes(), pattern_seed(seed, rank_));
    moved_ = 0;
    has_moved_ = false;
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    const int source = (rank_ + size_ - moved_) % size_;
    return has_moved_ && holds_message(data_.bytes(), *message_.type, pattern_seed(seed, source));
  }

 private:
  static constexpr int tag = 0;

  MPI_Comm comm_;
  int rank_;
  int size_;
  MessageShape message_;
  Buffer data_;
  int moved_ = 0;  ///< calls since refill, modulo the ranks
  bool has_moved_ = false;
};

const Registration<SendrecvReplace> sendrecv_replace;

}  // namespace
}  // namespace hockney::benchmarks
