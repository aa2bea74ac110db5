#pragma once

#include <cstddef>
#include <string_view>

namespace hockney::profile {

/// Where a call stands in the program, or in a language's binding between the program and this
/// library (Fortran's of MPI libraries call the functions of C).
struct CallSite {
  const void* address = nullptr;  ///< return address
  const char* frame = nullptr;    ///< where the frame of its function ends, the address below it
};

/// Whether a module is part of an MPI library, as libmpi_mpifh.so or libmpichfort.so are.
bool is_mpi_module(std::string_view path);

/// How far above a call's frame its caller's own return address lies on the stack [B]; 0 where that
/// cannot be told. It is the same for all calls that come back to one address, so that the stack is
/// unwound for one of them.
std::ptrdiff_t caller_distance(const CallSite& call);

}  // namespace hockney::profile
