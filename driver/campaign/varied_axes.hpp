#pragma once

#include <string>
#include <vector>

#include "driver/campaign/config.hpp"
#include "driver/campaign/sweep.hpp"

namespace hockney::campaign {

// Axes that a command line adds to a campaign (--vary), or replaces in it.

/// Gives an axis of a sweep other values. Conditions lose those that are no longer there.
void put_values(Sweep& sweep, Axis& axis, std::vector<AxisValue> values);

/// Adds an axis for each text "NAME=a,b", in place of one of its name or variable. NAME is an
/// environment variable ("OMPI_MCA_btl"), an option of the program ("--cache"), the number of ranks
/// ("ranks"), or smpirun's ("smpi/bcast"). The value "default" leaves the choice to the library. In
/// a value, '+' is replaced by a comma. If the text has a ';', it separates the values, and they
/// are not changed. Every combination becomes a setting. InputError without a name or values, and
/// if the campaign already has settings without axes.
void vary(Config& config, const std::vector<std::string>& texts);

/// Leaves one value to an axis "ranks". Returns whether there is one.
bool fix_ranks(Config& config, int ranks);

}  // namespace hockney::campaign
