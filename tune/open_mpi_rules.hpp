#pragma once

#include <string>
#include <vector>

#include "tune/open_mpi_names.hpp"
#include "tune/rules.hpp"

namespace hockney::tune {

/// The classic rules file of coll/tuned, which Open MPI 4.1 and 5.0 read: by Open MPI's own size
/// keys (tune/target.hpp), number 0 for its own decision. Comments are lines before the rules.
/// Every choice has a number (tune/selection_file.hpp). Where one limits its requests the file is
/// of version 2, which 4.1.8 and 5.0.7 were the first to read: its first line says so, and rules
/// may have a fifth column.
std::string open_mpi_rules_file(const Rules& keyed, const std::vector<std::string>& comments);

/// Reads versions 1 and 2, with numbers and blanks as Open MPI takes them. Stricter than Open MPI,
/// which ignores a whole file or skips words silently. InputError with file and line for: a missing
/// or malformed number, an operation without algorithms or named twice, an algorithm or version
/// that `release` does not have, rules that do not ascend or do not begin at size 0.
Rules read_open_mpi_rules(const std::string& text, const std::string& file,
                          const OpenMpiRelease& release = {});

}  // namespace hockney::tune
