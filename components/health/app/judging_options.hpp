#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "components/health/detection/check.hpp"
#include "core/site_file.hpp"
#include "verdicts/fleet/fleet.hpp"

namespace hockney::health {

/// Whether a pattern of series is about single hosts.
inline bool names_hosts(const std::string& pattern) {
  return pattern.find("host=") != std::string::npos;
}

struct JudgingOptions {
  CheckOptions check;  ///< accepted shifts and maintenance are those of the history
  fleet::FleetOptions fleet;
  std::size_t nights_back = 730;      ///< number of nights read for series
  std::size_t link_nights_back = 31;  ///< number of a point's nights read for nodes and links
  /// Judged series; controls are always read. Series of hosts are judged if it names the key.
  std::string series = "*";
  std::optional<SiteFile> sites{};  ///< racks and switches of the nodes
};

}  // namespace hockney::health
