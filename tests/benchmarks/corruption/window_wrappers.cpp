#include "tests/benchmarks/corruption/shim.hpp"

/// Calls on windows, before the library's own. What they give is another rank's to receive, so that
/// it is spoiled on its way there; what they bring back is here when a call has completed them.
using namespace hockney::benchmarks::shim;

namespace {

/// What a call will bring back.
struct Awaited {
  MPI_Win window;
  int rank;
  Delivery delivery;
};

std::vector<Awaited>& awaited() {
  static std::vector<Awaited> all;
  return all;
}

int await(int code, MPI_Win window, int rank, const Delivery& delivery) {
  if (active_corruptor() != nullptr) awaited().push_back({window, rank, delivery});
  return code;
}

constexpr int every_rank = -1;

/// The result of a call that has completed all others on the window, or those to one rank.
int complete(int code, MPI_Win window, int rank = every_rank) {
  if (active_corruptor() == nullptr) return code;
  const auto is_complete = [&](const Awaited& one) {
    return one.window == window && (rank == every_rank || one.rank == rank);
  };
  for (const Awaited& one : awaited()) {
    if (is_complete(one)) active_corruptor()->delivered(one.delivery);
  }
  std::erase_if(awaited(), is_complete);
  return code;
}

/// Whether locks are taken. Without one, calls on a window are errors, which must not end the
/// program: it is to be seen that they moved nothing.
bool takes_lock(MPI_Win window) {
  if (active_corruptor() == nullptr || active_corruptor()->takes_locks()) return true;
  PMPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
  return false;
}

}  // namespace

extern "C" {

int MPI_Put(const void* data, int count, MPI_Datatype type, int rank, MPI_Aint place, int placed,
            MPI_Datatype placed_type, MPI_Win window) {
  if (active_corruptor() != nullptr && active_corruptor()->is_late()) return MPI_SUCCESS;
  return PMPI_Put(given(data, count, type), count, type, rank, place, placed, placed_type, window);
}

int MPI_Get(void* buffer, int count, MPI_Datatype type, int rank, MPI_Aint place, int placed,
            MPI_Datatype placed_type, MPI_Win window) {
  const int code = PMPI_Get(buffer, count, type, rank, place, placed, placed_type, window);
  return await(code, window, rank, {buffer, count, type});
}

int MPI_Accumulate(const void* data, int count, MPI_Datatype type, int rank, MPI_Aint place,
                   int placed, MPI_Datatype placed_type, MPI_Op op, MPI_Win window) {
  return PMPI_Accumulate(given(data, count, type), count, type, rank, place, placed, placed_type,
                         op, window);
}

int MPI_Get_accumulate(const void* data, int count, MPI_Datatype type, void* buffer, int received,
                       MPI_Datatype received_type, int rank, MPI_Aint place, int placed,
                       MPI_Datatype placed_type, MPI_Op op, MPI_Win window) {
  const int code = PMPI_Get_accumulate(given(data, count, type), count, type, buffer, received,
                                       received_type, rank, place, placed, placed_type, op, window);
  return await(code, window, rank, {buffer, received, received_type});
}

int MPI_Fetch_and_op(const void* data, void* buffer, MPI_Datatype type, int rank, MPI_Aint place,
                     MPI_Op op, MPI_Win window) {
  const int code = PMPI_Fetch_and_op(given(data, 1, type), buffer, type, rank, place, op, window);
  return await(code, window, rank, {buffer, 1, type});
}

int MPI_Compare_and_swap(const void* data, const void* expected, void* buffer, MPI_Datatype type,
                         int rank, MPI_Aint place, MPI_Win window) {
  const int code = PMPI_Compare_and_swap(given(data, 1, type), given(expected, 1, type), buffer,
                                         type, rank, place, window);
  return await(code, window, rank, {buffer, 1, type});
}

int MPI_Win_fence(int assertion, MPI_Win window) {
  return complete(PMPI_Win_fence(assertion, window), window);
}

int MPI_Win_complete(MPI_Win window) { return complete(PMPI_Win_complete(window), window); }

int MPI_Win_lock(int kind, int rank, int assertion, MPI_Win window) {
  return takes_lock(window) ? PMPI_Win_lock(kind, rank, assertion, window) : MPI_SUCCESS;
}

int MPI_Win_lock_all(int assertion, MPI_Win window) {
  return takes_lock(window) ? PMPI_Win_lock_all(assertion, window) : MPI_SUCCESS;
}

int MPI_Win_unlock(int rank, MPI_Win window) {
  const int code = takes_lock(window) ? PMPI_Win_unlock(rank, window) : MPI_SUCCESS;
  return complete(code, window, rank);
}

int MPI_Win_unlock_all(MPI_Win window) {
  const int code = takes_lock(window) ? PMPI_Win_unlock_all(window) : MPI_SUCCESS;
  return complete(code, window);
}

int MPI_Win_flush(int rank, MPI_Win window) {
  return complete(PMPI_Win_flush(rank, window), window, rank);
}

int MPI_Win_flush_all(MPI_Win window) { return complete(PMPI_Win_flush_all(window), window); }

int MPI_Win_flush_local_all(MPI_Win window) {
  return complete(PMPI_Win_flush_local_all(window), window);
}

int MPI_Win_flush_local(int rank, MPI_Win window) {
  return complete(PMPI_Win_flush_local(rank, window), window, rank);
}

}  // extern "C"
