#pragma once

#include <mpi.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <vector>

#include "tests/benchmarks/corruption/corruptor.hpp"

/// What the functions share that stand before the library's own.
namespace hockney::benchmarks::shim {

using hockney::benchmarks::active_corruptor;
using hockney::benchmarks::Delivery;

/// A receive under way.
struct Pending {
  MPI_Request request;
  Delivery delivery;
};

/// Those that this thread has begun, and will wait for. Between the end of a request in MPI and
/// here another thread may be given its handle.
inline std::vector<Pending>& pending() {
  thread_local std::vector<Pending> own;
  return own;
}

/// Held while one of several threads that call MPI uses the corruptor.
inline std::mutex& turn() {
  static std::mutex mutex;
  return mutex;
}

/// The result of a call that will fill a buffer.
inline int begin(int code, MPI_Request request, const Delivery& delivery) {
  const std::scoped_lock lock(turn());
  if (active_corruptor() != nullptr) pending().push_back({request, delivery});
  return code;
}

/// The result of a call that has filled a buffer.
inline int finish(int code, const Delivery& delivery) {
  const std::scoped_lock lock(turn());
  if (active_corruptor() != nullptr) active_corruptor()->delivered(delivery);
  return code;
}

/// Delivers what the requests stood for that have been waited for, each perhaps several blocks.
inline void finish_all(const std::vector<MPI_Request>& requests) {
  const std::scoped_lock lock(turn());
  if (active_corruptor() == nullptr) return;
  for (MPI_Request request : requests) {
    for (const Pending& one : pending()) {
      if (one.request == request) active_corruptor()->delivered(one.delivery);
    }
    std::erase_if(pending(), [&](const Pending& one) { return one.request == request; });
  }
}

/// What is given to another rank's memory, or into a file.
inline const void* given(const void* data, int count, MPI_Datatype type) {
  return active_corruptor() == nullptr ? data : active_corruptor()->given(data, count, type);
}

/// What a rank gives to a reduction; in place it is in the receive buffer.
inline const void* contribution(const void* send, void* buffer, int count, MPI_Datatype type) {
  const std::scoped_lock lock(turn());
  if (active_corruptor() == nullptr) return send;
  if (send != MPI_IN_PLACE) return active_corruptor()->contribution(send, count, type);
  active_corruptor()->poison_contribution({buffer, count, type});
  return send;
}

inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

inline int size_of(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return size;
}

inline int sum_of(const int* counts, MPI_Comm comm) {
  return std::accumulate(counts, counts + size_of(comm), 0);
}

inline Delivery received(void* buffer, int count, MPI_Datatype type) {
  return {buffer, count, type};
}

inline Delivery nothing(MPI_Datatype type) { return {nullptr, 0, type}; }

}  // namespace hockney::benchmarks::shim

/// A list of parameters or arguments without its parentheses.
#define HOCKNEY_LIST(...) __VA_ARGS__  // NOLINT(cppcoreguidelines-macro-usage)
