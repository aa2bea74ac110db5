#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/launch_command.hpp"
#include "campaign/launcher_search.hpp"

namespace hockney::campaign {

/// A command that starts MPI programs, with a library to be loaded before each of its ranks.
struct PreloadedCommand {
  Command command;
  MpiFamily family = MpiFamily::openmpi;  ///< of the program, which says which library it is
  std::string library;                    ///< its path
};

/// The file of the library for a family: lib/libhockney-profile-<family>.so beside the folder of
/// the running program. InputError where it was not built.
std::string profile_library(MpiFamily family);

/// The family of the MPI library that a program of the command is linked with, else that of its
/// launcher. InputError where neither can be told, and for a program that is linked statically.
MpiFamily family_of_command(const std::vector<std::string>& words, const VersionProbe& version_of);

/// The command with `variables` and LD_PRELOAD given to its ranks alone, in the way of its
/// launcher; a launcher that is not known has them itself. The first word may be the program.
Command preloaded(const std::vector<std::string>& words, const std::string& library,
                  const std::map<std::string, std::string>& variables,
                  const VersionProbe& version_of);

}  // namespace hockney::campaign
