#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

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

}  // namespace
}  // namespace hockney
