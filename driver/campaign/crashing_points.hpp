#pragma once

#include <string>
#include <vector>

#include "core/point_choice.hpp"
#include "driver/campaign/manifest.hpp"

namespace hockney::campaign {

/// Where a failed attempt died, as Attempt::died_at: by the dying rank's own words in the log, else
/// by its journal (Record::under_way in attempt.remains). Empty if it died at no point.
std::string where_it_died(const Attempt& attempt);

/// The points that later launches of a setting leave out, with the reason. Two launches that died
/// at one point remove that point. Three that died at several points of a curve remove the curve
/// from the smallest of these sizes on.
std::vector<PointChoice> crashing_points(const Manifest& manifest, const std::string& setting);

/// Whether the attempt died at a point that is left out now, so that another try may succeed. False
/// where more than five choices are left out: then the setting is at fault.
bool is_fixed(const Manifest& manifest, const Attempt& attempt);

/// "reduce memory=cuda at 8 bytes of 'eager': SIGSEGV in libmpi.so.40, left out after 2 launches",
/// a line each.
std::vector<std::string> what_was_left_out(const Manifest& manifest);

}  // namespace hockney::campaign
