#pragma once

#include <string>
#include <vector>

#include "core/algorithm_use.hpp"
#include "core/witness.hpp"
#include "fingerprints/asked.hpp"

namespace hockney {

/// Which algorithm ran at a point of a witness, by the messages where they were counted, or by the
/// library's own word where it refuses to substitute. `log` is what the launch printed that began
/// the point, or was to begin it.
AlgorithmUse judge_witness(const Witness& witness, const WitnessedPoint& point, const AskedWay& way,
                           const std::string& log);

}  // namespace hockney
