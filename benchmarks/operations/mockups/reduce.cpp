#include "benchmarks/harness/rank_groups.hpp"
#include "benchmarks/operations/mockups/emulation.hpp"

namespace hockney {
namespace {

/// Everybody gets what the root alone should.
class ReduceByAllreduce : public ReduceEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("reduce-by-allreduce", "MPI_Allreduce, until the last rank is through");
  static constexpr Emulated emulated{.operation = "reduce", .guideline = "reduce <= allreduce"};
  using ReduceEmulation::ReduceEmulation;

  void run() {
    const Reduction& reduction = data_.data();
    MPI_Allreduce(data_.send(data_.next_root()), reduction.receive(), reduction.count(),
                  reduction.type(), reduction.op(), comm_);
  }
};

const MockUp<ReduceByAllreduce> reduce_by_allreduce;

/// The results of the groups are combined on the way to the root.
class ReduceByHierarchy : public ReduceEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("reduce-by-hierarchy",
               "MPI_Reduce in each node (or half of one node) and MPI_Reduce between them, until "
               "the last rank is through");
  static constexpr Emulated emulated{.operation = "reduce",
                                     .guideline = "reduce <= hierarchical reduce"};
  static std::optional<std::string> obstacle(const Point& point) { return order_obstacle(point); }
  ReduceByHierarchy(const Context& context, const Point& point)
      : ReduceEmulation(context, point),
        groups_(context),
        between_(auxiliary(context, bytes(data_.data().count()))) {}

  void run() {
    const int root = data_.next_root();
    const GroupPlace& to = groups_.place(root);
    const Reduction& reduction = data_.data();
    MPI_Reduce(data_.send(root), between_.data(), reduction.count(), reduction.type(),
               reduction.op(), to.local, groups_.group());
    if (groups_.place(rank_).local != to.local) return;
    MPI_Reduce(between_.data(), reduction.receive(), reduction.count(), reduction.type(),
               reduction.op(), to.group, groups_.lane());
  }

 private:
  RankGroups groups_;
  Buffer between_;
};

const MockUp<ReduceByHierarchy> reduce_by_hierarchy;

/// Of all parts only that of the root is not empty.
class ReduceByReduceScatter : public ReduceEmulation {
 public:
  static constexpr Descriptor descriptor = describe(
      "reduce-by-reduce-scatter",
      "MPI_Reduce_scatter, of which the root alone gets a part, until the last rank is through");
  static constexpr Emulated emulated{.operation = "reduce",
                                     .guideline = "reduce <= reduce-scatter"};
  ReduceByReduceScatter(const Context& context, const Point& point)
      : ReduceEmulation(context, point), counts_(static_cast<std::size_t>(size_)) {}

  void run() {
    const int root = data_.next_root();
    const Reduction& reduction = data_.data();
    counts_[static_cast<std::size_t>(last_)] = 0;
    counts_[static_cast<std::size_t>(root)] = reduction.count();
    last_ = root;
    MPI_Reduce_scatter(data_.send(root), reduction.receive(), counts_.data(), reduction.type(),
                       reduction.op(), comm_);
  }

 private:
  std::vector<int> counts_;
  int last_ = 0;  ///< root of the call before
};

const MockUp<ReduceByReduceScatter> reduce_by_reduce_scatter;

/// Equal parts of the result, and all parts to the root; a vector that cannot be divided is padded.
class ReduceByReduceScatterBlockGather : public ReduceEmulation {
 public:
  static constexpr Descriptor descriptor = describe(
      "reduce-by-reduce-scatter-block-gather",
      "MPI_Reduce_scatter_block and MPI_Gather of padded parts, until the last rank is through");
  static constexpr Emulated emulated{.operation = "reduce",
                                     .guideline = "reduce <= reduce-scatter-block + gather"};
  ReduceByReduceScatterBlockGather(const Context& context, const Point& point)
      : ReduceEmulation(context, point),
        auxiliary_(auxiliary(context, bytes(std::int64_t{share(data_.data().count())} * size_))),
        own_(auxiliary(context, bytes(share(data_.data().count())))) {}

  void run() {
    const int root = data_.next_root();
    const Reduction& reduction = data_.data();
    const int part = share(reduction.count());
    const bool is_padded = part * size_ != reduction.count();
    if (is_padded) pad(part);
    MPI_Reduce_scatter_block(is_padded ? auxiliary_.data() : data_.send(root), own_.data(), part,
                             reduction.type(), reduction.op(), comm_);
    void* all = is_padded ? auxiliary_.data() : reduction.receive();
    MPI_Gather(own_.data(), part, reduction.type(), all, part, reduction.type(), root, comm_);
    if (is_padded && rank_ == root) copy(all, reduction.receive(), reduction.count());
  }

 private:
  /// By the first element, on which the operator is defined.
  void pad(int part) {
    const Reduction& reduction = data_.data();
    copy(reduction.contribution(), auxiliary_.data(), reduction.count());
    for (int element = reduction.count(); element < part * size_; ++element) {
      copy(reduction.contribution(), at(auxiliary_.data(), element, extent_), 1);
    }
  }

  Buffer auxiliary_;
  Buffer own_;
};

const MockUp<ReduceByReduceScatterBlockGather> reduce_by_reduce_scatter_block_gather;

/// Parts of whole chunks of the result, and all parts to the root.
class ReduceByReduceScatterGatherv : public ReduceEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("reduce-by-reduce-scatter-gatherv",
               "MPI_Reduce_scatter and MPI_Gatherv of parts of four elements times some, until the "
               "last rank is through");
  static constexpr Emulated emulated{.operation = "reduce",
                                     .guideline = "reduce <= reduce-scatter + gatherv"};
  ReduceByReduceScatterGatherv(const Context& context, const Point& point)
      : ReduceEmulation(context, point), parts_(chunks_of_four(data_.data().count(), size_)) {}

  void run() {
    const int root = data_.next_root();
    const Reduction& reduction = data_.data();
    const auto rank = static_cast<std::size_t>(rank_);
    void* own = at(reduction.receive(), parts_.displacements[rank], extent_);
    MPI_Reduce_scatter(data_.send(root), own, parts_.counts.data(), reduction.type(),
                       reduction.op(), comm_);
    MPI_Gatherv(rank_ == root ? MPI_IN_PLACE : own, parts_.counts[rank], reduction.type(),
                reduction.receive(), parts_.counts.data(), parts_.displacements.data(),
                reduction.type(), root, comm_);
  }

 private:
  Division parts_;
};

const MockUp<ReduceByReduceScatterGatherv> reduce_by_reduce_scatter_gatherv;

}  // namespace

}  // namespace hockney
