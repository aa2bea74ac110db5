#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "components/application/analysis/communication.hpp"
#include "components/application/analysis/waits.hpp"
#include "components/application/screens/profile_report.hpp"
#include "report/view.hpp"

namespace hockney::report {

// Result views of a profile, each defined once for tables, pages, CSV and JSON.

/// Columns for messages, or calls with data; `volume_of` returns the volume of an item.
template <class Item, class Volumes>
void add_byte_columns(Columns<Item>& columns, Volumes volume_of) {
  using applications::Volume;
  const auto add = [&](Heading heading, auto value) {
    columns.push_back({std::move(heading), [=](const Item& item) -> Value {
                         return std::invoke(value, volume_of(item));
                       }});
  };
  add({"bytes", "bytes", Unit::bytes}, &Volume::bytes);
  add({"min_bytes", "smallest", Unit::bytes}, &Volume::min_bytes);
  add({"mean_bytes", "mean size", Unit::bytes}, &Volume::mean_bytes);
  add({"max_bytes", "largest", Unit::bytes}, &Volume::max_bytes);
}

View view_of_calls(const ProfileView& view, const std::vector<applications::FunctionCalls>& calls);
View view_of_sites(const ProfileView& view);
View view_of_sizes(const ProfileView& view);
/// Includes regions without calls. Empty if the program has no regions.
View view_of_regions(const ProfileView& view);
/// Parallel regions of OpenMP, those of most time first.
View view_of_parallel_regions(const ProfileView& view);
View view_of_ranks(const ProfileView& view);

/// One row per pair with messages, in both directions. `names`: of the matrix's rows. Without
/// `seconds`, the time of the run, there are no rates.
View view_of_matrix(const applications::MessageMatrix& matrix,
                    const std::vector<std::string>& names, std::optional<double> seconds);

// From a replay of the log: reasons for the time in MPI [s].

View view_of_site_waits(const ProfileView& view, const applications::ReplaySplit& split);
View view_of_region_waits(const ProfileView& view, const applications::ReplaySplit& split);
View view_of_rank_waits(const std::vector<applications::SplitTimes>& ranks);
/// By the hosts' clocks; the last row is the sum.
View view_of_clock_waits(const applications::WaitStates& waits);

}  // namespace hockney::report
