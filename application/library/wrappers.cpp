// Defines MPI_X and PMPI_X for every function X of profile/calls.def that mpi.h declares; which
// these are, CMake finds out (HOCKNEY_WRAPPED). Each is another name of the instance of Entry whose
// parameters are those of mpi.h.

#include <mpi.h>

#include "application/library/wrapper.hpp"

// NOLINTBEGIN(bugprone-macro-parentheses,cppcoreguidelines-macro-usage)
#define HOCKNEY_WRAP_NAME(function, name, type)                                       \
  namespace hockney::profile {                                                        \
  struct Text##name {                                                                 \
    static constexpr const char* text = #name;                                        \
  };                                                                                  \
  }                                                                                   \
  HOCKNEY_NAMED(name, (&hockney::profile::Entry<hockney::profile::Function::function, \
                                                hockney::profile::Text##name, type>::run))

#define HOCKNEY_WRAP(function, name)                            \
  HOCKNEY_WRAP_NAME(function, MPI_##name, decltype(MPI_##name)) \
  HOCKNEY_WRAP_NAME(function, PMPI_##name, decltype(MPI_##name))

// Functions of MPI 4 that an older mpi.h does not declare: a newer library may have them.
#define HOCKNEY_WRAP_TYPED(function, type)          \
  HOCKNEY_WRAP_NAME(function, MPI_##function, type) \
  HOCKNEY_WRAP_NAME(function, PMPI_##function, type)
#define HOCKNEY_WRAP_PERSISTENT(function, nonblocking) \
  HOCKNEY_WRAP_TYPED(function, hockney::profile::PersistentType<decltype(MPI_##nonblocking)>::Type)
#define HOCKNEY_WRAP_PARTITIONED(function) HOCKNEY_WRAP_TYPED(function, hockney::profile::function)
// NOLINTEND(bugprone-macro-parentheses,cppcoreguidelines-macro-usage)

namespace hockney::profile {
namespace {

/// The type of a persistent collective, from that of the nonblocking one: before the request it has
/// an MPI_Info.
template <class Nonblocking, class... Before>
struct PersistentType;
template <class... Before>
struct PersistentType<int(MPI_Request*), Before...> {
  using Type = int(Before..., MPI_Info, MPI_Request*);
};
template <class First, class... Rest, class... Before>
struct PersistentType<int(First, Rest...), Before...> {
  using Type = typename PersistentType<int(Rest...), Before..., First>::Type;
};

using Psend_init = int(const void*, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info,
                       MPI_Request*);
using Precv_init = int(void*, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info,
                       MPI_Request*);
using Pready = int(int, MPI_Request);
using Pready_range = int(int, int, MPI_Request);
using Pready_list = int(int, const int*, MPI_Request);
using Parrived = int(MPI_Request, int, int*);

}  // namespace
}  // namespace hockney::profile

#include HOCKNEY_WRAPPED
