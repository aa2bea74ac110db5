#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"

namespace hockney::driver {

/// Prints the configs that can be named: those for the MPI library of the programs in
/// `executable_folders` or beside the driver, without experiments of hockney; or all of them, if
/// `which` is "all". InputError if it is another word.
ExitCode list_configs(const std::string& which, const std::vector<std::string>& executable_folders);

}  // namespace hockney::driver
