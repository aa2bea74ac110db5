#include "benchmarks/harness/rank_groups.hpp"
#include "benchmarks/operations/mockups/emulation.hpp"

namespace hockney::benchmarks {
namespace {

/// All blocks as one vector, to which every rank contributes zeros and its own block.
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

/// The own block for everybody, once for each.
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

/// All blocks on one rank, and from there to all.
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
  /// Where the block of a rank is when they are in order of groups.
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

}  // namespace

}  // namespace hockney::benchmarks
