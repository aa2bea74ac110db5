#pragma once

#include <vector>

#include "core/record.hpp"

namespace hockney {

/// A visit is calm when its control took at most this much longer than the shortest control of the
/// same point in the same launch. Frequencies wander by a few percent; a busy sibling thread makes
/// the control 1.5 to 2 times longer.
inline constexpr double calm_limit = 1.1;

/// For each visit whether its samples count: it is no warm-up, and among those that are none it was
/// calm. Calm is decided by the control alone, never by the samples, so that nothing is left out
/// for its own value. All are calm where no control was taken.
std::vector<bool> counted_visits(const Series& series);

/// The samples of the visits that count, in the order they were taken; std::logic_error when they
/// were dropped.
std::vector<double> counted_samples(const Series& series);

/// Number and median of the samples that count, of dropped ones too.
CountedSamples counted(const Series& series);

/// Frees the memory of the samples, and of what visits say that is in the summary, and keeps what
/// the samples that count come to.
void drop_samples(Series& series);

}  // namespace hockney
