#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/flows.hpp"

namespace hockney::benchmarks {
namespace {

/// Pairs between two halves of the ranks at once: what the network between the halves carries.
class Cut : public CutMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "cut",
      .summary =
          "MPI_Send from ranks of one half, MPI_Recv by their partners in the other, until "
          "the last message has come",
      .counts = "the message once for each pair at work (no other suite has it)",
      .shape = GroupShape::pairs,
      .timing = Timing::last_rank,
      .single = true,
      .contends = true};

  static Volume volume(const Point& point) {
    return {.operations = 1, .bytes = point.bytes * flows_of(point, point.ranks / 2)};
  }

  using CutMessage::CutMessage;

  void run() {
    if (!works()) return;
    if (is_in_first_half()) {
      send();
    } else {
      receive();
    }
  }

  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return is_in_first_half() || !works() || CutMessage::verify(seed);
  }
};

const Registration<Cut> cut;

}  // namespace
}  // namespace hockney::benchmarks
