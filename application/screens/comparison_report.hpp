#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "application/analysis/replay_split.hpp"
#include "application/analysis/time_split.hpp"
#include "application/projection/projection.hpp"
#include "report/screens/screen.hpp"
#include "report/view.hpp"

namespace hockney::report {

/// What parts each run from the others: "8 ranks", "8 ranks OMPI_MCA_btl=tcp,self".
std::vector<std::string> run_labels(const applications::Comparison& comparison);

/// A sentence for each run beside the reference, and a table of all of them.
Screen screen_of(const applications::Comparison& comparison);

/// A row for each run: its figures with intervals, and the shares of its time.
View view_of(const applications::Comparison& comparison);

/// Every figure with its interval, where the time of each run goes, and in which calls.
void print_comparison_tables(std::ostream& out, const applications::Comparison& comparison);

/// The document of `hockney profile compare --json` (docs/reference/json-documents.md).
nlohmann::json to_json(const applications::Comparison& comparison);

/// Where the time goes at one number of ranks, as shares of it.
struct ScalingShares {
  std::size_t launches = 0;
  double computing = 0;
  std::optional<double> load_imbalance;  ///< nullopt of a kernel
  double communication = 0;
  std::string way;  ///< of a kernel, the fastest: "persistent, computing during"; else empty
  std::optional<applications::ReplaySplit> split;  ///< of one more launch, with a log
};

/// Those of launches of programs, by ranks; without a split.
std::map<int, ScalingShares> scaling_shares(const applications::Comparison& comparison);

/// A program, or a kernel, at several numbers of ranks, and beyond.
struct ScalingView {
  std::vector<std::string> words;  ///< the command, "{}" for the ranks; or the kernel and its point
  std::string folder;              ///< of its launches
  double efficiency = 0;           ///< that was asked for
  projection::Problem problem = projection::Problem::same;
  std::map<int, ScalingShares> shares;                 ///< by ranks that were measured
  std::optional<applications::Comparison> comparison;  ///< of a program, its launches
  projection::ScalingStudy study;
  std::vector<std::string> doubts;
  std::string oversubscribed{};  ///< launches whose ranks share CPUs; empty: none
};

/// The most ranks that are efficient enough, and for each number of ranks its time, speed-up and
/// efficiency, and where the time goes.
Screen screen_of(const ScalingView& view);

/// A row for each number of ranks, measured or by the law.
View view_of(const ScalingView& view);

/// The document `hockney.scaling/1` (docs/reference/json-documents.md).
nlohmann::json to_json(const ScalingView& view);

}  // namespace hockney::report
