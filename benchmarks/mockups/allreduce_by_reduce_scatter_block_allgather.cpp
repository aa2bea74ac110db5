#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// Equal parts of the result, and all parts to all; a vector that cannot be divided is padded.
class AllreduceByReduceScatterBlockAllgather : public AllreduceEmulation {
 public:
  static constexpr Descriptor descriptor = describe(
      "allreduce-by-reduce-scatter-block-allgather",
      "MPI_Reduce_scatter_block and MPI_Allgather of padded parts, until the last rank has all");
  static constexpr Emulated emulated{.operation = "allreduce",
                                     .guideline = "allreduce <= reduce-scatter-block + allgather"};
  AllreduceByReduceScatterBlockAllgather(const Context& context, const Point& point)
      : AllreduceEmulation(context, point),
        auxiliary_(auxiliary(context, bytes(std::int64_t{share(data_.count())} * size_))),
        own_(auxiliary(context, bytes(share(data_.count())))) {}

  void run() {
    const int part = share(data_.count());
    const bool is_padded = part * size_ != data_.count();
    if (is_padded) pad(part);
    void* all = is_padded ? auxiliary_.data() : data_.receive();
    void* own = at(all, std::int64_t{rank_} * part, extent_);
    if (is_padded) own = own_.data();
    MPI_Reduce_scatter_block(is_padded ? auxiliary_.data() : data_.send(), own, part, data_.type(),
                             data_.op(), comm_);
    MPI_Allgather(is_padded ? own : MPI_IN_PLACE, part, data_.type(), all, part, data_.type(),
                  comm_);
    if (is_padded) copy(all, data_.receive(), data_.count());
  }

 private:
  /// By the first element, on which the operator is defined.
  void pad(int part) {
    copy(data_.send(), auxiliary_.data(), data_.count());
    for (int element = data_.count(); element < part * size_; ++element) {
      copy(data_.send(), at(auxiliary_.data(), element, extent_), 1);
    }
  }

  Buffer auxiliary_;
  Buffer own_;
};

const MockUp<AllreduceByReduceScatterBlockAllgather> allreduce_by_reduce_scatter_block_allgather;

}  // namespace
}  // namespace hockney
