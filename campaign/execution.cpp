#include "campaign/execution.hpp"

#include <chrono>
#include <set>

#include "campaign/budget.hpp"
#include "campaign/conclusion.hpp"
#include "campaign/folder.hpp"
#include "campaign/folder_lock.hpp"
#include "campaign/log_tail.hpp"
#include "campaign/opening.hpp"
#include "campaign/remains.hpp"
#include "campaign/signal_watch.hpp"
#include "campaign/subprocess.hpp"
#include "campaign/utc.hpp"

namespace hockney {
namespace {

CampaignFolder made(const std::string& path) {
  CampaignFolder folder = campaign_folder(path);
  make_folders(folder);
  return folder;
}

std::optional<Budget> budget_of(const CampaignConfig& config) {
  if (!config.budget) return std::nullopt;
  return Budget(*config.budget, config.settings.size(), config.launches);
}

/// One driver's turn at a campaign.
class CampaignRun {
 public:
  CampaignRun(const CampaignRequest& request, const CampaignObserver& observer)
      : request_(request),
        observer_(observer),
        folder_(made(request.folder)),
        lock_(folder_.lock()),
        budget_(budget_of(request.config)),
        manifest_(open_manifest(request, folder_)),
        elapsed_before_(manifest_.elapsed_seconds) {}

  Manifest run() {
    if (budget_ && manifest_.attempts.empty()) plan_as(budget_->first_guess());
    settle_finished_launches();
    save();
    while (!signals_.end_requested()) {
      const auto next = next_launch();
      if (!next) break;
      run_launch(*next);
      if (budget_) plan_as(budget_->revise(use(), next->launch, planned()));
    }
    manifest_.status = status();
    save();
    return manifest_;
  }

 private:
  [[nodiscard]] std::vector<PlannedLaunch> plan() const {
    return plan_launches(request_.config.settings.size(), manifest_.launches, manifest_.seed);
  }

  [[nodiscard]] std::string name(const PlannedLaunch& launch) const {
    return launch_name(request_.config.settings[launch.setting].name, launch.launch);
  }

  void plan_as(const LaunchCount& count) {
    manifest_.launches = count.launches;
    manifest_.launches_because = count.because;
  }

  [[nodiscard]] LaunchCount planned() const {
    return {manifest_.launches, manifest_.launches_because};
  }

  /// Complete launches of earlier drivers are kept; what others left behind is put away.
  void settle_finished_launches() {
    for (const PlannedLaunch& launch : plan()) {
      const std::string stem = name(launch);
      if (check_record(folder_.record(stem)).complete) {
        complete_.insert(stem);
        settled_.insert(stem);
      }
      const std::string& setting = request_.config.settings[launch.setting].name;
      salvage(folder_, stem, manifest_.tries(setting, launch.launch));
    }
  }

  [[nodiscard]] std::optional<PlannedLaunch> next_launch() const {
    for (const PlannedLaunch& launch : plan()) {
      if (!settled_.contains(name(launch))) return launch;
    }
    return std::nullopt;
  }

  void run_launch(const PlannedLaunch& launch) {
    const std::string stem = name(launch);
    announce(stem, std::nullopt);
    const BudgetUse now = use();
    const auto slot = budget_ ? std::optional(budget_->slot(now)) : std::nullopt;
    const Seconds timeout = request_.config.launch_timeout;
    const Seconds limit = budget_ ? budget_->limit(now, timeout) : timeout;
    manifest_.attempts.push_back(begin_attempt(launch, slot));
    save();
    Attempt& attempt = manifest_.attempts.back();
    const ProcessOutcome outcome = run_process({.arguments = attempt.command.arguments,
                                                .environment = attempt.command.environment,
                                                .log_file = attempt.log,
                                                .limit = limit},
                                               signals_);
    end_attempt(attempt, outcome, limit);
    save();
    settled_.insert(stem);
    announce(stem, attempt);
  }

  [[nodiscard]] Attempt begin_attempt(const PlannedLaunch& launch, std::optional<Seconds> slot) {
    const std::string& setting = request_.config.settings[launch.setting].name;
    const int number = manifest_.tries(setting, launch.launch) + 1;
    const std::string record = folder_.record(name(launch));
    Attempt attempt{.setting = setting, .launch = launch.launch, .number = number};
    attempt.command = launch_command(request_.launcher, launch_job(request_, launch, record, slot));
    attempt.started_utc = utc_now();
    if (slot) attempt.slot_seconds = slot->value;
    attempt.log = folder_.log(name(launch), number);
    return attempt;
  }

