#include <numeric>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/operations/mockups/emulation.hpp"

namespace hockney::benchmarks {
namespace {

/// All blocks form one vector, to which every rank contributes zeros and its block.
class AllgatherByAllreduce : public Emulation<AllgatherData> {
 public:
  static constexpr Descriptor descriptor =
      describe("allgather-by-allreduce",
               "MPI_Allreduce (MPI_BOR) of all blocks, zero but for the own one, until the last "
               "rank is through");
  static constexpr std::string_view guideline = "allgather <= allreduce";
  using Emulation::Emulation;

  void run() {
    const int all = size_ * data_.send_count();
    std::memset(auxiliary_.data(), 0, bytes(all));
    copy(data_.send(), at(auxiliary_.data(), std::int64_t{rank_} * data_.send_count(), extent_),
         data_.send_count());
    MPI_Allreduce(auxiliary_.data(), data_.receive(), static_cast<int>(bytes(all)), MPI_BYTE,
                  MPI_BOR, comm_);
  }

 private:
  Buffer auxiliary_ = auxiliary(std::int64_t{size_} * data_.send_count());
};

const MockUp<AllgatherByAllreduce> allgather_by_allreduce;

/// The own block is sent to every rank, from a separate copy for each.
class AllgatherByAlltoall : public Emulation<AllgatherData> {
 public:
  static constexpr Descriptor descriptor = describe(
      "allgather-by-alltoall",
      "a copy of the block for each rank and MPI_Alltoall, until the last rank is through");
  static constexpr std::string_view guideline = "allgather <= alltoall";
  using Emulation::Emulation;

  void run() {
    const int count = data_.send_count();
    for (int rank = 0; rank < size_; ++rank) {
      copy(data_.send(), at(auxiliary_.data(), std::int64_t{rank} * count, extent_), count);
    }
    MPI_Alltoall(auxiliary_.data(), count, data_.type(), data_.receive(), count, data_.type(),
                 comm_);
  }

 private:
  Buffer auxiliary_ = auxiliary(std::int64_t{size_} * data_.send_count());
};

const MockUp<AllgatherByAlltoall> allgather_by_alltoall;

/// All blocks are gathered on one rank and broadcast from there.
class AllgatherByGatherBcast : public Emulation<AllgatherData> {
 public:
  static constexpr Descriptor descriptor =
      describe("allgather-by-gather-bcast",
               "MPI_Gather to rank 0 and MPI_Bcast of all blocks, until the last rank has them");
  static constexpr std::string_view guideline = "allgather <= gather + bcast";
  using Emulation::Emulation;

  void run() {
    const int count = data_.send_count();
    MPI_Gather(data_.send(), count, data_.type(), data_.receive(), count, data_.type(), 0, comm_);
    MPI_Bcast(data_.receive(), size_ * count, data_.type(), 0, comm_);
  }
};

const MockUp<AllgatherByGatherBcast> allgather_by_gather_bcast;

/// The leaders exchange the blocks of their groups.
class AllgatherByHierarchy : public Emulation<AllgatherData> {
 public:
  static constexpr Descriptor descriptor =
      describe("allgather-by-hierarchy",
               "MPI_Gather in each node (or half of one node), MPI_Allgather between them, "
               "MPI_Bcast in each, and blocks put in order");
  static constexpr std::string_view guideline = "allgather <= hierarchical allgather";
  AllgatherByHierarchy(const Context& context, const Point& point) : Emulation(context, point) {
    for (int rank = 0; rank < size_; ++rank) in_order_ = in_order_ && position(rank) == rank;
  }

  void run() {
    const int count = data_.send_count();
    const int of_group = groups_.group_size() * count;
    MPI_Gather(data_.send(), count, data_.type(), own_.data(), count, data_.type(), 0,
               groups_.group());
    void* all = in_order_ ? data_.receive() : auxiliary_.data();
    if (groups_.place(rank_).local == 0) {
      MPI_Allgather(own_.data(), of_group, data_.type(), all, of_group, data_.type(),
                    groups_.lane());
    }
    MPI_Bcast(all, size_ * count, data_.type(), 0, groups_.group());
    if (!in_order_) put_in_order(count);
  }

