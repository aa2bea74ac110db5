#include "benchmarks/harness/one_sided_links.hpp"

namespace hockney::benchmarks {
namespace {

/// The other rank's memory gets this rank's data.
struct Put {
  using Data = PutData;
  static constexpr RemoteCallWords words{
      .name = "put",
      .function = "MPI_Put",
      .counts = "the data of one call (OMB put_bw, IMB Unidir_put: the same)"};

  static void make(Data& data, const Place& place) {
    MPI_Put(data.source(), data.count(), data.type(), place.rank, place.displacement, data.count(),
            data.type(), place.window);
  }
};

const Registration<RemoteLatency<Put>> put;
const Registration<RemoteBandwidth<Put>> put_bandwidth;
const Registration<RemoteBothWays<Put>> put_bidirectional_bandwidth;
const Registration<RemoteRate<Put>> put_rate;
const Registration<OneOnAll<Put>> one_put_all;
const Registration<AllOnAll<Put>> all_put_all;
const Registration<ExchangeByCalls<Put>> exchange_put;

}  // namespace
}  // namespace hockney::benchmarks
