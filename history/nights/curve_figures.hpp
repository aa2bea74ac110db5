#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "history/night.hpp"

namespace hockney {

/// What the curves of one setting say in one night, by operation and point:
///   seconds              median over launches, one series for each size
///   bytes_per_second     in its place where a window of messages is timed
///   alpha_seconds        startup of the first segment of the fitted model, the small messages'
///   beta_seconds_per_byte  of its last segment, the large messages'
///                        and both of every segment, where there are several
///   spread               run to run: how far launches differ in all sizes alike [ratio]
///   calm_share           samples that are no detours, of all that count [ratio]
/// Intervals are those over launches. Pairs of one hop class are one series. Operations without MPI
/// (floors) are controls.
std::vector<NightFigure> curve_figures(std::span<const Record> launches,
                                       const std::string& setting);

/// Is it one of the machine's floors, which MPI has no part in?
bool is_floor(const std::string& operation);

}  // namespace hockney
