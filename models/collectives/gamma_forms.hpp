#pragma once

#include "models/collectives/forms.hpp"

namespace hockney {

/// Trees whose ranks send to several children at once, which takes gamma(children + 1, n) times as
/// long as one message. A time is predicted only where the table has the gammas it needs: the row
/// is zero otherwise. Empty for algorithms that are no such trees.
std::vector<Form> gamma_forms(const std::string& operation, const std::string& algorithm,
                              const GammaTable& gammas);

}  // namespace hockney
