#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tune/rules.hpp"

namespace hockney::tune {

// The numbers of Open MPI's coll/tuned: of operations in its rules files, and of algorithms in 4.1,
// 5.0 and 6.0, which only added to them (`ompi_info --param coll tuned --level 9`).

/// nullopt for an operation without algorithms to choose from.
std::optional<int> open_mpi_collective(const std::string& operation);

/// nullopt for a number of none.
std::optional<std::string> open_mpi_operation(int collective);

/// The algorithms of an operation, in order of their numbers from 1 on.
const std::vector<std::string>& open_mpi_algorithms(const std::string& operation);

/// The number of a choice: the one it brings, or that of its name. nullopt where neither is known.
std::optional<int> open_mpi_number(const std::string& operation, const Choice& choice);

/// The name of a number, or the number as a text.
std::string open_mpi_name(const std::string& operation, int number);

}  // namespace hockney::tune
