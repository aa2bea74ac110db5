#pragma once

#include <string>

#include "selection/evidence.hpp"
#include "selection/target.hpp"

namespace hockney {

/// Why a target's files cannot say a choice for an operation; empty where they can.
std::string why_unsayable(Target target, const std::string& operation, const Choice& choice);

/// Leaves out the candidates that the target cannot say, with the reason. A default setting that
/// it cannot say becomes the library's own decision.
void keep_sayable(Target target, Evidence& evidence);

}  // namespace hockney
