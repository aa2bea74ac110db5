#include "benchmarks/harness/created_communicators.hpp"

namespace hockney::benchmarks {
namespace {

/// The same ranks once more.
struct Dup {
  static constexpr CommWords words{.name = "comm-dup",
                                   .function = "MPI_Comm_dup of the communicator of all ranks"};

  explicit Dup(const Context& context) : parent(context.comm) {}

  [[nodiscard]] int make(MPI_Comm* made) const { return MPI_Comm_dup(parent, made); }
  [[nodiscard]] bool is_right(MPI_Comm made) const {
    int size = 0;
    MPI_Comm_size(parent, &size);
    return has_ranks(made, parent, ranks_in_order(size));
  }

  MPI_Comm parent;
};

/// The same without waiting in the call.
struct Idup : Dup {
  static constexpr CommWords words{
      .name = "comm-idup",
      .function = "MPI_Comm_idup of the communicator of all ranks, and MPI_Wait"};

  using Dup::Dup;

  [[nodiscard]] int make(MPI_Comm* made) const {
    MPI_Request request = MPI_REQUEST_NULL;
    const int result = MPI_Comm_idup(parent, made, &request);
    return result == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : result;
  }
};

const Registration<CommCreation<Dup>> comm_dup;
const Registration<CommFreeing<Dup>> comm_dup_free;
const Registration<CommCreation<Idup>> comm_idup;

}  // namespace
}  // namespace hockney::benchmarks
