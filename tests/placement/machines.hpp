#pragma once

#include <string>

#include "placement/machine.hpp"

namespace hockney::placement {

/// A machine of the fixtures; how each was made stands in tests/fixtures/topologies/README.md.
inline Topology fixture(const std::string& name) {
  return read_xml_topology(std::string(HOCKNEY_SOURCE_DIR "/tests/fixtures/topologies/") + name +
                           ".xml");
}

inline Topology machine(const std::string& text) { return read_synthetic_topology(text); }

/// Machines of different build, small enough to try everything on.
inline std::vector<Topology> small_machines() {
  return {
      machine("pu:1"),
      machine("pu:4"),
      machine("pack:2 core:1 pu:1"),
      machine("pack:1 l3:1 core:2 pu:2"),
      machine("pack:2 numa:2 l3:1 core:2 pu:1"),
      machine("pack:2 l3:2 l2:1 core:2 pu:1"),
      machine("numa:2 pack:2 core:2 pu:1"),
      fixture("hybrid"),
      fixture("core-kinds"),
      fixture("xeon-interleaved"),
      fixture("tiered-memory"),
      fixture("cgroup"),
  };
}

}  // namespace hockney::placement
