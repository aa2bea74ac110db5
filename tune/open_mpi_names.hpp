#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tune/rules.hpp"

namespace hockney::tune {

// The numbers of Open MPI's coll/tuned: of operations in its rules files, and of algorithms in 4.1,
// 5.0 and 6.0, which only added to them (`ompi_info --param coll tuned --level 9`).

/// A release of Open MPI. The default is newer than any.
struct OpenMpiRelease {
  int major = 99;
  int minor = 0;
  int patch = 0;

  auto operator<=>(const OpenMpiRelease&) const = default;
};

/// The release in how the library describes itself, "Open MPI v4.1.4, package: ..."; the default
/// where it says none.
OpenMpiRelease open_mpi_release(std::string_view library);

/// For people: "Open MPI 4.1", and "Open MPI" of the default.
std::string title(const OpenMpiRelease& release);

/// The name of one of the 22 collectives that rules files count, with algorithms to choose from or
/// without; nullopt for another number.
std::optional<std::string> open_mpi_collective_name(int collective);

/// nullopt for an operation without algorithms to choose from.
std::optional<int> open_mpi_collective(const std::string& operation);

/// nullopt for a number of none.
std::optional<std::string> open_mpi_operation(int collective);

/// The algorithms of an operation, in order of their numbers from 1 on.
const std::vector<std::string>& open_mpi_algorithms(const std::string& operation);

/// The largest number of an algorithm of the operation in that release.
int last_open_mpi_algorithm(const std::string& operation, const OpenMpiRelease& release);

/// The number of a choice: the one it brings, or that of its name. nullopt where neither is known.
std::optional<int> open_mpi_number(const std::string& operation, const Choice& choice);

/// The name of a number, or the number as a text.
std::string open_mpi_name(const std::string& operation, int number);

}  // namespace hockney::tune
