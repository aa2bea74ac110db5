#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "components/application/analysis/replay_split.hpp"
#include "components/application/analysis/time_split.hpp"
#include "components/application/projection/projection.hpp"
#include "report/screen.hpp"
#include "report/view.hpp"

namespace hockney::report {

/// Shares of the time at one number of ranks.
struct ScalingShares {
  std::size_t launches = 0;
  double computing = 0;
  std::optional<double> load_imbalance;  ///< nullopt for a kernel
  double communication = 0;
  std::string way;  ///< fastest variant of a kernel, "persistent, computing during"; else empty
  std::optional<applications::ReplaySplit> split;  ///< of an additional launch with a log
};

/// Shares of a program's launches, by ranks; without a split.
std::map<int, ScalingShares> scaling_shares(const applications::Comparison& comparison);

/// Scaling of a program or a kernel, measured and extrapolated.
struct ScalingView {
  std::vector<std::string> words;  ///< command, "{}" for the ranks; or the kernel and its point
  std::string folder;              ///< of the launches
  double efficiency = 0;           ///< requested efficiency
  projection::Problem problem = projection::Problem::same;
  std::map<int, ScalingShares> shares;                 ///< by measured number of ranks
  std::optional<applications::Comparison> comparison;  ///< of a program's launches
  projection::ScalingStudy study;
  std::vector<std::string> doubts;
  std::string oversubscribed{};  ///< launches whose ranks share CPUs; empty: none
};

/// The most ranks with the requested efficiency. Then a table of time, speed-up, efficiency and
/// shares of the time for each number of ranks.
Screen screen_of(const ScalingView& view);

/// One row per number of ranks, measured or extrapolated.
View view_of(const ScalingView& view);

/// The document `hockney.scaling/1` (docs/reference/json-documents.md).
nlohmann::json to_json(const ScalingView& view);

}  // namespace hockney::report
