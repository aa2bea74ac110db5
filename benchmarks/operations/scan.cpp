#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/reductions.hpp"

namespace hockney::benchmarks {
namespace {

template <class Reduction>
struct ScanCalls {
  using Data = Reduction;

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.receive(), data.count(), data.type(), data.op(), comm);
  }
};

/// On every rank the vectors of all ranks up to it, combined.
struct Scan : ScanCalls<ScanReduction> {
  static constexpr Descriptor descriptor =
      describe<Data>({.name = "scan",
                      .summary = "MPI_Scan over all ranks, until the last one has its result",
                      .counts = "the vector once (no other suite has it)",
                      .sizes = "the vector of each rank (OMB, IMB, nccl-tests: not there)"});
};

const Registration<Blocking<Scan, MPI_Scan>> scan;

/// On every rank the vectors of all ranks before it, combined; the first one gets nothing.
struct Exscan : ScanCalls<ExscanReduction> {
  static constexpr Descriptor descriptor =
      describe<Data>({.name = "exscan",
                      .summary = "MPI_Exscan over all ranks, until the last one has its result",
                      .counts = "the vector once (no other suite has it)",
                      .sizes = "the vector of each rank (OMB, IMB, nccl-tests: not there)"});
};

const Registration<Blocking<Exscan, MPI_Exscan>> exscan;

}  // namespace
}  // namespace hockney::benchmarks
