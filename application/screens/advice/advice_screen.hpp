#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "application/advice/advice.hpp"
#include "core/error.hpp"
#include "report/screens/screen.hpp"
#include "report/view.hpp"

namespace hockney::advice {

/// What was advised for a run, and what launches said of it.
struct AdviceView {
  profile::Profile profile;
  std::string file;                  ///< that it came from
  std::vector<std::string> records;  ///< of its machine
  Findings findings;
  double model_seconds = 0;    ///< that the models take for the run
  bool has_intervals = false;  ///< of the models' parameters, over launches
  std::vector<std::string> doubts;
  /// Of each advice, once launches were made: what they say, and whether the change was in force.
  std::vector<std::optional<Verified>> verified;
  std::vector<InForce> in_force;
  std::string folder;  ///< of those launches
};

/// The settings worth changing, those of most gain first, with how to set them; after launches,
/// what they gained.
report::Screen screen_of(const AdviceView& view);

/// A row for each change that was tried, those worth it first.
report::View view_of(const AdviceView& view);

/// Everything that was tried.
void print_tried_table(std::ostream& out, const AdviceView& view);

/// The document `hockney.advice/1` (docs/reference/json-documents.md).
nlohmann::json to_json(const AdviceView& view);

/// Verdict of all launches: `verdict_failed` where an advice made the program slower, or was not in
/// force, `no_verdict` where it was not shown to be faster.
ExitCode verdict_of(const AdviceView& view);

}  // namespace hockney::advice
