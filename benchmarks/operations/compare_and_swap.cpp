#include "benchmarks/harness/one_sided.hpp"

namespace hockney::benchmarks {
namespace {

/// One element in the other rank's memory is replaced if it is the expected one, as it always is.
struct CompareAndSwap {
  using Data = SwapData;
  static constexpr RemoteCallWords words{
      .name = "compare-and-swap",
      .function = "MPI_Compare_and_swap",
      .counts = "the element once, although two go and one comes back (OMB cas_latency: none)"};

  static void make(Data& data, const Place& place) {
    MPI_Compare_and_swap(data.source(1 - data.turn()), data.source(data.turn()),
                         data.result(place.slot), data.type(), place.rank, place.displacement,
                         place.window);
  }
};

const Registration<RemoteLatency<CompareAndSwap>> compare_and_swap;
const Registration<RemoteBandwidth<CompareAndSwap>> compare_and_swap_bandwidth;
const Registration<RemoteBothWays<CompareAndSwap>> compare_and_swap_bidirectional_bandwidth;
const Registration<RemoteRate<CompareAndSwap>> compare_and_swap_rate;

}  // namespace
}  // namespace hockney::benchmarks
