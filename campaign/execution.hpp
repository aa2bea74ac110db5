#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/manifest.hpp"
#include "campaign/request.hpp"
#include "campaign/stopping.hpp"
#include "core/error.hpp"
#include "core/record_file.hpp"

namespace hockney::campaign {

/// How far a launch under way has come.
struct RunningLaunch {
  Seconds elapsed;
  std::size_t blocks = 0;  ///< measurement blocks in its journal
};

/// Tells whoever watches about a launch: when it starts, every few seconds while it runs, and once
/// when it has ended.
struct Step {
  int position = 1;  ///< of the launch in the plan, from 1
  int total = 1;     ///< planned launches; a budget may change it on the way
  std::string launch;
  std::optional<Attempt> ended;          ///< nullopt: it is about to start, or runs
  std::optional<RunningLaunch> running;  ///< nullopt: it is about to start, or has ended
  std::optional<Seconds> remaining;      ///< expected time to the end of the campaign
  std::optional<Precision> reached{};    ///< by the complete launches, once there are any
  bool verifies = false;                 ///< a verification run; position and total count those
};

using CampaignObserver = std::function<void(const Step&)>;

/// What a campaign has come to.
struct CampaignEnd {
  Manifest manifest;    ///< as written last
  ReadRecords records;  ///< of the complete launches, as Kept::times
};

/// Runs what is not complete of a campaign, one launch after another, in `request.folder`, which is
/// locked meanwhile. Every launch that fails is recorded and the next one made. SIGINT, SIGTERM and
/// SIGHUP end it cleanly.
/// InputError when the folder holds a campaign and `resume` is not set, or holds another campaign
/// than this one, or is in use; and, in its own words, when a launch refuses its arguments.
CampaignEnd run_campaign(const Request& request, const CampaignObserver& observer);

/// The very commands of the launches to come, one for each; nothing is made or run. Of a fresh
/// campaign, seeds are those of `request.seed`, or of 0; with a budget, slots and number of
/// launches are the first guess.
std::vector<std::string> dry_run(const Request& request);

/// What a campaign will take, in lines for people: "about 1 min: 10 launches of 6 s"; and that its
/// launches are too few to tell anything, with what would be enough. By `request.terms`.
std::vector<std::string> what_to_expect(const Request& request);

/// Of a campaign that goes on, by its first step: "3 of 7 launches are complete, 4 to come".
std::vector<std::string> what_is_to_come(const Step& first);

/// Of a campaign that is complete: how many launches it has, and the commands that add some.
std::string how_to_add(const Manifest& manifest, const std::string& folder);

/// Why a budget cannot hold what it has to, by `request.terms`; nullopt when it can, or nobody
/// knows.
std::optional<Message> what_is_too_long(const Request& request);

/// Of a campaign that needs `least`, its time so far included.
Message budget_too_small(const Request& request, Seconds least);

/// What the attempts of a manifest say about the use of its budget.
BudgetUse budget_use(const Manifest& manifest, Seconds spent, int launches_left);

/// How long the rest of a campaign should take: what is left of the budget; without one, launches
/// to come take as long as those that were. nullopt before there are any.
std::optional<Seconds> expected_remaining(const Manifest& manifest, Seconds spent,
                                          int launches_left);

}  // namespace hockney::campaign
