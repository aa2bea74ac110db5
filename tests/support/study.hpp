#pragma once

#include <algorithm>
#include <cstdlib>

namespace hockney {

/// Whether studies have their full size: HOCKNEY_NIGHTLY is set in the environment.
inline bool is_nightly() { return std::getenv("HOCKNEY_NIGHTLY") != nullptr; }

/// Number of trials in a case tagged [study]: `all` in the nightly run (HOCKNEY_NIGHTLY is set in
/// the environment), a tenth of them otherwise.
inline int trials_of(int all) { return is_nightly() ? all : std::max(all / 10, 1); }

}  // namespace hockney
