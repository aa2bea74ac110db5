#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/reductions.hpp"

namespace hockney {
namespace {

/// On every rank the vectors of all ranks up to it, combined.
struct Scan {
  using Data = ScanReduction;
  static constexpr Descriptor descriptor =
      describe<Data>({.name = "scan",
                      .summary = "MPI_Scan over all ranks, until the last one has its result",
                      .counts = "the vector once (no other suite has it)",
                      .sizes = "the vector of each rank (OMB, IMB, nccl-tests: not there)"});

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.receive(), data.count(), data.type(), data.op(), comm);
  }
};

const Registration<Blocking<Scan, MPI_Scan>> scan;

}  // namespace
}  // namespace hockney
