#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace hockney::profile {

// The library has no undefined MPI symbols, so that it can be loaded before any program, with or
// without MPI. MPI functions are looked up at their first call.

/// Address of the function that the program would call without this library: the next symbol of
/// that name. If it is missing, that of an MPI library loaded with local symbols, as for a Python
/// extension. nullptr if neither exists.
void* find_symbol(const char* name);

/// The same; if it is missing, aborts the program, as the loader does.
void* find_function(const char* name);

/// A function of MPI or of the C library, looked up by its name at the first call. Thread-safe:
/// concurrent first calls find the same address.
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
/// Before a function of this library that replaces one of the C library or of MPI.
#define HOCKNEY_EXPORT extern "C" __attribute__((visibility("default")))

/// In a replacement: `next`, the function that the program would call without this library.
#define HOCKNEY_NEXT(name, ...) static constinit hockney::profile::Real<__VA_ARGS__> next(#name)

// Exports a function of a source under the name that the program calls. C++ cannot define a
// function with a parameter list that is known only as a type, such as decltype(MPI_Send). Indirect
// functions (attribute ifunc) fail: libraries that bind at once call them before this library is
// relocated.
#define HOCKNEY_NAMED(name, function)                                             \
  extern "C" __attribute__((used)) inline void named_##name() {                   \
    asm volatile(".globl " #name "\n\t.type " #name ", %%function\n\t.set " #name \
                 ", %c0" ::"i"(function));                                        \
  }

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

/// Whether the loaded MPI library has the ABI of MPI 5 (libmpi_abi).
bool has_standard_abi();

/// Type in which an argument is passed on: a full register or stack word. In an MPI library of
/// another family, a parameter that is an int here may be a pointer.
template <class Argument>
using Word = std::conditional_t<std::is_same_v<Argument, int>, std::int64_t, Argument>;

/// An MPI handle of any representation as a number, unique among handles of its type.
template <class Mpi>
std::uint64_t handle_of(Mpi object) {
  std::uint64_t handle = 0;
  static_assert(sizeof object <= sizeof handle);
  std::memcpy(&handle, &object, sizeof object);
  return handle;
}

/// MPI handles that are variables in some libraries.
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
