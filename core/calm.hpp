#pragma once

#include <vector>

#include "core/record.hpp"

namespace hockney {

/// A visit is calm when its control took at most this much longer than the shortest control of the
/// same point in the same launch. Frequencies wander by a few percent; a busy sibling thread makes
/// the control 1.5 to 2 times longer.
inline constexpr double calm_limit = 1.1;

/// For each visit whether it was calm: decided by the control alone, never by the samples, so that
/// nothing is left out for its own value. All visits are calm where no control was taken.
std::vector<bool> calm_visits(const Series& series);

/// The samples of the calm visits, in the order they were taken.
std::vector<double> calm_samples(const Series& series);

}  // namespace hockney
