#include "benchmarks/harness/one_sided.hpp"

namespace hockney::benchmarks {
namespace {

/// This rank's data are combined with what is in the other one's memory.
struct Accumulate {
  using Data = AccumulateData;
  static constexpr RemoteCallWords words{.name = "accumulate",
                                         .function = "MPI_Accumulate",
                                         .counts = "the data of one call (OMB acc_latency: none)"};

  static void make(Data& data, const Place& place) {
    MPI_Accumulate(data.source(), data.count(), data.type(), place.rank, place.displacement,
                   data.count(), data.type(), data.rule().op->handle, place.window);
  }
};

const Registration<RemoteLatency<Accumulate>> accumulate;
const Registration<RemoteBandwidth<Accumulate>> accumulate_bandwidth;
const Registration<RemoteBothWays<Accumulate>> accumulate_bidirectional_bandwidth;
const Registration<RemoteRate<Accumulate>> accumulate_rate;

}  // namespace
}  // namespace hockney::benchmarks
