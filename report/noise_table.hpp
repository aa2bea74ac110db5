#pragma once

#include <ostream>
#include <span>

#include "core/record.hpp"

namespace hockney::report {

/// What was stolen from cores (core/noise.hpp), nothing where it was not recorded: first the middle
/// of all cores and the noisiest, then a row for each of the noisiest cores of a setting: how much
/// was stolen [%], interruptions in a second, how long the usual and the longest took [us], and
/// their periods [ms]. Of several launches the median over launches, with intervals from six on; of
/// one the median over the parts of the recording, with its interval.
void print_noise_tables(std::ostream& out, std::span<const Record> records,
                        double level = default_level);

}  // namespace hockney::report
