#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/operations/mockups/emulation.hpp"

namespace hockney::benchmarks {
namespace {

/// All blocks are empty except that of the root.
class BcastByAllgatherv : public Emulation<BcastData> {
 public:
  static constexpr Descriptor descriptor =
      describe("bcast-by-allgatherv",
               "MPI_Allgatherv in place, to which the root alone contributes, until the last rank "
               "has the message");
  static constexpr std::string_view guideline = "bcast <= allgatherv";
  using Emulation::Emulation;

  void run() {
    const int root = data_.next_root();
    MPI_Allgatherv(MPI_IN_PLACE, 0, data_.type(), data_.message(), counts_.of(root, data_.count()),
                   nowhere_.data(), data_.type(), comm_);
  }

 private:
  CountsOfRoot counts_{size_};
  /// Displacements: all blocks start at the beginning of the buffer.
  std::vector<int> nowhere_ = std::vector<int>(static_cast<std::size_t>(size_));
};

const MockUp<BcastByAllgatherv> bcast_by_allgatherv;

/// The message is sent to one rank of each group, then within the groups.
class BcastByHierarchy : public Emulation<BcastData> {
 public:
  static constexpr Descriptor descriptor =
      describe("bcast-by-hierarchy",
               "MPI_Bcast between the nodes (or halves of one node) and MPI_Bcast in each, until "
               "the last rank has it");
  static constexpr std::string_view guideline = "bcast <= hierarchical bcast";
  using Emulation::Emulation;

  void run() {
    const GroupPlace& root = groups_.place(data_.next_root());
    if (groups_.place(rank_).local == root.local) {
      MPI_Bcast(data_.message(), data_.count(), data_.type(), root.group, groups_.lane());
    }
    MPI_Bcast(data_.message(), data_.count(), data_.type(), root.local, groups_.group());
  }

 private:
  RankGroups groups_{context_};
};

const MockUp<BcastByHierarchy> bcast_by_hierarchy;

/// Parts of the message are sent between the groups at the same time, each on a separate lane.
class BcastByLanes : public Emulation<BcastData> {
 public:
  static constexpr Descriptor descriptor =
      describe("bcast-by-lanes",
               "MPI_Scatter in the node of the root (or half of one node), MPI_Bcast of each part "
               "between nodes, MPI_Allgather in each");
  static constexpr std::string_view guideline = "bcast <= multi-lane bcast";
  using Emulation::Emulation;

  void run() {
    const GroupPlace& root = groups_.place(data_.next_root());
    const GroupPlace& own = groups_.place(rank_);
    const bool is_root = own.group == root.group && own.local == root.local;
    const int lanes = groups_.group_size();
    const int part = (data_.count() + lanes - 1) / lanes;
    const bool is_padded = part * lanes != data_.count();
    void* all = is_padded ? auxiliary_.data() : data_.message();
    void* mine = at(all, std::int64_t{own.local} * part, extent_);
    if (is_padded && is_root) copy(data_.message(), all, data_.count());
    if (own.group == root.group) {
      MPI_Scatter(all, part, data_.type(), is_root ? MPI_IN_PLACE : mine, part, data_.type(),
                  root.local, groups_.group());
    }
    MPI_Bcast(mine, part, data_.type(), root.group, groups_.lane());
    MPI_Allgather(MPI_IN_PLACE, part, data_.type(), all, part, data_.type(), groups_.group());
    if (is_padded && !is_root) copy(all, data_.message(), data_.count());
  }

 private:
  RankGroups groups_{context_};
  Buffer auxiliary_ = auxiliary(data_.count() + size_);
};

const MockUp<BcastByLanes> bcast_by_lanes;

/// The library's own function, PMPI_Bcast: a tool that intercepts MPI calls must not slow them
/// down. Without a tool both sides are the same.
class BcastByPmpi : public Emulation<BcastData> {
 public:
  static constexpr Descriptor descriptor =
      describe("bcast-by-pmpi", "PMPI_Bcast from the root to all, until the last one has it");
  static constexpr std::string_view guideline = "bcast <= bcast without tools";

  using Emulation::Emulation;

  void run() { PMPI_Bcast(data_.message(), data_.count(), data_.type(), data_.next_root(), comm_); }
};

const MockUp<BcastByPmpi> bcast_by_pmpi;

/// A part is sent to each rank, then all parts to all ranks; an indivisible message is padded.
class BcastByScatterAllgather : public Emulation<BcastData> {
 public:
  static constexpr Descriptor descriptor =
      describe("bcast-by-scatter-allgather",
               "MPI_Scatter of padded parts from the root and MPI_Allgather in place, until the "
               "last rank has all");
  static constexpr std::string_view guideline = "bcast <= scatter + allgather";
  using Emulation::Emulation;

