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

/// Runs ping-pong on the platform, through `hockney run` and `hockney fit --json`, and returns the
/// fits. `arguments` are those of hockney-pingpong, `settings` further options of smpirun.
std::vector<JsonNode> fits_of_simulation(const Platform& platform,
                                         const std::vector<std::string>& arguments,
                                         const std::vector<std::string>& settings = {});

/// The one fit of ping-pong over `sizes`.
JsonNode fit_of_simulation(const Platform& platform, const std::string& sizes,
                           const std::vector<std::string>& settings = {});

}  // namespace hockney
