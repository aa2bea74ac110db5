#pragma once

#include <ostream>
#include <vector>

#include "settings/control_variable.hpp"

namespace hockney {

/// Every variable with its value in force and, below it, the values it may have. A number that has
/// a name is shown by it.
void print_settings_table(std::ostream& out, const std::vector<ControlVariable>& variables);

}  // namespace hockney
