#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/record_file.hpp"
#include "driver/campaign/manifest.hpp"
#include "driver/campaign/request.hpp"
#include "driver/campaign/stopping.hpp"

namespace hockney::campaign {

/// Progress of a running launch.
struct RunningLaunch {
  Seconds elapsed;
  std::size_t blocks = 0;  ///< measurement blocks in its journal
};

/// A progress report about a launch: at its start, every few seconds while it runs, and once at its
/// end.
struct Step {
  int position = 1;  ///< of the launch in the plan, from 1
  int total = 1;     ///< planned launches; a budget may change it meanwhile
  std::string launch;
  std::optional<Attempt> ended;          ///< nullopt before the start and while it runs
  std::optional<RunningLaunch> running;  ///< nullopt before the start and after the end
  std::optional<Seconds> remaining;      ///< expected time to the end of the campaign
  std::optional<Precision> reached{};    ///< by the complete launches, once there are any
  bool verifies = false;                 ///< a verification run; position and total count those
};

using CampaignObserver = std::function<void(const Step&)>;

/// A campaign that this driver has run.
struct CampaignEnd {
  Manifest manifest;  ///< as last written
  Folder folder;
  ReadRecords records;  ///< of the complete launches, as Kept::times

  /// What failed and how to resume; nullopt if it is complete.
  [[nodiscard]] std::optional<Message> missing() const;
  /// All records of its folder, as Kept::times: those in `records`, and the rest.
  [[nodiscard]] std::vector<Record> take_records();
};

/// Runs the incomplete launches of a campaign, one after another. `request.folder` is locked
/// meanwhile. A failed launch is recorded, and the next one runs. SIGINT, SIGTERM and SIGHUP end
/// the campaign cleanly.
/// InputError if the folder is in use or has another campaign, or has a campaign and `resume` is
/// not set. If a launch refuses its arguments, InputError with the program's own message.
CampaignEnd run_campaign(const Request& request, const CampaignObserver& observer);

/// The exact commands of the remaining launches; creates and runs nothing. Seeds of a new campaign
/// derive from `request.seed`, else from 0. With a budget, slots and number of launches are the
/// first guess.
std::vector<std::string> dry_run(const Request& request);

/// The expected duration of a campaign, as lines: "about 1 min: 10 launches of 6 s". If its
/// launches are too few for an interval, a second line names a sufficient number. Uses
/// `request.terms`.
std::vector<std::string> forecast_lines(const Request& request);

/// The state of a resumed campaign, from its first step: "3 of 7 launches are complete, 4 to come".
std::vector<std::string> remaining_lines(const Step& first);

/// For a complete campaign: its number of launches, and the commands that add launches.
std::string extend_hint(const Manifest& manifest, const std::string& folder);

/// Why the budget is too small, from `request.terms`; nullopt if it suffices or the cost of a
/// launch is unknown.
std::optional<Message> budget_error(const Request& request);

/// Use of the budget so far, from the attempts of a manifest.
BudgetUse budget_use(const Manifest& manifest, Seconds spent, int launches_left);

/// Expected duration of the rest: the rest of the budget; without a budget, `launches_left` times
/// the mean duration so far. Before the first launch has ended: nullopt.
std::optional<Seconds> expected_remaining(const Manifest& manifest, Seconds spent,
                                          int launches_left);

}  // namespace hockney::campaign
