#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <cstring>

namespace hockney::profile {

// The library has no reference to MPI of its own, so that it can be loaded before any program, with
// MPI or without. What it needs of MPI is looked up when it is first called.

/// The function that the program would have called without this library: the next of that name, or
/// that of an MPI library which is loaded for one module alone (an extension of Python). nullptr
/// where there is none.
void* find_symbol(const char* name);

/// The same; ends the program where there is none, as the loader does.
void* find_function(const char* name);

/// A function of MPI by its name, looked up at its first call; threads that come first together
/// find the same.
template <class Function>
class Real {
 public:
  constexpr explicit Real(const char* name) : name_(name) {}

  template <class... Arguments>
  auto operator()(Arguments... arguments) {
    return get()(arguments...);
  }

  Function* get() {
    Function* function = function_.load(std::memory_order_relaxed);
    if (function != nullptr) return function;
    function = reinterpret_cast<Function*>(find_function(name_));
    function_.store(function, std::memory_order_relaxed);
    return function;
  }

 private:
  const char* name_;
  std::atomic<Function*> function_ = nullptr;
};

// NOLINTBEGIN(cppcoreguidelines-macro-usage,cppcoreguidelines-avoid-non-const-global-variables)
#define HOCKNEY_REAL(name) inline constinit Real<decltype(PMPI_##name)> name("PMPI_" #name)

namespace real {

HOCKNEY_REAL(Barrier);
HOCKNEY_REAL(Bcast);
HOCKNEY_REAL(Comm_dup);
HOCKNEY_REAL(Comm_free);
HOCKNEY_REAL(Comm_group);
HOCKNEY_REAL(Comm_rank);
HOCKNEY_REAL(Comm_remote_group);
HOCKNEY_REAL(Comm_size);
HOCKNEY_REAL(Comm_test_inter);
HOCKNEY_REAL(Cartdim_get);
HOCKNEY_REAL(Dist_graph_neighbors_count);
HOCKNEY_REAL(Get_count);
HOCKNEY_REAL(Get_elements_x);
HOCKNEY_REAL(Get_library_version);
HOCKNEY_REAL(Get_version);
HOCKNEY_REAL(Graph_neighbors_count);
HOCKNEY_REAL(Group_free);
HOCKNEY_REAL(Group_size);
HOCKNEY_REAL(Group_translate_ranks);
HOCKNEY_REAL(Query_thread);
HOCKNEY_REAL(Recv);
HOCKNEY_REAL(Scatter);
HOCKNEY_REAL(Send);
HOCKNEY_REAL(Topo_test);
HOCKNEY_REAL(Type_size_x);
HOCKNEY_REAL(Win_get_group);
HOCKNEY_REAL(Wtime);

}  // namespace real

#undef HOCKNEY_REAL
// NOLINTEND(cppcoreguidelines-macro-usage,cppcoreguidelines-avoid-non-const-global-variables)

/// Whether the MPI library at hand is one of MPI 5's own ABI (libmpi_abi).
bool has_standard_abi();

/// A handle of MPI, whatever it is, as a number that tells it from others of its kind.
template <class Mpi>
std::uint64_t handle_of(Mpi object) {
  std::uint64_t handle = 0;
  static_assert(sizeof object <= sizeof handle);
  std::memcpy(&handle, &object, sizeof object);
  return handle;
}

/// Handles of MPI that some libraries have as variables.
struct Handles {
  MPI_Comm world;
  MPI_Comm self;
  MPI_Comm no_comm;
  MPI_Datatype byte;
  MPI_Request no_request;
};

/// Looked up once, after MPI has been loaded.
const Handles& handles();

}  // namespace hockney::profile
