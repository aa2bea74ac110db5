#include "benchmarks/harness/rank_groups.hpp"
#include "benchmarks/operations/mockups/emulation.hpp"

namespace hockney::benchmarks {
namespace {

/// Everybody gets what the root alone should.
class ReduceByAllreduce : public Emulation<RootedReduction> {
 public:
  static constexpr Descriptor descriptor =
      describe("reduce-by-allreduce", "MPI_Allreduce, until the last rank is through");
  static constexpr std::string_view guideline = "reduce <= allreduce";
  using Emulation::Emulation;

  void run() {
    MPI_Allreduce(data_.send(data_.next_root()), data_.receive(), data_.count(), data_.type(),
                  data_.op(), comm_);
  }
};

const MockUp<ReduceByAllreduce> reduce_by_allreduce;

/// The results of the groups are combined on the way to the root.
class ReduceByHierarchy : public Emulation<RootedReduction> {
 public:
  static constexpr Descriptor descriptor =
      describe("reduce-by-hierarchy",
               "MPI_Reduce in each node (or half of one node) and MPI_Reduce between them, until "
               "the last rank is through");
  static constexpr std::string_view guideline = "reduce <= hierarchical reduce";
  static std::optional<std::string> obstacle(const Point& point) { return order_obstacle(point); }
  using Emulation::Emulation;

  void run() {
    const int root = data_.next_root();
    const GroupPlace& to = groups_.place(root);
    MPI_Reduce(data_.send(root), between_.data(), data_.count(), data_.type(), data_.op(), to.local,
               groups_.group());
    if (groups_.place(rank_).local != to.local) return;
    MPI_Reduce(between_.data(), data_.receive(), data_.count(), data_.type(), data_.op(), to.group,
               groups_.lane());
  }

 private:
  RankGroups groups_{context_};
  Buffer between_ = auxiliary(data_.count());
};

const MockUp<ReduceByHierarchy> reduce_by_hierarchy;

/// Of all parts only that of the root is not empty.
class ReduceByReduceScatter : public Emulation<RootedReduction> {
 public:
  static constexpr Descriptor descriptor = describe(
      "reduce-by-reduce-scatter",
      "MPI_Reduce_scatter, of which the root alone gets a part, until the last rank is through");
  static constexpr std::string_view guideline = "reduce <= reduce-scatter";
  using Emulation::Emulation;

  void run() {
    const int root = data_.next_root();
    MPI_Reduce_scatter(data_.send(root), data_.receive(), counts_.of(root, data_.count()),
                       data_.type(), data_.op(), comm_);
  }

 private:
  CountsOfRoot counts_{size_};
};

const MockUp<ReduceByReduceScatter> reduce_by_reduce_scatter;

/// Equal parts of the result, and all parts to the root; a vector that cannot be divided is padded.
class ReduceByReduceScatterBlockGather : public Emulation<RootedReduction> {
 public:
  static constexpr Descriptor descriptor = describe(
      "reduce-by-reduce-scatter-block-gather",
      "MPI_Reduce_scatter_block and MPI_Gather of padded parts, until the last rank is through");
  static constexpr std::string_view guideline = "reduce <= reduce-scatter-block + gather";
  using Emulation::Emulation;

  void run() {
    const int root = data_.next_root();
    const int part = padded_part(data_.count());
    const bool is_padded = part * size_ != data_.count();
    if (is_padded) {
      copy_and_pad(data_.contribution(), auxiliary_.data(), data_.count(), part * size_);
    }
    MPI_Reduce_scatter_block(is_padded ? auxiliary_.data() : data_.send(root), own_.data(), part,
                             data_.type(), data_.op(), comm_);
    void* all = is_padded ? auxiliary_.data() : data_.receive();
    MPI_Gather(own_.data(), part, data_.type(), all, part, data_.type(), root, comm_);
    if (is_padded && rank_ == root) copy(all, data_.receive(), data_.count());
  }

 private:
  Buffer auxiliary_ = auxiliary(std::int64_t{padded_part(data_.count())} * size_);
  Buffer own_ = auxiliary(padded_part(data_.count()));
};

const MockUp<ReduceByReduceScatterBlockGather> reduce_by_reduce_scatter_block_gather;

/// Parts of whole chunks of the result, and all parts to the root.
class ReduceByReduceScatterGatherv : public Emulation<RootedReduction> {
 public:
  static constexpr Descriptor descriptor =
      describe("reduce-by-reduce-scatter-gatherv",
               "MPI_Reduce_scatter and MPI_Gatherv of parts of four elements times some, until the "
               "last rank is through");
  static constexpr std::string_view guideline = "reduce <= reduce-scatter + gatherv";
  using Emulation::Emulation;

  void run() {
    const int root = data_.next_root();
    const auto rank = static_cast<std::size_t>(rank_);
    void* own = at(data_.receive(), parts_.displacements[rank], extent_);
    MPI_Reduce_scatter(data_.send(root), own, parts_.counts.data(), data_.type(), data_.op(),
                       comm_);
    MPI_Gatherv(rank_ == root ? MPI_IN_PLACE : own, parts_.counts[rank], data_.type(),
                data_.receive(), parts_.counts.data(), parts_.displacements.data(), data_.type(),
                root, comm_);
  }

 private:
  Division parts_ = chunks_of_four(data_.count(), size_);
};

const MockUp<ReduceByReduceScatterGatherv> reduce_by_reduce_scatter_gatherv;

}  // namespace

}  // namespace hockney::benchmarks
