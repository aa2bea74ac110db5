#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/dialect.hpp"

namespace hockney::campaign {

/// The command that starts MPI jobs here.
struct Launcher {
  LauncherKind kind = LauncherKind::openmpi4;
  std::string command;                ///< path, or a name for PATH to find
  std::optional<MpiFamily> programs;  ///< the MPI of the programs it starts, where known
};

/// One MPI job, before any launcher's dialect.
struct Job {
  int ranks = 1;
  std::map<std::string, std::string> environment;  ///< every rank must see these
  std::vector<std::string> launcher_arguments;     ///< the user's own, after ours
  std::vector<std::string> program;                ///< program and its arguments
  bool as_root = false;                            ///< Open MPI refuses root unless told
};

/// A command line and the variables it needs beside the driver's own environment.
struct Command {
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;
};

/// The very command of a job. No launcher binds: every rank binds itself.
Command launch_command(const Launcher& launcher, const Job& job);

/// A word as a shell reads it, in quotes where it needs them.
std::string shell_word(const std::string& word);

/// A line a shell would run the same way.
std::string to_shell(const Command& command);

}  // namespace hockney::campaign
