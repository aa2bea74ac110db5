#pragma once

#include <cstdint>

#include "verdicts/health/check.hpp"

namespace hockney {

/// What one series says by itself, as of `today`: all of SeriesHealth but `controls`. InputError as
/// check_series().
SeriesHealth judge_series(const NightlySeries& series, const CheckOptions& options,
                          std::int64_t today);

}  // namespace hockney
