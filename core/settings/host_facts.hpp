#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/provenance.hpp"

namespace hockney {

// What a process knows of itself, its build and its machine without MPI.

#if defined(HOCKNEY_COMPILER)
/// Version, git revision, compiler and flags of this build; in files that CMake tells them
/// (hockney_describe_build).
inline Build build_of_this() {
  return {.version = HOCKNEY_VERSION,
          .git_revision = HOCKNEY_GIT_REVISION,
          .compiler = HOCKNEY_COMPILER,
          .flags = HOCKNEY_FLAGS};
}
#endif

/// What the operating system says about this machine. Empty texts where it says nothing.
Host read_host(const std::string& name, const std::string& topology_digest,
               const std::string& cpu_model);

/// What tells the place of this node in its network (Host::network): what Slurm told this task, the
/// name of the place on a Cray, the GUIDs of InfiniBand adapters. `root` stands for / in names of
/// files.
std::map<std::string, std::string> read_network_facts(const std::string& root = "");

/// The environment variables of this process that steer MPI libraries, their networks and binding.
std::map<std::string, std::string> steering_environment();

/// The words of this process's command line.
std::vector<std::string> command_line();

}  // namespace hockney
