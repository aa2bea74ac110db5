#include "benchmarks/harness/guidelines.hpp"
#include "benchmarks/harness/rank_groups.hpp"
#include "benchmarks/operations/mockups/emulation.hpp"

namespace hockney::benchmarks {
namespace {

/// The results of the groups are combined between their leaders.
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

/// The parts of the result are combined between the groups side by side.
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

/// The result on one rank, and from there to all.
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

/// Parts of whole chunks of the result, and all parts to all.
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

/// Equal parts of the result, and all parts to all; a vector that cannot be divided is padded.
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

/// Whoever has the sum of all ranks knows that all have come.
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

}  // namespace

}  // namespace hockney::benchmarks
