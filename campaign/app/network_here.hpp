#pragma once

#include <optional>
#include <string>

#include "campaign/folder.hpp"
#include "campaign/launch_command.hpp"
#include "campaign/request.hpp"
#include "core/site_file.hpp"
#include "placement/network/sources.hpp"

namespace hockney::campaign {

/// This machine, whose programs are run under a guardian for at most half a minute.
placement::Machine this_machine();

/// The network for a campaign: of the file that is named, in any format that
/// placement::read_network takes; none for "none"; that which the campaign had before, when it is
/// gone on with; else of what this machine tells, unless its hosts are simulated. InputError as
/// read_network.
std::optional<SiteFile> network_for(const std::string& sites, const Request& request);

}  // namespace hockney::campaign
