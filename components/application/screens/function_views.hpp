#pragma once

#include <ostream>
#include <string>

#include "components/application/analysis/functions.hpp"
#include "components/application/screens/profile_report.hpp"
#include "report/view.hpp"

namespace hockney::report {

// Functions of a profile with samples, for all outputs.

/// "heavy (ring.c:22)"; without debugging information "heavy (ring)".
std::string function_text(const applications::CodeFunction& function);

/// One row per function: computing time, its share with a binomial interval, the slowest rank, and
/// the time in MPI that the function called. Empty without samples.
View view_of_functions(const ProfileView& view);

/// `functions` and `call_tree` of `hockney profile show --json`; null without samples.
nlohmann::json functions_json(const ProfileView& view);
nlohmann::json call_tree_json(const ProfileView& view);

/// Lines by computing time. Empty without debugging information.
View view_of_lines(const ProfileView& view);

/// "functions  heavy (ring.c:22) 78 % of computing (75 .. 81 %), ..."; empty without samples.
std::string functions_words(const ProfileView& view);

/// Number of samples and their cost; empty without samples.
std::string sampling_words(const ProfileView& view);

/// A line per stack: "main;solve;MPI_Waitall 120", for flame graphs of other tools.
void write_folded(std::ostream& out, const applications::SampledFunctions& sampled);

}  // namespace hockney::report
