#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "components/application/analysis/time_line.hpp"
#include "components/application/screens/profile_report.hpp"
#include "report/view.hpp"

namespace hockney::report {

// Iterations and time lines for tables, pages, CSV and JSON.

/// The levels of detail: a line of JSON with names and lengths, then EventLevels::bytes.
std::string timeline_bytes(const ProfileView& view);

/// "400 iterations of 12.3 ms (12.1 .. 12.6); the slowest, 31.0 ms, is number 217: rank 3 computes
/// longer".
std::string iteration_words(const applications::Iterations& found);

/// Title of a table of iterations; with the reason if there are none.
std::string iterations_title(const applications::Iterations& found);

inline constexpr std::size_t most_printed_iterations = 20;

/// The `most` slowest iterations, in order.
std::vector<std::size_t> slowest_iterations(const applications::Iterations& iterations,
                                            std::size_t most);

/// One row per iteration of `numbers`, which begin at 0; printed numbers begin at 1.
View view_of_iterations(const applications::Iterations& iterations,
                        const std::vector<std::size_t>& numbers);
/// One row per iteration.
View view_of_iterations(const applications::Iterations& iterations);

/// One row per bin and activity, with the mean number of ranks.
View view_of_activity(const applications::ActivityLine& line);

/// `iterations` and `timeline` of `hockney profile show --json`; null without a log.
nlohmann::json iterations_json(const ProfileView& view);
nlohmann::json timeline_json(const ProfileView& view);

}  // namespace hockney::report
