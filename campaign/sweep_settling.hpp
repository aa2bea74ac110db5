#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "campaign/config.hpp"
#include "settings/control_variable.hpp"

namespace hockney {

/// The control variable that a variable of the environment sets, with the values it may have;
/// InputError when the MPI library has none of that name.
using Asker = std::function<ControlVariable(const std::string& variable)>;

/// The sweep with the values of its axes that are to be asked for: the library's default, and every
/// value it lists but the one in force, which is the default, and those the axis excepts.
/// InputError naming the variable when the library lists none.
Sweep resolve_values(const Sweep& sweep, const Asker& ask, const std::string& file);

/// Gives the config the settings its axes make and returns what is skipped. Nothing is done to a
/// config that is expanded. InputError when nothing is left to launch.
std::vector<SkippedCombination> settle_sweep(CampaignConfig& config, std::uint64_t seed,
                                             const Asker& ask, const std::string& file);

}  // namespace hockney
