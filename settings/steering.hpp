#pragma once

#include <string>
#include <string_view>

namespace hockney {

/// Whether a variable of the environment steers MPI, or what it is built on, and is no wiring of a
/// launcher's own.
bool steers_mpi(std::string_view variable);

/// Whether an MPI library takes it for a setting (others, such as LD_PRELOAD, are for the linker).
bool asks_for_setting(std::string_view variable);

/// Whether it is read by the launcher, so that the ranks' library need not know it.
bool is_for_launcher(std::string_view variable);

}  // namespace hockney
