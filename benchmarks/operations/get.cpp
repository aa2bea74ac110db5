#include "benchmarks/harness/one_sided_links.hpp"

namespace hockney::benchmarks {
namespace {

/// This rank gets what is in the other one's memory.
struct Get {
  using Data = GetData;
  static constexpr RemoteCallWords words{
      .name = "get",
      .function = "MPI_Get",
      .counts = "the data of one call (OMB get_bw, IMB Unidir_get: the same)"};

  static void make(Data& data, const Place& place) {
    MPI_Get(data.result(place.slot), data.count(), data.type(), place.rank, place.displacement,
            data.count(), data.type(), place.window);
  }
};

const Registration<RemoteLatency<Get>> get;
const Registration<RemoteBandwidth<Get>> get_bandwidth;
const Registration<RemoteBothWays<Get>> get_bidirectional_bandwidth;
const Registration<RemoteRate<Get>> get_rate;
const Registration<OneOnAll<Get>> one_get_all;
const Registration<AllOnAll<Get>> all_get_all;
const Registration<ExchangeByCalls<Get>> exchange_get;

}  // namespace
}  // namespace hockney::benchmarks
