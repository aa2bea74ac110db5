#pragma once

#include <string>
#include <vector>

#include "campaign/config.hpp"

namespace hockney {

/// The axis of "NAME=a,b": values of a variable of the environment ("OMPI_MCA_btl"), of an option
/// of the program ("--cache"), of the number of ranks ("ranks"), or of smpirun ("smpi/bcast").
/// "default" leaves the choice to the library, and "ask" asks it for all values there are. A '+' in
/// a value stands for a comma; with ';' anywhere values are parted by it and taken as they are.
/// InputError for what has no name or no values.
Axis varied_axis(const std::string& text);

/// Makes settings of such texts, every combination of them, for a campaign that has none of its
/// own. InputError for one that has.
void vary(CampaignConfig& config, const std::vector<std::string>& texts);

}  // namespace hockney
