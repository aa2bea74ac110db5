#pragma once

#include <string>
#include <vector>

#include "core/json_node.hpp"

namespace hockney {

/// Two hosts and one link between them.
struct Platform {
  double latency_seconds;
  double bytes_per_second;
};

/// The platform for smpirun: hosts h0 and h1.
std::string platform_xml(const Platform& platform);

/// Runs ping-pong over `sizes` on the platform, through `hockney run` and `hockney fit --json`, and
/// returns the one fit. `settings` are further options of smpirun.
JsonNode fit_of_simulation(const Platform& platform, const std::string& sizes,
                           const std::vector<std::string>& settings = {});

}  // namespace hockney
