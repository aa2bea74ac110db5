#pragma once

#include <memory>

namespace hockney {

/// While it lives, a collective whose algorithm was asked for and does not fit returns an error.
/// Before, such as in MPI_Init, the library must be allowed to choose for itself.
class FallbackCheck {
 public:
  virtual ~FallbackCheck() = default;
};

/// MPICH's MPIR_CVAR_COLLECTIVE_FALLBACK, which may be changed at any time; nullptr for other
/// libraries. (Intel MPI's check is a variable of the environment.)
std::unique_ptr<FallbackCheck> check_fallbacks();

}  // namespace hockney
