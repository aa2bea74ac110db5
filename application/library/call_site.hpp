#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hockney::profile {

/// Where a call stands in the program, or in a language's binding between the program and this
/// library (Fortran's of MPI libraries call the functions of C).
struct CallSite {
  const void* address = nullptr;  ///< return address
  const char* frame = nullptr;    ///< where the frame of its function ends, the address below it
};

/// A file of code in the memory of the program, and how far from its beginning an address lies.
struct CodePlace {
  std::string module;
  std::int64_t offset = 0;
};

/// nullopt for an address in no file. No symbol is looked for: a large library has hundreds of
/// thousands, and this is asked at the first call from each place.
std::optional<CodePlace> code_place(const void* address);

/// The function that an address is in, as it is exported; empty for one that is not.
std::string_view function_at(std::uint64_t address);

/// Whether a module is part of an MPI library, as libmpi_mpifh.so or libmpichfort.so are.
bool is_mpi_module(std::string_view path);

/// How far above a call's frame its caller's own return address lies on the stack [B]; 0 where that
/// cannot be told. It is the same for all calls that come back to one address, so that the stack is
/// unwound for one of them.
std::ptrdiff_t caller_distance(const CallSite& call);

}  // namespace hockney::profile