 private:
  /// Index of a rank's block in the order of groups.
  [[nodiscard]] int position(int rank) const {
    return groups_.place(rank).group * groups_.group_size() + groups_.place(rank).local;
  }

  void put_in_order(int count) {
    for (int rank = 0; rank < size_; ++rank) {
      copy(at(auxiliary_.data(), std::int64_t{position(rank)} * count, extent_),
           at(data_.receive(), std::int64_t{rank} * count, extent_), count);
    }
  }

  RankGroups groups_{context_};
  Buffer own_ = auxiliary(std::int64_t{groups_.group_size()} * data_.send_count());
  Buffer auxiliary_ = auxiliary(std::int64_t{size_} * data_.send_count());
  bool in_order_ = true;
};

const MockUp<AllgatherByHierarchy> allgather_by_hierarchy;

/// The leaders combine the results of their groups.
class AllreduceByHierarchy : public Emulation<Reduction> {
 public:
  static constexpr Descriptor descriptor =
      describe("allreduce-by-hierarchy",
               "MPI_Reduce in each node (or half of one node), MPI_Allreduce between them, "
               "MPI_Bcast in each");
  static constexpr std::string_view guideline = "allreduce <= hierarchical allreduce";
  static std::optional<std::string> obstacle(const Point& point) { return order_obstacle(point); }
  using Emulation::Emulation;

  void run() {
    const bool leads = groups_.place(rank_).local == 0;
    MPI_Reduce(data_.send(), leads ? between_.data() : nullptr, data_.count(), data_.type(),
               data_.op(), 0, groups_.group());
    if (leads) {
      MPI_Allreduce(between_.data(), data_.receive(), data_.count(), data_.type(), data_.op(),
                    groups_.lane());
    }
    MPI_Bcast(data_.receive(), data_.count(), data_.type(), 0, groups_.group());
  }

 private:
  RankGroups groups_{context_};
  Buffer between_ = auxiliary(data_.count());
};

const MockUp<AllreduceByHierarchy> allreduce_by_hierarchy;

/// Parts of the result are combined between the groups at the same time.
class AllreduceByLanes : public Emulation<Reduction> {
 public:
  static constexpr Descriptor descriptor =
      describe("allreduce-by-lanes",
               "MPI_Reduce_scatter in each node (or half of one node), MPI_Allreduce of each part "
               "between them, MPI_Allgatherv in each");
  static constexpr std::string_view guideline = "allreduce <= multi-lane allreduce";
  static std::optional<std::string> obstacle(const Point& point) { return order_obstacle(point); }
  using Emulation::Emulation;

  void run() {
    const auto local = static_cast<std::size_t>(groups_.place(rank_).local);
    void* own = at(data_.receive(), parts_.displacements[local], extent_);
    MPI_Reduce_scatter(data_.send(), between_.data(), parts_.counts.data(), data_.type(),
                       data_.op(), groups_.group());
    MPI_Allreduce(between_.data(), own, parts_.counts[local], data_.type(), data_.op(),
                  groups_.lane());
    MPI_Allgatherv(MPI_IN_PLACE, 0, data_.type(), data_.receive(), parts_.counts.data(),
                   parts_.displacements.data(), data_.type(), groups_.group());
  }

 private:
  RankGroups groups_{context_};
  Division parts_ = divide(data_.count(), groups_.group_size());
  Buffer between_ = auxiliary(data_.count());
};

const MockUp<AllreduceByLanes> allreduce_by_lanes;

/// The result is computed on one rank and broadcast from there.
class AllreduceByReduceBcast : public Emulation<Reduction> {
 public:
  static constexpr Descriptor descriptor =
      describe("allreduce-by-reduce-bcast",
               "MPI_Reduce to rank 0 and MPI_Bcast of the result, until the last rank has it");
  static constexpr std::string_view guideline = "allreduce <= reduce + bcast";
  using Emulation::Emulation;

