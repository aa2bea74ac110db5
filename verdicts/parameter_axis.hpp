#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"

namespace hockney::verdicts {

/// The parameters of measured points of complete launches, in order of the alphabet.
std::vector<std::string> parameters_of(std::span<const Record> records);

/// The launches as if a parameter of their points had been an axis of a sweep: of each complete
/// launch one record for each value, with the points of that value alone, and without the parameter
/// in them. Launches of no campaign are numbered as they come. Settings that lie on no axis are
/// kept apart by an axis "setting".
std::vector<Record> as_axis(std::span<const Record> records, const std::string& parameter);

}  // namespace hockney::verdicts
