#include "benchmarks/harness/one_sided_links.hpp"

/// Calls on other ranks' memory. Each is a struct; its forms between two ranks are those of
/// one_sided.hpp, and of many ranks those of one_sided_links.hpp.
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