  void run() {
    const int root = data_.next_root();
    const int part = padded_part(data_.count());
    const bool is_padded = part * size_ != data_.count();
    void* all = is_padded ? auxiliary_.data() : data_.message();
    if (is_padded && rank_ == root) copy(data_.message(), all, data_.count());
    void* own = at(all, std::int64_t{rank_} * part, extent_);
    MPI_Scatter(all, part, data_.type(), rank_ == root ? MPI_IN_PLACE : own, part, data_.type(),
                root, comm_);
    MPI_Allgather(MPI_IN_PLACE, part, data_.type(), all, part, data_.type(), comm_);
    if (is_padded && rank_ != root) copy(all, data_.message(), data_.count());
  }

 private:
  Buffer auxiliary_ = auxiliary(std::int64_t{padded_part(data_.count())} * size_);
};

const MockUp<BcastByScatterAllgather> bcast_by_scatter_allgather;

/// All ranks receive the result instead of the root alone.
class GatherByAllgather : public Emulation<GatherData> {
 public:
  static constexpr Descriptor descriptor =
      describe("gather-by-allgather", "MPI_Allgather, until the last rank is through");
  static constexpr std::string_view guideline = "gather <= allgather";
  using Emulation::Emulation;

  void run() {
    const int count = data_.send_count();
    data_.next_root();
    MPI_Allgather(data_.send(no_rank), count, data_.type(), data_.receive(), count, data_.type(),
                  comm_);
  }
};

const MockUp<GatherByAllgather> gather_by_allgather;

/// All blocks form one vector, to which every rank contributes zeros and its block.
class GatherByReduce : public Emulation<GatherData> {
 public:
  static constexpr Descriptor descriptor =
      describe("gather-by-reduce",
               "MPI_Reduce (MPI_BOR) of all blocks, zero but for the own one, until the last rank "
               "is through");
  static constexpr std::string_view guideline = "gather <= reduce";
  using Emulation::Emulation;

  void run() {
    const int root = data_.next_root();
    const int count = data_.send_count();
    const std::size_t all = bytes(std::int64_t{size_} * count);
    std::memset(auxiliary_.data(), 0, all);
    copy(data_.send(no_rank), at(auxiliary_.data(), std::int64_t{rank_} * count, extent_), count);
    MPI_Reduce(auxiliary_.data(), data_.receive(), static_cast<int>(all), MPI_BYTE, MPI_BOR, root,
               comm_);
  }

 private:
  Buffer auxiliary_ = auxiliary(std::int64_t{size_} * data_.send_count());
};

const MockUp<GatherByReduce> gather_by_reduce;

/// All blocks are sent to all ranks; each keeps its own.
class ScatterByBcast : public Emulation<ScatterData> {
 public:
  static constexpr Descriptor descriptor =
      describe("scatter-by-bcast",
               "MPI_Bcast of all blocks and a copy of the own one, until the last rank has it");
  static constexpr std::string_view guideline = "scatter <= bcast";
  using Emulation::Emulation;

  void run() {
    const int root = data_.next_root();
    const int count = data_.receive_count();
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the root's data are only read
    void* all = rank_ == root ? const_cast<void*>(data_.send()) : auxiliary_.data();
    MPI_Bcast(all, size_ * count, data_.type(), root, comm_);
    copy(at(all, std::int64_t{rank_} * count, extent_), data_.receive(root), count);
  }

 private:
  Buffer auxiliary_ = auxiliary(std::int64_t{size_} * data_.receive_count());
};

const MockUp<ScatterByBcast> scatter_by_bcast;

/// The result of the previous ranks, combined with the own data.
class ScanByExscan : public Emulation<ScanReduction> {
 public:
  static constexpr Descriptor descriptor =
      describe("scan-by-exscan",
               "MPI_Exscan and MPI_Reduce_local, a copy on the first rank, "
               "until the last rank has its result");
  static constexpr std::string_view guideline = "scan <= exscan + reduce_local";
  ScanByExscan(const Context& context, const Point& point) : Emulation(context, point) {
    int commutes = 0;
    mpi_check(MPI_Op_commutative(data_.op(), &commutes));
    commutes_ = commutes != 0;
  }

  void run() {
    void* before = commutes_ ? data_.receive() : auxiliary_.data();
    MPI_Exscan(data_.send(), before, data_.count(), data_.type(), data_.op(), comm_);
    if (rank_ == 0 || !commutes_) copy(data_.send(), data_.receive(), data_.count());
    if (rank_ == 0) return;
    MPI_Reduce_local(commutes_ ? data_.send() : before, data_.receive(), data_.count(),
                     data_.type(), data_.op());
  }

 private:
  Buffer auxiliary_ = auxiliary(data_.count());
  bool commutes_ = true;
};

const MockUp<ScanByExscan> scan_by_exscan;

/// All ranks receive the result instead of the root alone.
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

/// The groups' results are combined on the way to the root.
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

/// All parts are empty except that of the root.
class ReduceByReduceScatter : public Emulation<RootedReduction> {
 public:
  static constexpr Descriptor descriptor =
      describe("reduce-by-reduce-scatter",
               "MPI_Reduce_scatter that gives only the root a part, until the last rank ends");
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

/// Equal parts of the result are gathered on the root; an indivisible vector is padded.
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

/// Parts of the result in whole chunks are gathered on the root.
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
