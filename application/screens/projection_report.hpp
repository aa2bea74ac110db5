#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "application/projection/projection.hpp"
#include "application/profile/profile.hpp"
#include "report/screens/screen.hpp"

namespace hockney::report {

/// What was asked of one run of a program, and the answers.
struct ProjectionView {
  profile::Profile profile;
  std::string file;  ///< that it came from
  projection::Validation validation;
  std::vector<projection::Projection> answers;
  bool has_intervals = false;  ///< of the models' parameters, over launches
  std::vector<std::string> doubts;
};

/// The models' time beside the measured one, and a line for each question.
Screen screen_of(const ProjectionView& view);

/// The document `hockney.projection/1` (docs/profile.md).
nlohmann::json to_json(const ProjectionView& view);

}  // namespace hockney::report
