#pragma once

#include <string>
#include <vector>

#include "tune/rules.hpp"

namespace hockney::tune {

/// A list for SimGrid, which takes one algorithm of an operation for a whole run: a line for each
/// range of ranks and sizes, with the option of smpirun that it wants, or - for its own decision.
std::string smpi_list(const Rules& rules, const std::vector<std::string>& comments);

/// The rules of such a list. InputError naming file and line.
Rules read_smpi_list(const std::string& text, const std::string& file);

/// "--cfg=smpi/bcast:binomial_tree"; empty for SimGrid's own decision.
std::string smpi_option(const std::string& operation, const Choice& choice);

}  // namespace hockney::tune
