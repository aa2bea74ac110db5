#include <mpi.h>

#include "benchmarks/harness/accumulated.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/message.hpp"
#include "benchmarks/harness/remote_data.hpp"

namespace hockney::benchmarks {
namespace {

/// What a reduction computes, without what it communicates. Each call combines the same vector with
/// what the one before it left.
class ReduceLocal {
 public:
  static constexpr Descriptor descriptor{
      .name = "reduce-local",
      .summary = "MPI_Reduce_local of every rank, which communicates nothing",
      .counts = "the vector once (IMB Reduce_local: none)",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank,
      .reduces = true,
      .sizes = "the vector",
      .accumulates = true};

  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }

  static std::optional<std::string> obstacle(const Point& point) {
    if (has_rotating_buffers(point)) return "each call works on what the one before it left";
    if (find_operator(parameter_of(point, "operator", "sum")).is_user) {
      return "what many calls leave is known of operators of MPI only";
    }
    return AccumulateData::obstacle(point);
  }

  ReduceLocal(const Context& context, const Point& point)
      : rank_(context.rank),
        message_(message_of(point)),
        op_(find_operator(point.parameters.at("operator"))) {
    const auto buffers = context.buffers.draw({message_.extent(), message_.extent()});
    given_ = buffers[0];
    combined_ = buffers[1];
  }

  void run() {
    MPI_Reduce_local(given_.data(), combined_.data(), message_.count, message_.type->handle,
                     op_.handle);
    ++calls_;
  }

  void refill(std::uint64_t seed) {
    data(seed).fill_contribution(given_.bytes());
    data(seed).fill_result(combined_.bytes(), 0);
    calls_ = 0;
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return calls_ > 0 && data(seed).holds_result(combined_.bytes(), calls_);
  }

 private:
  [[nodiscard]] Accumulated data(std::uint64_t seed) const {
    return {*message_.type, op_, seed, rank_};
  }

  int rank_;
  MessageShape message_;
  const Operator& op_;
  Buffer given_;
  Buffer combined_;
  std::uint64_t calls_ = 0;  ///< since refill
};

const Registration<ReduceLocal> reduce_local;

}  // namespace
}  // namespace hockney::benchmarks
