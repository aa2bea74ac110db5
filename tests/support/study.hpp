#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

namespace hockney {

/// Whether studies have their full size: HOCKNEY_NIGHTLY is set in the environment.
inline bool is_nightly() { return std::getenv("HOCKNEY_NIGHTLY") != nullptr; }

/// Number of trials in a case tagged [study]: `all` in the nightly run (HOCKNEY_NIGHTLY is set in
/// the environment), a tenth of them otherwise.
inline int trials_of(int all) { return is_nightly() ? all : std::max(all / 10, 1); }

/// What a case tagged [study] tries: all of it in the nightly run, the first `some` otherwise.
template <class T>
std::vector<T> first_of(std::size_t some, std::vector<T> all) {
  if (!is_nightly()) all.erase(all.begin() + static_cast<std::ptrdiff_t>(some), all.end());
  return all;
}

}  // namespace hockney
