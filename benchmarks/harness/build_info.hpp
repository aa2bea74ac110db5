#pragma once

#include "core/provenance.hpp"

namespace hockney {

/// Version, git revision, compiler and flags of this build.
Build build_info();

}  // namespace hockney
