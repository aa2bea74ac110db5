#pragma once

#include <string>

#include "application/where/whereabouts.hpp"

namespace hockney::where {

/// The CPUs of this node that the job may use, whatever its ranks are bound to, those of its
/// launcher, and processes of others that use CPU time. Takes a third of a second and lets this
/// process run anywhere afterwards.
NodeCpus node_around(const std::string& host);

}  // namespace hockney::where
