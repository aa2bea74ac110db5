#include <mpi.h>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/reductions.hpp"
#include "benchmarks/harness/remote_data.hpp"

/// Collectives that combine data, and the computation of a reduction without communication.
namespace hockney::benchmarks {
namespace {

/// The arguments of calls without a root.
template <class Vector>
struct VectorCalls {
  using Data = Vector;

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.receive(), data.count(), data.type(), data.op(), comm);
  }
};

/// Every rank's data are combined into one result on all ranks.
struct Allreduce : VectorCalls<Reduction> {
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "allreduce",
       .summary = "MPI_Allreduce over all ranks, until the last one has the result",
       .counts = "the message once (nccl-tests: the same; OMB osu_allreduce, IMB Allreduce: none)",
       .sizes = "the vector of each rank (OMB, IMB: the same)"});
};

const Registration<Blocking<Allreduce, MPI_Allreduce>> allreduce;
const Registration<Nonblocking<Allreduce, MPI_Iallreduce>> iallreduce;
const Registration<Persistent<Allreduce, HOCKNEY_PERSISTENT(Allreduce)>> persistent_allreduce;

/// Every rank's data are combined into one result on the root.
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

/// Every rank's vector is combined into one result; each rank receives its part.
struct ReduceScatter {
  using Data = ScatteredReduction;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "reduce-scatter",
       .summary = "MPI_Reduce_scatter over all ranks, until the last one has its part",
       .counts = "the vector once (nccl-tests: the same; OMB osu_reduce_scatter, IMB "
                 "Reduce_scatter: none)",
       .sizes = "the whole vector (OMB: the same; IMB: the part that a rank gets)"});

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.receive(), data.counts(), data.type(), data.op(), comm);
  }
};

const Registration<Blocking<ReduceScatter, MPI_Reduce_scatter>> reduce_scatter;
const Registration<Nonblocking<ReduceScatter, MPI_Ireduce_scatter>> ireduce_scatter;
const Registration<Persistent<ReduceScatter, HOCKNEY_PERSISTENT(Reduce_scatter)>>
    persistent_reduce_scatter;

/// Every rank's blocks are combined into one result; each rank receives its block.
struct ReduceScatterBlock {
  using Data = BlockReduction;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "reduce-scatter-block",
       .summary = "MPI_Reduce_scatter_block over all ranks, until the last one has its block",
       .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
       .sizes = "the block that a rank gets (IMB: the same)"});

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.receive(), data.received(), data.type(), data.op(), comm);
  }
};

const Registration<Blocking<ReduceScatterBlock, MPI_Reduce_scatter_block>> reduce_scatter_block;
const Registration<Nonblocking<ReduceScatterBlock, MPI_Ireduce_scatter_block>>
    ireduce_scatter_block;
const Registration<Persistent<ReduceScatterBlock, HOCKNEY_PERSISTENT(Reduce_scatter_block)>>
    persistent_reduce_scatter_block;

/// Every rank receives the combined vectors of all ranks up to itself.
struct Scan : VectorCalls<ScanReduction> {
  static constexpr Descriptor descriptor =
      describe<Data>({.name = "scan",
                      .summary = "MPI_Scan over all ranks, until the last one has its result",
                      .counts = "the vector once (no other suite has it)",
                      .sizes = "the vector of each rank (OMB, IMB, nccl-tests: not there)"});
};

const Registration<Blocking<Scan, MPI_Scan>> scan;

/// Every rank receives the combined vectors of all ranks before it; the first receives nothing.
struct Exscan : VectorCalls<ExscanReduction> {
  static constexpr Descriptor descriptor =
      describe<Data>({.name = "exscan",
                      .summary = "MPI_Exscan over all ranks, until the last one has its result",
                      .counts = "the vector once (no other suite has it)",
                      .sizes = "the vector of each rank (OMB, IMB, nccl-tests: not there)"});
};

const Registration<Blocking<Exscan, MPI_Exscan>> exscan;

/// The computation of a reduction without communication. Each call combines the same vector with
/// the previous result.
class ReduceLocal {
 public:
  static constexpr Descriptor descriptor{
      .name = "reduce-local",
      .summary = "MPI_Reduce_local of every rank, which communicates nothing",
      .counts = "the vector once (IMB Reduce_local: none)",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank,
      .reduces = true,
      .sizes = "the vector",
      .accumulates = true};

  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }

  static std::optional<std::string> obstacle(const Point& point) {
    if (has_rotating_buffers(point)) return "each call works on what the one before it left";
    if (operator_of(point).is_user) {
      return "what many calls leave is known of operators of MPI only";
    }
    return AccumulateData::obstacle(point);
  }

  ReduceLocal(const Context& context, const Point& point)
      : rank_(context.rank), message_(message_of(point)), op_(operator_of(point)) {
    const auto buffers = context.buffers.draw({message_.extent(), message_.extent()});
    given_ = buffers[0];
    combined_ = buffers[1];
  }

  void run() {
    MPI_Reduce_local(given_.data(), combined_.data(), message_.count, message_.type->handle,
                     op_.handle);
    ++calls_;
  }

  void refill(std::uint64_t seed) {
    data(seed).fill_contribution(given_.bytes());
    data(seed).fill_result(combined_.bytes(), 0);
    calls_ = 0;
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return calls_ > 0 && data(seed).holds_result(combined_.bytes(), calls_);
  }

 private:
  [[nodiscard]] Accumulated data(std::uint64_t seed) const {
    return {*message_.type, op_, seed, rank_};
  }

  int rank_;
  MessageShape message_;
  const Operator& op_;
  Buffer given_;
  Buffer combined_;
  std::uint64_t calls_ = 0;  ///< since refill
};

const Registration<ReduceLocal> reduce_local;

}  // namespace
}  // namespace hockney::benchmarks
