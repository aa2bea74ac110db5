#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "components/application/analysis/time_split.hpp"
#include "report/screen.hpp"
#include "report/view.hpp"

namespace hockney::report {

/// A sentence for each run except the reference, and a table of all runs.
Screen screen_of(const applications::Comparison& comparison);

/// One row per run: figures with intervals, and the shares of its time.
View view_of(const applications::Comparison& comparison);

/// Tables of every figure with its interval, of the shares of each run's time, and of its calls.
void print_comparison_tables(std::ostream& out, const applications::Comparison& comparison);

/// The document of `hockney profile compare --json` (docs/reference/json-documents.md).
nlohmann::json to_json(const applications::Comparison& comparison);

}  // namespace hockney::report
