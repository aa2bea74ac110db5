#pragma once

#include <optional>
#include <string>

#include "apps/screens.hpp"
#include "core/cli/cli11.hpp"
#include "core/error.hpp"

namespace hockney::apps {

/// What `hockney topo --network` is asked.
struct NetworkOptions {
  bool is_asked = false;
  std::string source;                ///< a word, a file or records; empty: whatever there is
  std::optional<std::string> guids;  ///< records or lines of hosts and the GUIDs of their adapters
  std::optional<std::string> topology;   ///< one of topology.yaml
  std::optional<std::string> interface;  ///< on which hosts hear switches
  std::optional<std::string> output;     ///< for a site file
  ScreenChoice screen;
};

void add_network_options(CLI::App& app, NetworkOptions& options);

/// Where hosts are in the network. InputError for a source that cannot be read, and where a site
/// file is wanted and nothing tells what to write into it.
ExitCode show_network(const NetworkOptions& options, bool json);

}  // namespace hockney::apps