  void end_attempt(Attempt& attempt, const ProcessOutcome& outcome, Seconds limit) {
    const RecordCheck record = check_record(folder_.record(attempt.name()));
    attempt.last_lines = last_lines(attempt.log, 5);
    conclude(attempt, outcome, record, limit);
    attempt.remains = salvage(folder_, attempt.name(), attempt.number);
    if (!record.complete) return;
    complete_.insert(attempt.name());
    const auto slot =
        attempt.slot_seconds ? std::optional(Seconds{*attempt.slot_seconds}) : std::nullopt;
    attempt.overhead_seconds =
        launch_overhead(outcome.duration, {record.measuring_seconds.value_or(0)}, slot).value;
  }

  [[nodiscard]] Seconds elapsed() const {
    const std::chrono::duration<double> here = std::chrono::steady_clock::now() - start_;
    return {elapsed_before_ + here.count()};
  }

  [[nodiscard]] int launches_left() const {
    int left = 0;
    for (const PlannedLaunch& launch : plan()) left += settled_.contains(name(launch)) ? 0 : 1;
    return left;
  }

  [[nodiscard]] BudgetUse use() const {
    BudgetUse use{.spent = elapsed(), .costs = {}, .launches_left = launches_left()};
    for (const Attempt& attempt : manifest_.attempts) {
      if (!attempt.overhead_seconds) continue;
      use.costs.push_back({{attempt.duration_seconds}, {*attempt.overhead_seconds}});
    }
    return use;
  }

  /// What is left of the budget; without one, launches to come take as long as those that were.
  [[nodiscard]] std::optional<Seconds> remaining() const {
    if (budget_) return std::max(Seconds{}, *request_.config.budget - elapsed());
    double total = 0;
    int ended = 0;
    for (const Attempt& attempt : manifest_.attempts) {
      if (attempt.status == AttemptStatus::running) continue;
      total += attempt.duration_seconds;
      ++ended;
    }
    if (ended == 0) return std::nullopt;
    return Seconds{total / ended * launches_left()};
  }

  void announce(const std::string& stem, std::optional<Attempt> ended) const {
    const int total = static_cast<int>(plan().size());
    const int position = total - launches_left() + (ended ? 0 : 1);
    observer_({position, total, stem, std::move(ended), remaining()});
  }

  [[nodiscard]] CampaignStatus status() {
    if (complete_.size() >= plan().size()) return CampaignStatus::complete;
    return signals_.end_requested() ? CampaignStatus::interrupted : CampaignStatus::incomplete;
  }

  void save() {
    manifest_.elapsed_seconds = elapsed().value;
    save_manifest(manifest_, folder_.manifest());
  }

  const CampaignRequest& request_;
  const CampaignObserver& observer_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  CampaignFolder folder_;
  FolderLock lock_;
  std::optional<Budget> budget_;
  Manifest manifest_;
  double elapsed_before_;
  SignalWatch signals_;
  std::set<std::string> settled_;   ///< complete, or tried by this driver
  std::set<std::string> complete_;  ///< have their record
};

}  // namespace

Manifest run_campaign(const CampaignRequest& request, const CampaignObserver& observer) {
  return CampaignRun(request, observer).run();
}

std::vector<std::string> dry_run(const CampaignRequest& request) {
  const CampaignConfig& config = request.config;
  const CampaignFolder folder = campaign_folder(request.folder);
  const auto budget = budget_of(config);
  const int launches =
      budget ? budget->first_guess().launches : config.launches.value_or(default_launches);
  const auto plan = plan_launches(config.settings.size(), launches, request.seed.value_or(0));
  const BudgetUse use{.launches_left = static_cast<int>(plan.size())};
  const auto slot = budget ? std::optional(budget->slot(use)) : std::nullopt;
  std::vector<std::string> lines;
  for (const PlannedLaunch& launch : plan) {
    const std::string name = launch_name(config.settings[launch.setting].name, launch.launch);
    const Job job = launch_job(request, launch, folder.record(name), slot);
    lines.push_back(to_shell(launch_command(request.launcher, job)));
  }
  return lines;
}

}  // namespace hockney
