#pragma once

#include <compare>
#include <nlohmann/json_fwd.hpp>
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

/// The classic rules file of coll/tuned, which Open MPI 4.1 and 5.0 read: by Open MPI's own size
/// keys (tune/rules.hpp), number 0 for its own decision. Comments are lines before the rules.
/// Every choice has a number (tune/tuning.hpp). Where one limits its requests the file is
/// of version 2, which 4.1.8 and 5.0.7 were the first to read: its first line says so, and rules
/// may have a fifth column.
std::string open_mpi_rules_file(const Rules& keyed, const std::vector<std::string>& comments);

/// Reads versions 1 and 2, with numbers and blanks as Open MPI takes them. Stricter than Open MPI,
/// which ignores a whole file or skips words silently. InputError with file and line for: a missing
/// or malformed number, an operation without algorithms or named twice, an algorithm or version
/// that `release` does not have, rules that do not ascend or do not begin at size 0.
Rules read_open_mpi_rules(const std::string& text, const std::string& file,
                          const OpenMpiRelease& release = {});

/// The rules of coll/tuned as Open MPI 6.0 reads them: by Open MPI's own size keys, algorithms by
/// name, what has no end without one, nothing where the library decides.
nlohmann::json open_mpi_json(const Rules& keyed);

/// InputError with file and key for what makes Open MPI 6.0 ignore the whole file (an unknown
/// collective, a wrong type), and for what it skips silently (an unknown key, an algorithm that
/// `release` does not have).
void check_open_mpi_json(const std::string& text, const std::string& file,
                         const OpenMpiRelease& release);

}  // namespace hockney::tune
