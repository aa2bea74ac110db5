#pragma once

#include <span>
#include <string>
#include <vector>

#include "imports/suite_run.hpp"

namespace hockney::imports {

/// A run and the file that has its text.
struct FoundRun {
  SuiteRun run;
  std::string file;
};

/// The settings of runs. Runs of one setting are launches of their points, so that those whose
/// texts or folders differ where they have a point in common are of several settings.
struct RunSettings {
  std::vector<std::string> names;        ///< of each run
  std::vector<std::string> differences;  ///< what parts settings: "folder", "device", "version"
};

/// How settings are named: `base`, and behind it what parts them, "osu-mpich" or "osu-v7.2".
/// Folders that count repetitions ("run-2", "2026-09-28") part none; without `by_place`, folders
/// and hosts part none at all.
RunSettings settings_of(std::span<const FoundRun> runs, const std::string& base, bool by_place);

/// What a campaign is called whose records go to `folder`: its last part without dates and times,
/// so that every night's campaign has one name; `suite` where nothing but a count is left.
std::string campaign_name(const std::string& folder, const std::string& suite);

}  // namespace hockney::imports
