#pragma once

#include <optional>
#include <string>

#include "profile/profile.hpp"

namespace hockney::profile {

/// What a program left where its profile was to be: the file, or the parts of ranks that ended
/// without MPI_Finalize, which become the file and are removed. nullopt where there is nothing.
/// A part that cannot be read is kept, and said among the notes. RunError when the file cannot be
/// written.
std::optional<Profile> collect(const std::string& file);

}  // namespace hockney::profile
