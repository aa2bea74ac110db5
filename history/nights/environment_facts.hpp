#pragma once

#include <span>

#include "core/record.hpp"
#include "history/night.hpp"

namespace hockney {

/// What the launches of one setting ran in: MPI library, its settings, the environment that steers
/// it, hosts, kernels, governors, and the build of hockney. Facts of hosts are the different values
/// of all hosts, joined. A setting that differs between the launches of one night is no fact of the
/// night and left out, as are loads and command lines.
Environment environment_of(std::span<const Record> launches);

}  // namespace hockney
