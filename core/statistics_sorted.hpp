#pragma once

#include <span>
#include <vector>

namespace hockney {

/// The samples in ascending order; InputError when one of them is not a finite number, because no
/// order statistic of such samples means anything.
std::vector<double> sorted_finite(std::span<const double> samples);

}  // namespace hockney
