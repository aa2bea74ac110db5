#include <numeric>

#include "benchmarks/operations/mockups/emulation.hpp"

namespace hockney::benchmarks {
namespace {

/// The whole result on all ranks, of which each keeps its block.
class ReduceScatterBlockByAllreduce : public Emulation<BlockReduction> {
 public:
  static constexpr Descriptor descriptor =
      describe("reduce-scatter-block-by-allreduce",
               "MPI_Allreduce of all blocks and a copy of the own one, until the last rank has it");
  static constexpr std::string_view guideline = "reduce-scatter-block <= allreduce";
  using Emulation::Emulation;

  void run() {
    MPI_Allreduce(data_.send(), auxiliary_.data(), data_.count(), data_.type(), data_.op(), comm_);
    copy(at(auxiliary_.data(), std::int64_t{rank_} * data_.received(), extent_), data_.receive(),
         data_.received());
  }

 private:
  Buffer auxiliary_ = auxiliary(data_.count());
};

const MockUp<ReduceScatterBlockByAllreduce> reduce_scatter_block_by_allreduce;

/// The whole result on one rank, which hands the blocks out.
class ReduceScatterBlockByReduceAndScatter : public Emulation<BlockReduction> {
 public:
  static constexpr Descriptor descriptor = describe(
      "reduce-scatter-block-by-reduce-and-scatter",
      "MPI_Reduce to rank 0 and MPI_Scatter of the result, until the last rank has its block");
  static constexpr std::string_view guideline = "reduce-scatter-block <= reduce + scatter";
  using Emulation::Emulation;

  void run() {
    MPI_Reduce(data_.send(), auxiliary_.data(), data_.count(), data_.type(), data_.op(), 0, comm_);
    MPI_Scatter(auxiliary_.data(), data_.received(), data_.type(), data_.receive(),
                data_.received(), data_.type(), 0, comm_);
  }

 private:
  Buffer auxiliary_ = auxiliary(data_.count());
};

const MockUp<ReduceScatterBlockByReduceAndScatter> reduce_scatter_block_by_reduce_and_scatter;

/// Parts that could differ, and do not.
class ReduceScatterBlockByReduceScatter : public Emulation<BlockReduction> {
 public:
  static constexpr Descriptor descriptor =
      describe("reduce-scatter-block-by-reduce-scatter",
               "MPI_Reduce_scatter with equal counts, until the last rank has its block");
  static constexpr std::string_view guideline = "reduce-scatter-block <= reduce-scatter";
  using Emulation::Emulation;

  void run() {
    MPI_Reduce_scatter(data_.send(), data_.receive(), counts_.data(), data_.type(), data_.op(),
                       comm_);
  }

 private:
  std::vector<int> counts_ = std::vector<int>(static_cast<std::size_t>(size_), data_.received());
};

const MockUp<ReduceScatterBlockByReduceScatter> reduce_scatter_block_by_reduce_scatter;

/// The whole result on all ranks, of which each keeps its part.
class ReduceScatterByAllreduce : public Emulation<ScatteredReduction> {
 public:
  static constexpr Descriptor descriptor = describe(
      "reduce-scatter-by-allreduce",
      "MPI_Allreduce of the vector and a copy of the own part, until the last rank has it");
  static constexpr std::string_view guideline = "reduce-scatter <= allreduce";
  using Emulation::Emulation;

  void run() {
    MPI_Allreduce(data_.send(), auxiliary_.data(), data_.count(), data_.type(), data_.op(), comm_);
    copy(at(auxiliary_.data(), own_, extent_), data_.receive(), data_.received());
  }

 private:
  Buffer auxiliary_ = auxiliary(data_.count());
  int own_{std::accumulate(data_.counts(), data_.counts() + rank_,
                           0)};  ///< first element of the own part
};

const MockUp<ReduceScatterByAllreduce> reduce_scatter_by_allreduce;

/// The whole result on one rank, which hands the parts out.
class ReduceScatterByReduceAndScatterv : public Emulation<ScatteredReduction> {
 public:
  static constexpr Descriptor descriptor = describe(
      "reduce-scatter-by-reduce-and-scatterv",
      "MPI_Reduce to rank 0 and MPI_Scatterv of the result, until the last rank has its part");
  static constexpr std::string_view guideline = "reduce-scatter <= reduce + scatterv";
  ReduceScatterByReduceAndScatterv(const Context& context, const Point& point)
      : Emulation(context, point) {
    std::exclusive_scan(data_.counts(), data_.counts() + size_, displacements_.begin(), 0);
  }

  void run() {
    MPI_Reduce(data_.send(), auxiliary_.data(), data_.count(), data_.type(), data_.op(), 0, comm_);
    MPI_Scatterv(auxiliary_.data(), data_.counts(), displacements_.data(), data_.type(),
                 data_.receive(), data_.received(), data_.type(), 0, comm_);
  }

 private:
  Buffer auxiliary_ = auxiliary(data_.count());
  std::vector<int> displacements_ = std::vector<int>(static_cast<std::size_t>(size_));
};

const MockUp<ReduceScatterByReduceAndScatterv> reduce_scatter_by_reduce_and_scatterv;

}  // namespace

}  // namespace hockney::benchmarks
