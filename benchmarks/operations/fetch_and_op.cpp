#include "benchmarks/harness/one_sided.hpp"

namespace hockney::benchmarks {
namespace {

/// One element is combined with that in the other rank's memory, which comes back as it was.
struct FetchAndOp {
  using Data = FetchElementData;
  static constexpr RemoteCallWords words{
      .name = "fetch-and-op",
      .function = "MPI_Fetch_and_op",
      .counts = "the element once, although one comes back (OMB fop_latency: none)"};

  static void make(Data& data, const Place& place) {
    MPI_Fetch_and_op(data.source(), data.result(place.slot), data.type(), place.rank,
                     place.displacement, data.rule().op->handle, place.window);
  }
};

const Registration<RemoteLatency<FetchAndOp>> fetch_and_op;
const Registration<RemoteBandwidth<FetchAndOp>> fetch_and_op_bandwidth;
const Registration<RemoteBothWays<FetchAndOp>> fetch_and_op_bidirectional_bandwidth;
const Registration<RemoteRate<FetchAndOp>> fetch_and_op_rate;

}  // namespace
}  // namespace hockney::benchmarks
