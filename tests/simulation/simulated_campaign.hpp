#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json_node.hpp"

namespace hockney::simulation {

/// Two hosts and one link between them.
struct Platform {
  double latency_seconds;
  double bytes_per_second;
};

inline constexpr double link_tolerance = 0.001;  ///< of alpha and beta, relative

struct Line {
  double alpha_seconds;
  double beta_seconds_per_byte;
};

/// What the link alone makes of a message, with the 16 bytes that SMPI adds to each.
Line wire(const Platform& platform);

/// Whether a segment of a fit is this line, within the tolerance.
void check_segment(const JsonNode& segment, const Line& truth);

/// The platform for smpirun: hosts h0 and h1.
std::string platform_xml(const Platform& platform);

/// A campaign of ping-pong under smpirun.
struct Simulation {
  Platform platform{1e-6, 1e10};
  std::string platform_file = "two.xml";  ///< of `platform`; or that of another
  std::vector<std::string> arguments;     ///< of hockney-pingpong
  std::vector<std::string> settings;      ///< further options of smpirun
  int launches = 1;
  std::uint64_t seed = 1;
};

/// Runs it, through `hockney run` and `hockney fit --json`, and returns the fits.
std::vector<JsonNode> fits_of_simulation(const Simulation& simulation);

/// The one fit of ping-pong over `sizes`.
JsonNode fit_of_simulation(const Platform& platform, const std::string& sizes,
                           const std::vector<std::string>& settings = {});

}  // namespace hockney::simulation
