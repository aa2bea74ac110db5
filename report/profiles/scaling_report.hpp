#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/applications/comparison.hpp"
#include "models/projection/scaling.hpp"
#include "report/screens/screen.hpp"

namespace hockney::report {

/// A program at several numbers of ranks, and beyond.
struct ScalingView {
  std::vector<std::string> words;  ///< the command, "{}" for the ranks
  std::string folder;              ///< of its launches
  double efficiency = 0;           ///< that was asked for
  applications::Comparison comparison;
  projection::ScalingStudy study;
  std::vector<std::string> doubts;
};

/// The most ranks that are efficient enough, and for each number of ranks its time, speed-up and
/// efficiency, and where the time goes.
Screen screen_of(const ScalingView& view);

/// The document `hockney.scaling/1` (docs/profile.md).
nlohmann::json to_json(const ScalingView& view);

}  // namespace hockney::report
