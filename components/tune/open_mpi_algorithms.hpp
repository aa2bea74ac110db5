#pragma once

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "components/tune/rules.hpp"

namespace hockney::tune {

/// A release of Open MPI. The default is newer than all.
struct OpenMpiRelease {
  int major = 99;
  int minor = 0;
  int patch = 0;

  auto operator<=>(const OpenMpiRelease&) const = default;
};

/// The release in the library's description, "Open MPI v4.1.4, package: ..."; the default if it has
/// none.
OpenMpiRelease open_mpi_release(std::string_view library);

/// The name in messages: "Open MPI 4.1"; "Open MPI" for the default.
std::string title(const OpenMpiRelease& release);

/// The number in rules files; nullopt for an operation without selectable algorithms.
std::optional<int> open_mpi_collective(const std::string& operation);

/// The algorithms of an operation, in order of their numbers, which start at 1.
std::span<const std::string_view> open_mpi_algorithms(const std::string& operation);

/// The largest number of an algorithm of the operation in that release.
int last_open_mpi_algorithm(const std::string& operation, const OpenMpiRelease& release);

/// The number of a choice: its own, or that of its name. nullopt if neither is known.
std::optional<int> open_mpi_number(const std::string& operation, const Choice& choice);

/// The name of a number, else the number as text.
std::string open_mpi_name(const std::string& operation, int number);

}  // namespace hockney::tune
