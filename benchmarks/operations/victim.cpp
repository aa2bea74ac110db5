#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/flows.hpp"

namespace hockney::benchmarks {
namespace {

/// A round trip of one pair while other pairs between the same halves of the ranks exchange
/// messages of the same size both ways all the time (victim and aggressors, as GPCNeT has them).
class Victim : public CutMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "victim",
      .summary = "MPI_Send and MPI_Recv back of one pair, while other pairs MPI_Sendrecv",
      .counts = "the message of the one pair (GPCNeT: the same)",
      .shape = GroupShape::pairs,
      .timing = Timing::first_rank,
      .contends = true};

  static Volume volume(const Point& point) { return {.operations = 2, .bytes = point.bytes}; }

  Victim(const Context& context, const Point& point) : CutMessage(context, point, 2) {}

  void run() {
    if (!works()) return;
    if (pair() > 0) {
      sendrecv(0);
      sendrecv(1);
    } else if (is_in_first_half()) {
      send();
      receive();
    } else {
      receive();
      send();
    }
  }

  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return !works() || CutMessage::verify(seed, pair() > 0 ? 2 : 1);
  }
};

const Registration<Victim> victim;

}  // namespace
}  // namespace hockney::benchmarks
