#pragma once

#include <compare>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tune/rules.hpp"

namespace hockney::tune {

// Numbers in Open MPI's coll/tuned: of operations in rules files, and of algorithms (`ompi_info
// --param coll tuned --level 9`). From 4.1 to 5.0 and 6.0 algorithms were only added.

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

/// The name of one of the 22 collectives in rules files, with or without selectable algorithms;
/// nullopt for another number.
std::optional<std::string> open_mpi_collective_name(int collective);

/// nullopt for an operation without selectable algorithms.
std::optional<int> open_mpi_collective(const std::string& operation);

/// nullopt for an unknown number.
std::optional<std::string> open_mpi_operation(int collective);

/// The algorithms of an operation, in order of their numbers, which start at 1.
const std::vector<std::string>& open_mpi_algorithms(const std::string& operation);

/// The largest number of an algorithm of the operation in that release.
int last_open_mpi_algorithm(const std::string& operation, const OpenMpiRelease& release);

/// The number of a choice: its own, or that of its name. nullopt if neither is known.
std::optional<int> open_mpi_number(const std::string& operation, const Choice& choice);

/// The name of a number, else the number as text.
std::string open_mpi_name(const std::string& operation, int number);

/// The classic rules file of coll/tuned for Open MPI 4.1 and 5.0. It uses Open MPI's size keys
/// (tune/rules.hpp), and the number 0 for its own decision. Comments precede the rules. Every
/// choice has a number (tune/tuning.hpp). If a choice limits its requests, the file has version 2,
/// which needs 4.1.8 or 5.0.7. Version 2 has the version in the first line, and rules may have a
/// fifth column.
std::string open_mpi_rules_file(const Rules& keyed, const std::vector<std::string>& comments);

/// Reads versions 1 and 2, with numbers and blanks as in Open MPI. Stricter than Open MPI, which
/// ignores a whole file or skips words silently. InputError with file and line for:
/// a missing or malformed number; an operation without algorithms or named twice; an algorithm or
/// version that `release` lacks; rules that do not ascend or do not begin at size 0.
Rules read_open_mpi_rules(const std::string& text, const std::string& file,
                          const OpenMpiRelease& release = {});

/// The rules of coll/tuned in the format of Open MPI 6.0. It uses Open MPI's size keys and names of
/// algorithms. Open ranges have no end; decisions of the library are omitted.
nlohmann::json open_mpi_json(const Rules& keyed);

/// InputError with file and key for errors that make Open MPI 6.0 ignore the whole file (an unknown
/// collective, a wrong type). InputError also for entries that it skips silently (an unknown key,
/// an algorithm that `release` lacks).
void check_open_mpi_json(const std::string& text, const std::string& file,
                         const OpenMpiRelease& release);

}  // namespace hockney::tune
