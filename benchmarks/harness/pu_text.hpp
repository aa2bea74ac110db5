#pragma once

#include <string>

#include "placement/topology.hpp"

namespace hockney {

/// A PU as one text and back, to travel between ranks: "os_cpu core l2 l3 package numa...", -1 for
/// a missing cache.
std::string pu_text(const Pu& pu);
Pu read_pu(const std::string& text);

}  // namespace hockney
