#pragma once

#include <string>
#include <vector>

#include "components/tune/open_mpi_algorithms.hpp"
#include "components/tune/rules.hpp"

namespace hockney::tune {

/// The classic rules file of coll/tuned for Open MPI 4.1 and 5.0. It uses Open MPI's size keys
/// (core/collectives.hpp), and the number 0 for its own decision. Comments precede the
/// rules. Every choice has a number (components/tune/formats.hpp). If a choice limits its requests,
/// the file has version 2, which needs 4.1.8 or 5.0.7. Version 2 has the version in the first line,
/// and rules may have a fifth column.
std::string open_mpi_rules_file(const Rules& keyed, const std::vector<std::string>& comments);

/// Reads versions 1 and 2, with numbers and blanks as in Open MPI. Stricter than Open MPI, which
/// ignores a whole file or skips words silently. InputError with file and line for:
/// a missing or malformed number; an operation without algorithms or named twice; an algorithm or
/// version that `release` lacks; rules that do not ascend or do not begin at size 0.
Rules read_open_mpi_rules(const std::string& text, const std::string& file,
                          const OpenMpiRelease& release = {});

}  // namespace hockney::tune
