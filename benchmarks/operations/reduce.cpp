#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/reductions.hpp"

namespace hockney::benchmarks {
namespace {

/// Every rank's data combined into one result, on the root.
struct Reduce {
  using Data = RootedReduction;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "reduce",
       .summary = "MPI_Reduce over all ranks to the root, until the last rank is through",
       .counts = "the message once (nccl-tests: the same; OMB osu_reduce, IMB Reduce: none)",
       .sizes = "the vector of each rank (OMB, IMB: the same)"});

  static auto arguments(Data& data, MPI_Comm comm) {
    const int root = data.next_root();
    return std::tuple(data.send(root), data.receive(), data.count(), data.type(), data.op(), root,
                      comm);
  }
};

const Registration<Blocking<Reduce, MPI_Reduce>> reduce;
const Registration<Nonblocking<Reduce, MPI_Ireduce>> ireduce;
const Registration<Persistent<Reduce, HOCKNEY_PERSISTENT(Reduce)>> persistent_reduce;

}  // namespace
}  // namespace hockney::benchmarks
