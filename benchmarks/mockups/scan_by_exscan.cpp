#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// The result of the ranks before, and the own data added.
class ScanByExscan : public Emulation<ScanReduction, Conventions{.reduces = true}> {
 public:
  static constexpr Descriptor descriptor =
      describe("scan-by-exscan",
               "MPI_Exscan and MPI_Reduce_local, a copy on the first rank, "
               "until the last rank has its result");
  static constexpr Emulated emulated{.operation = "scan",
                                     .guideline = "scan <= exscan + reduce_local"};
  static Account account(const Point& point) {
    return message_account(point, point.ranks > 1 ? 1 : 0);
  }
  ScanByExscan(const Context& context, const Point& point)
      : Emulation(context, point), auxiliary_(auxiliary(context, bytes(data_.count()))) {
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
  Buffer auxiliary_;
  bool commutes_ = true;
};

const MockUp<ScanByExscan> scan_by_exscan;

}  // namespace
}  // namespace hockney
