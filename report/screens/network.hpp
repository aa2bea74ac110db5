#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "placement/network/sources.hpp"
#include "report/screens/screen.hpp"

namespace hockney::report {

/// What `hockney topo --network` has to say.
struct NetworkView {
  std::optional<placement::FoundNetwork> found;  ///< nullopt: no source told anything
  std::vector<placement::UnusedSource> unused;
  std::string asked;  ///< the source as it was named, with options; empty: whatever there is
};

/// Where hosts are, from what, the hop classes, and why other sources were not used.
Screen screen_of(const NetworkView& view);

/// Every host with its sites, then what was left out of the network.
void print_network_table(std::ostream& out, const NetworkView& view);

/// `hockney.network/1` (docs/placement.md).
nlohmann::json to_json(const NetworkView& view);

}  // namespace hockney::report
