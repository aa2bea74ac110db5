#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "application/analysis/comparison.hpp"
#include "report/screens/screen.hpp"

namespace hockney::report {

/// What parts each run from the others: "8 ranks", "8 ranks OMPI_MCA_btl=tcp,self".
std::vector<std::string> run_labels(const applications::Comparison& comparison);

/// A sentence for each run beside the reference, and a table of all of them.
Screen screen_of(const applications::Comparison& comparison);

/// Every figure with its interval, where the time of each run goes, and in which calls.
void print_comparison_tables(std::ostream& out, const applications::Comparison& comparison);

/// The document of `hockney profile compare --json` (docs/profile.md).
nlohmann::json to_json(const applications::Comparison& comparison);

}  // namespace hockney::report
