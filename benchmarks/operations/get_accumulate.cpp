#include "benchmarks/harness/one_sided.hpp"

namespace hockney::benchmarks {
namespace {

/// This rank's data are combined with what is in the other one's memory, which comes back as it
/// was.
struct GetAccumulate {
  using Data = FetchData;
  static constexpr RemoteCallWords words{
      .name = "get-accumulate",
      .function = "MPI_Get_accumulate",
      .counts = "the data once, although as much comes back (OMB get_acc_latency: none)"};

  static void make(Data& data, const Place& place) {
    MPI_Get_accumulate(data.source(), data.count(), data.type(), data.result(place.slot),
                       data.count(), data.type(), place.rank, place.displacement, data.count(),
                       data.type(), data.rule().op->handle, place.window);
  }
};

const Registration<RemoteLatency<GetAccumulate>> get_accumulate;
const Registration<RemoteBandwidth<GetAccumulate>> get_accumulate_bandwidth;
const Registration<RemoteBothWays<GetAccumulate>> get_accumulate_bidirectional_bandwidth;
const Registration<RemoteRate<GetAccumulate>> get_accumulate_rate;

}  // namespace
}  // namespace hockney::benchmarks