  void run() {
    MPI_Reduce(data_.send(), data_.receive(), data_.count(), data_.type(), data_.op(), 0, comm_);
    MPI_Bcast(data_.receive(), data_.count(), data_.type(), 0, comm_);
  }
};

const MockUp<AllreduceByReduceBcast> allreduce_by_reduce_bcast;

/// Parts of the result in whole chunks are gathered on all ranks.
class AllreduceByReduceScatterAllgatherv : public Emulation<Reduction> {
 public:
  static constexpr Descriptor descriptor =
      describe("allreduce-by-reduce-scatter-allgatherv",
               "MPI_Reduce_scatter and MPI_Allgatherv of parts of four elements times some, until "
               "the last rank has all");
  static constexpr std::string_view guideline = "allreduce <= reduce-scatter + allgatherv";
  using Emulation::Emulation;

  void run() {
    void* own = at(data_.receive(), parts_.displacements[static_cast<std::size_t>(rank_)], extent_);
    MPI_Reduce_scatter(data_.send(), own, parts_.counts.data(), data_.type(), data_.op(), comm_);
    MPI_Allgatherv(MPI_IN_PLACE, 0, data_.type(), data_.receive(), parts_.counts.data(),
                   parts_.displacements.data(), data_.type(), comm_);
  }

 private:
  Division parts_ = chunks_of_four(data_.count(), size_);
};

const MockUp<AllreduceByReduceScatterAllgatherv> allreduce_by_reduce_scatter_allgatherv;

/// Equal parts of the result are gathered on all ranks; an indivisible vector is padded.
class AllreduceByReduceScatterBlockAllgather : public Emulation<Reduction> {
 public:
  static constexpr Descriptor descriptor = describe(
      "allreduce-by-reduce-scatter-block-allgather",
      "MPI_Reduce_scatter_block and MPI_Allgather of padded parts, until the last rank has all");
  static constexpr std::string_view guideline = "allreduce <= reduce-scatter-block + allgather";
  using Emulation::Emulation;

  void run() {
    const int part = padded_part(data_.count());
    const bool is_padded = part * size_ != data_.count();
    if (is_padded) copy_and_pad(data_.send(), auxiliary_.data(), data_.count(), part * size_);
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
  Buffer auxiliary_ = auxiliary(std::int64_t{padded_part(data_.count())} * size_);
  Buffer own_ = auxiliary(padded_part(data_.count()));
};

const MockUp<AllreduceByReduceScatterBlockAllgather> allreduce_by_reduce_scatter_block_allgather;

/// A rank that has the sum over all ranks knows that all have entered.
class BarrierByAllreduce {
 public:
  static constexpr Descriptor descriptor{
      .name = "barrier-by-allreduce",
      .summary = "MPI_Allreduce of one number over all ranks, until the last one has it",
      .counts = "nothing, as the operation whose work it does",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sized = false,
      .sizes = "nothing: there is one size, 0"};
  static constexpr std::string_view guideline = "barrier <= allreduce of one element";

  static Volume volume(const Point&) { return {.operations = 1}; }

  BarrierByAllreduce(const Context& context, const Point&)
      : comm_(context.comm), size_(context.size) {}

  void run() { MPI_Allreduce(&one_, &sum_, 1, MPI_INT, MPI_SUM, comm_); }

  void refill(std::uint64_t) { sum_ = 0; }
  [[nodiscard]] bool verify(std::uint64_t) const { return sum_ == size_; }

 private:
  MPI_Comm comm_;
  int size_;
  int one_ = 1;
  int sum_ = 0;
};

const MockUp<BarrierByAllreduce> barrier_by_allreduce;

/// All ranks have the whole result; each keeps its block.
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

/// One rank has the whole result and scatters the blocks.
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

/// By the call that allows different parts, with equal parts.
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

/// All ranks have the whole result; each keeps its part.
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

/// One rank has the whole result and scatters the parts.
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
