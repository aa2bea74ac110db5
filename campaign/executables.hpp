#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hockney {

/// The folders of PATH, or of another variable like it, in order.
std::vector<std::string> path_folders(const char* variable = "PATH");

/// The folder of the running program.
std::string own_folder();

/// The first of `folders` that holds an executable file `name`; a name with a slash is taken as it
/// is. nullopt when there is none.
std::optional<std::string> find_executable(const std::string& name,
                                           const std::vector<std::string>& folders);

/// The program of a config: a path relative to the config's folder, or a name searched for in
/// `executable_folders`, beside the driver, and in PATH. InputError naming the places when it is in
/// none of them. Returns an absolute path.
std::string find_program(const std::string& program, const std::string& config_folder,
                         const std::vector<std::string>& executable_folders);

}  // namespace hockney
