#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "components/application/advice/advice.hpp"
#include "core/error.hpp"
#include "report/screen.hpp"
#include "report/view.hpp"

namespace hockney::advice {

/// A cause in the program itself, in words, and what changing it would gain.
struct ProgramAdvice {
  std::string kind;         ///< "imbalance", as in the findings of the profile
  std::optional<int> rank;  ///< world rank
  std::string site;         ///< call site; empty: none
  double fraction = 0;      ///< of the run
  std::string sentence;
  std::string help;
  double seconds = 0;  ///< time of the run without it, by replay
};

/// Advice for a run, and the results of launches with it.
struct AdviceView {
  profile::Profile profile;
  std::string file;                  ///< path of the profile
  std::vector<std::string> records;  ///< of the machine
  Findings findings;
  double model_seconds = 0;    ///< time of the run by the models
  bool has_intervals = false;  ///< of the models' parameters, over launches
  std::vector<std::string> doubts;
  /// For each advice, after launches: its result, and whether the change was effective.
  std::vector<std::optional<Verified>> verified;
  std::vector<InForce> in_force;
  std::string folder;                    ///< of those launches
  std::vector<ProgramAdvice> program{};  ///< changes of the program, worst cause first
};

/// Settings worth changing, largest gain first, with the way to set them; after launches, their
/// measured gain.
report::Screen screen_of(const AdviceView& view);

/// One row per tried change, worthwhile ones first.
report::View view_of(const AdviceView& view);

/// Table of all changes that were tried.
void print_tried_table(std::ostream& out, const AdviceView& view);

/// The document `hockney.advice/1` (docs/reference/json-documents.md).
nlohmann::json to_json(const AdviceView& view);

/// Verdict over all launches. `verdict_failed` if an advice made the program slower, or was not
/// effective. `no_verdict` if it was not shown to be faster.
ExitCode verdict_of(const AdviceView& view);

}  // namespace hockney::advice
