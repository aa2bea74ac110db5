#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "tune/rules.hpp"

namespace hockney::tune {

/// The algorithm that a launch's setting forces on an operation: by the variables of its
/// environment (`OMPI_MCA_coll_tuned_*`, `I_MPI_ADJUST_*`, `MPIR_CVAR_*`), with numbers and fan-out
/// as the library says that they are in force; under SimGrid by the value on the axis `algorithm`
/// or on the one named like the operation. nullopt where it forces none.
std::optional<Choice> forced_choice(const Record& launch, const std::string& operation);

/// In what else than the algorithms of operations a setting differs from the default one, so that
/// no selection rule could stand for it: variables, or axes that no variable explains.
std::vector<std::string> other_differences(const Record& launch, const Record& base,
                                           const std::string& operation);

}  // namespace hockney::tune
