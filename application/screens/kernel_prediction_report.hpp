#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "application/projection/kernel_prediction.hpp"
#include "report/screens/screen.hpp"

namespace hockney::report {

/// A kernel at numbers of ranks that nobody measured.
struct KernelPredictionView {
  projection::Kernel kernel = projection::Kernel::halo;
  std::string problem;               ///< "256x256"
  std::vector<std::string> records;  ///< of the machine
  std::vector<int> ranks;            ///< of each answer
  std::vector<std::string> why_not;  ///< of each; empty where it can be told
  std::vector<projection::KernelPrediction> answers;
  bool has_intervals = false;  ///< of the models' parameters
  std::vector<std::string> doubts;
};

/// The time of an iteration at each number of ranks with its range, speed-up, and the share of
/// computing.
Screen screen_of(const KernelPredictionView& view);

/// The document `hockney.kernel-prediction/1` (docs/kernels.md).
nlohmann::json to_json(const KernelPredictionView& view);

}  // namespace hockney::report
