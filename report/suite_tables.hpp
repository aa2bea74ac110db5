#pragma once

#include <array>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "report/rows.hpp"

namespace hockney::report {

/// Layouts of other suites' output. `osu_full` is that of OMB's option -f.
enum class SuiteLayout { osu, osu_full, imb };

constexpr auto words_of(std::type_identity<SuiteLayout>) {
  return std::to_array<std::string_view>({"osu", "osu-full", "imb"});
}

/// Whether the suite has a benchmark of the operation whose layout is known here.
bool has_suite_table(SuiteLayout layout, const std::string& operation);

/// Prints the rows as the suite prints its results, for scripts that read them; `hockney import`
/// reads the same figures. All figures come from means of all samples. Minima and maxima are those
/// of samples, where OMB's are of the ranks' means. hockney times an operation until the last rank
/// is done, so its mean is IMB's t_min, t_max and t_avg. Points timed as the suite times them take
/// the place of hockney's own. Returns the operations without a table.
std::vector<std::string> print_suite_tables(std::ostream& out, std::span<const Row> rows,
                                            SuiteLayout layout);

}  // namespace hockney::report
