#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "components/application/library/stack_walk.hpp"
#include "components/application/profile/part.hpp"

namespace hockney::profile {

/// Position of a call in the program, or in a language binding between the program and this
/// library. MPI libraries' Fortran bindings call the C functions.
struct CallSite {
  const void* address = nullptr;  ///< return address
  const char* frame = nullptr;    ///< end of its frame, which contains the address below
};

/// A loaded file of code, and the offset of an address in it.
struct CodePlace {
  std::string module;
  std::int64_t offset = 0;
};

/// nullopt if the address is in no file. Does not search symbols: a large library has hundreds of
/// thousands, and this runs at the first call from each place.
std::optional<CodePlace> code_place(const void* address);

/// Exported name of the function that contains an address; empty if the name is not exported.
std::string_view function_at(std::uint64_t address);

/// Addresses of the code that is loaded.
struct LoadedCode {
  std::uint64_t unloads = 0;  ///< of this process
  std::vector<AddressRange> ranges;

  [[nodiscard]] bool has(std::uint64_t address) const {
    return std::ranges::any_of(ranges, [&](const AddressRange& one) { return one.has(address); });
  }
};

LoadedCode loaded_code();

/// A loaded module, as rows have it.
struct LoadedModule {
  ModuleRow row;
  std::string path;
  std::string build_id;
};

/// The modules with code, unless none was loaded or unloaded since a reading.
struct LoadedModules {
  std::uint64_t seen = 0;  ///< loads and unloads at that reading
  std::uint64_t now = 0;   ///< the same now
  std::vector<LoadedModule> list{};
};

LoadedModules modules_after(std::uint64_t changes);

/// Whether a module belongs to an MPI library, such as libmpi_mpifh.so or libmpichfort.so.
bool is_mpi_module(std::string_view path);

/// Distance on the stack between a call's frame and the return address of its caller [B]; 0 if
/// unknown. All calls with one return address have the same distance, so the stack is unwound once
/// for each.
std::ptrdiff_t caller_distance(const CallSite& call);

}  // namespace hockney::profile
