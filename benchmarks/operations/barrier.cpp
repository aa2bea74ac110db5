#include "benchmarks/harness/collectives.hpp"

namespace hockney::benchmarks {
namespace {

/// Nobody leaves before everybody has come. There are no data, so there is one size, 0.
struct Barrier {
  using Data = NoData;
  static constexpr Descriptor descriptor =
      describe<Data>({.name = "barrier",
                      .summary = "MPI_Barrier over all ranks, until the last one leaves",
                      .counts = "nothing, it carries no data",
                      .sizes = "nothing: there is one size, 0"});

  static auto arguments(Data&, MPI_Comm comm) { return std::tuple(comm); }
};

const Registration<Blocking<Barrier, MPI_Barrier>> barrier;
const Registration<Nonblocking<Barrier, MPI_Ibarrier>> ibarrier;
const Registration<Persistent<Barrier, HOCKNEY_PERSISTENT(Barrier)>> persistent_barrier;

}  // namespace
}  // namespace hockney::benchmarks
