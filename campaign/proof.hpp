#pragma once

#include <string>
#include <vector>

#include "campaign/launch_command.hpp"
#include "core/record.hpp"

namespace hockney {

/// The settings that a launch asked for, by its environment or by its launcher's --mca, and that
/// the MPI library ignored, one text each: its control variables tell another value or none, the
/// ranks never saw the variable, or the library said so in the log. Messages that took another path
/// than the launch expects count too. Empty for a launch that asks for nothing: what its library
/// says is no answer to it.
std::vector<std::string> ignored_settings(const Command& command, const Record& record,
                                          const std::string& log);

}  // namespace hockney
