#pragma once

#include <vector>

namespace hockney::placement {

/// Where a density of positive values has its valleys, in ascending order: between two of them the
/// values are of one kind. Estimated on their logarithms with Gaussian kernels, whose width is
/// Silverman's for the values at hand (Density Estimation, 1986, eq. 3.31): first for all, then
/// anew within each part, so that kinds which are close are told apart beside those that are far.
/// Kernels are never narrower than 1 %: what is closer is one kind. Of fewer than 30 values the
/// width is that of the spread beside their widest gap; five or fewer have no valley. InputError
/// for a value that is not finite and above 0.
std::vector<double> density_valleys(std::vector<double> values);

}  // namespace hockney::placement
