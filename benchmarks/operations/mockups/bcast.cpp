#include "benchmarks/harness/rank_groups.hpp"
#include "benchmarks/operations/mockups/emulation.hpp"

namespace hockney::benchmarks {
namespace {

/// Of all blocks only that of the root is not empty.
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
  /// Displacements: everybody's block begins where the buffer does.
  std::vector<int> nowhere_ = std::vector<int>(static_cast<std::size_t>(size_));
};

const MockUp<BcastByAllgatherv> bcast_by_allgatherv;

/// To one rank of each group, and from there to its group.
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

/// The parts go between the groups side by side, each on its own lane.
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

/// The library's own function, past whatever stands before it: a tool that watches MPI calls must
/// not make them slower. Without a tool both sides are the same.
class BcastByPmpi : public Emulation<BcastData> {
 public:
  static constexpr Descriptor descriptor =
      describe("bcast-by-pmpi", "PMPI_Bcast from the root to all, until the last one has it");
  static constexpr std::string_view guideline = "bcast <= bcast without tools";

  using Emulation::Emulation;

  void run() { PMPI_Bcast(data_.message(), data_.count(), data_.type(), data_.next_root(), comm_); }
};

const MockUp<BcastByPmpi> bcast_by_pmpi;

/// A part to each rank, and all parts to all; a message that cannot be divided is padded.
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

}  // namespace

}  // namespace hockney::benchmarks
