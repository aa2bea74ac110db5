#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/operations/mockups/emulation.hpp"

namespace hockney::benchmarks {
namespace {

/// Everybody gets what the root alone should.
class GatherByAllgather : public Emulation<GatherData> {
 public:
  static constexpr Descriptor descriptor =
      describe("gather-by-allgather", "MPI_Allgather, until the last rank is through");
  static constexpr std::string_view guideline = "gather <= allgather";
  using Emulation::Emulation;

  void run() {
    const int count = data_.send_count();
    data_.next_root();
    MPI_Allgather(data_.send(nobody), count, data_.type(), data_.receive(), count, data_.type(),
                  comm_);
  }
};

const MockUp<GatherByAllgather> gather_by_allgather;

/// All blocks as one vector, to which every rank contributes zeros and its own block.
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
    copy(data_.send(nobody), at(auxiliary_.data(), std::int64_t{rank_} * count, extent_), count);
    MPI_Reduce(auxiliary_.data(), data_.receive(), static_cast<int>(all), MPI_BYTE, MPI_BOR, root,
               comm_);
  }

 private:
  Buffer auxiliary_ = auxiliary(std::int64_t{size_} * data_.send_count());
};

const MockUp<GatherByReduce> gather_by_reduce;

/// All blocks to all ranks, of which each keeps its own.
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

/// The result of the ranks before, and the own data added.
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

}  // namespace

}  // namespace hockney::benchmarks
