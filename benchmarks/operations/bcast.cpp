#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/message.hpp"
#include "benchmarks/harness/pattern.hpp"

namespace hockney {
namespace {

/// The first rank's message reaches everybody.
class Bcast {
 public:
  static constexpr Descriptor descriptor{
      .name = "bcast",
      .summary = "MPI_Bcast from the first rank to all, until the last one has it",
      .counts = "the message once (OMB osu_bcast, IMB Bcast: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true};

  static Account account(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }

  Bcast(const Context& context, const Point& point)
      : comm_(context.comm),
        rank_(context.rank),
        message_(message_of(point)),
        type_(message_.type->handle),
        data_(context.buffers.draw({message_.extent()}).front()) {}

  void run() { MPI_Bcast(data_.data(), message_.count, type_, root, comm_); }

  void refill(std::uint64_t seed) {
    const std::uint64_t right = pattern_seed(seed, root);
    rank_ == root ? fill_pattern(data_.bytes(), right)
                  : fill_wrong_pattern(data_.to_spoil(), right);
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return holds_message(data_.bytes(), *message_.type, pattern_seed(seed, root));
  }

 private:
  static constexpr int root = 0;

  MPI_Comm comm_;
  int rank_;
  MessageShape message_;
  MPI_Datatype type_;
  Buffer data_;
};

const Registration<Bcast> registration;

}  // namespace
}  // namespace hockney
