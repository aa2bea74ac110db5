#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/rooted_data.hpp"

namespace hockney::benchmarks {
namespace {

/// The root's message reaches everybody.
struct Bcast {
  using Data = BcastData;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "bcast",
       .summary = "MPI_Bcast from the root to all, until the last one has it",
       .counts = "the message once (nccl-tests: the same; OMB osu_bcast, IMB Bcast: none)",
       .sizes = "the message (OMB, IMB: the same)"});

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.message(), data.count(), data.type(), data.next_root(), comm);
  }
};

const Registration<Blocking<Bcast, MPI_Bcast>> bcast;
const Registration<Nonblocking<Bcast, MPI_Ibcast>> ibcast;
const Registration<Persistent<Bcast, HOCKNEY_PERSISTENT(Bcast)>> persistent_bcast;

}  // namespace
}  // namespace hockney::benchmarks
