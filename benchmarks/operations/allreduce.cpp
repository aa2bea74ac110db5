#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/reductions.hpp"

namespace hockney::benchmarks {
namespace {

/// Every rank's data combined into one result, on all ranks.
struct Allreduce {
  using Data = Reduction;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "allreduce",
       .summary = "MPI_Allreduce over all ranks, until the last one has the result",
       .counts = "the message once (nccl-tests: the same; OMB osu_allreduce, IMB Allreduce: none)",
       .sizes = "the vector of each rank (OMB, IMB: the same)"});

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.receive(), data.count(), data.type(), data.op(), comm);
  }
};

const Registration<Blocking<Allreduce, MPI_Allreduce>> allreduce;
const Registration<Nonblocking<Allreduce, MPI_Iallreduce>> iallreduce;
const Registration<Persistent<Allreduce, HOCKNEY_PERSISTENT(Allreduce)>> persistent_allreduce;

}  // namespace
}  // namespace hockney::benchmarks
