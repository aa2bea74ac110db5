#pragma once

#include <map>
#include <string>

#include "core/provenance.hpp"

namespace hockney {

/// What the operating system says about this machine. Empty texts where it says nothing.
Host read_host(const std::string& name, const std::string& topology_digest,
               const std::string& cpu_model);

/// A host as one text and back, to travel between ranks.
std::string pack(const Host& host);
Host unpack_host(const std::string& text);

/// The environment variables of this process that steer MPI libraries, their networks and binding.
std::map<std::string, std::string> steering_environment();

/// The words of this process's command line.
std::vector<std::string> command_line();

}  // namespace hockney
