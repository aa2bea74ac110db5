#include "driver/campaign/execution.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/shell.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "driver/campaign/crashing_points.hpp"
#include "driver/campaign/failure_cause.hpp"
#include "driver/campaign/manifest.hpp"
#include "driver/campaign/mpi_stack.hpp"
#include "driver/campaign/outcome.hpp"
#include "driver/campaign/request.hpp"
#include "driver/campaign/stopping.hpp"
#include "driver/campaign/subprocess.hpp"
#include "driver/campaign/verification_runs.hpp"

namespace hockney::campaign {
namespace {

/// Sentences on what a campaign will take and took.
namespace words {

constexpr std::string_view as_first_says = "about {}: as many launches as the first one says";
constexpr std::string_view beyond_budget = ", beyond the budget of {} to make as many as requested";
constexpr std::string_view first_shows = "{}{}; the first shows how long it takes";
constexpr std::string_view until_precise =
    "{}{}, and more until every interval is within {} of its median";
constexpr std::string_view too_few =
    "{} of a setting {} no interval and can show no difference at {}, {} can: {}";
constexpr std::string_view some_settings = "{}, or {} of the {} settings";
constexpr std::string_view to_come = "{} of {} are complete, {} to come, in the same random blocks";
constexpr std::string_view to_add =
    "complete with {}{} in {}, none added; to add: hockney run --resume --out {} --launches {}, or "
    "--budget {}s in all, or --precision 2%";

}  // namespace words

Folder made(const std::string& path) {
  Folder folder = campaign_folder(path);
  make_folders(folder);
  return folder;
}

/// Counts the blocks in a growing journal.
class BlockCount {
 public:
  explicit BlockCount(std::string file) : file_(std::move(file)) {}

  /// Blocks so far; reads only the new part of the file.
  std::size_t count() {
    std::ifstream in(file_, std::ios::binary);
    if (!in.seekg(read_)) return blocks_;
    std::string more{std::istreambuf_iterator<char>(in), {}};
    more.resize(more.rfind('\n') + 1);  // the rest of a line comes next time
    if (more.empty()) return blocks_;
    const std::size_t header = read_ == 0 ? more.find('\n') : 0;
    blocks_ += blocks_in(std::string_view(more).substr(header));
    read_ += static_cast<std::streamoff>(more.size());
    return blocks_;
  }

 private:
  std::string file_;
  std::streamoff read_ = 0;
  std::size_t blocks_ = 0;
};

/// Number of launches of a campaign that is resumed with a later stop. InputError if it has more
/// launches already.
LaunchCount extended(const Request& request, const Plan& plan, const std::optional<Budget>& budget,
                     const BudgetUse& use, const LaunchCount& planned) {
  if (const auto& launches = request.config.launches) {
    const int whole = plan.whole_blocks();
    if (*launches >= whole) return {*launches, "as asked"};
    throw InputError({fmt::format("--launches {} is less than there are", *launches),
                      fmt::format("the campaign in '{}' has {} of each setting", request.folder,
                                  launches_text(whole)),
                      "give more to add some"});
  }
  const bool is_through = budget && plan.left() == 0;
  return is_through ? budget->revise(use, planned.launches, planned) : planned;
}

/// The time of the next launch; nullopt if no launch had a budget.
std::optional<LaunchSlot> slot_of(const std::optional<Budget>& budget, const BudgetUse& use,
                                  const Manifest& manifest) {
  if (budget) {
    return LaunchSlot{.measuring = budget->slot(use), .first_epoch = budget->first_epoch(use)};
  }
  const auto usual = manifest.usual_slot();
  return usual ? std::optional(LaunchSlot{.measuring = *usual}) : std::nullopt;
}

/// The plan of an existing campaign, with its complete launches marked.
Plan plan_of(const Manifest& manifest, const Folder& folder) {
  Plan plan(manifest.config, manifest.seed, manifest.launches);
  for (const PlannedLaunch& launch : plan.launches()) {
    const std::string name = plan.name(launch);
    if (LaunchRecord(folder.record(name)).is_complete()) plan.complete(name);
  }
  return plan;
}

constexpr double to_spare = 1.1;  // factor of a suggested budget

int settings_of(const Request& request) { return static_cast<int>(request.config.settings.size()); }

int verification_runs_of(const Request& request) {
  return static_cast<int>(verification_commands(request, campaign_folder(request.folder)).size());
}

/// Use of the budget before the first launch.
BudgetUse expected_use(const Request& request, int launches) {
  const Seconds start_up = request.terms.start_up.value_or(Seconds{});
  return {.spent = elapsed_since(request.begun),
          .due = start_up * verification_runs_of(request),
          .complete = {},
          .launches_left = launches * settings_of(request)};
}

std::string budget_option(Seconds least) {
  return fmt::format("--budget {}s", whole_number<std::int64_t>(std::ceil(least.value * to_spare)));
}

std::string count_text(const Request& request, int launches) {
  const std::string all = launches_text(launches * settings_of(request));
  const int runs = verification_runs_of(request);
  return runs > 0 ? fmt::format("{} verification launches and {}", runs, all) : all;
}

std::string by_setting(const Request& request, int launches) {
  return settings_of(request) > 1 ? fmt::format(", {} of each setting", launches) : "";
}

std::string text_with_budget(const Request& request, const Budget& budget, int launches) {
  const Seconds total = request.config.budget.value_or(Seconds{});
  if (!request.terms.start_up) {
    return fmt::format(words::as_first_says, format_duration(total));
  }
  const BudgetUse use = expected_use(request, launches);
  const Seconds each = *request.terms.start_up + budget.slot(use);
  const Seconds all = use.spent + use.due + each * use.launches_left;
  const bool is_beyond = all > total * to_spare;
  return fmt::format("about {}: {} of {}{}{}", format_duration(all), count_text(request, launches),
                     format_duration(each), by_setting(request, launches),
                     is_beyond ? fmt::format(words::beyond_budget, format_duration(total)) : "");
}

std::string text_without_budget(const Request& request, int launches) {
  const std::string all = count_text(request, launches);
  const std::string each = by_setting(request, launches);
  const auto precision = precision_of(request.config);
  if (!precision) return fmt::format(words::first_shows, all, each);
  return fmt::format(words::until_precise, all, each, format_fraction(*precision));
}

/// nullopt if the launches suffice for an interval, or run in a simulator, whose times are exact.
std::optional<std::string> text_of_too_few(const Request& request, int launches) {
  const int enough_launches = launches_for_interval();
  if (launches >= enough_launches || request.launcher.kind == LauncherKind::simgrid)
    return std::nullopt;
  std::string enough = fmt::format("--launches {}", enough_launches);
  if (request.config.budget && !request.config.launches) {
    const BudgetUse use = expected_use(request, enough_launches);
    const Seconds start_up = request.terms.start_up.value_or(Seconds{});
    const Seconds least = start_up / start_up_share_at_most;
    enough = budget_option(use.spent + use.due + least * use.launches_left);
    const Seconds budget = request.config.budget.value_or(Seconds{});
    const Seconds left = std::max(Seconds{}, budget - use.spent - use.due);
    const auto fitting = whole_number<int>(std::floor(left / (least * enough_launches)));
    if (fitting > 0 && fitting < settings_of(request)) {
      enough = fmt::format(words::some_settings, enough, fitting, settings_of(request));
    }
  }
  return fmt::format(words::too_few, launches_text(launches), launches == 1 ? "gives" : "give",
                     format_fraction(default_level), enough_launches, enough);
}

/// The message for a campaign that needs `least`, its time so far included.
Message budget_too_small(const Request& request, Seconds least) {
  const int settings = settings_of(request);
  const auto& requested = request.config.launches;
  std::string what = launches_text(requested.value_or(1) * settings);
  if (settings > 1 && !requested) {
    what = fmt::format("one launch of each of {} settings", settings);
  }
  const int runs = verification_runs_of(request);
  if (runs > 0) what += fmt::format(" and {} verification launches", runs);
  return {fmt::format("a budget of {} is too small",
                      format_duration(request.config.budget.value_or(Seconds{}))),
          fmt::format("about {} are needed for {}", format_duration(least), what),
          fmt::format("give {} or more{}", budget_option(least),
                      requested ? ", or fewer --launches" : "")};
}

/// The run of one driver in a campaign.
class CampaignRun {
 public:
  CampaignRun(const Request& request, const CampaignObserver& observer)
      : request_(request),
        observer_(observer),
        folder_(made(request.folder)),
        lock_(folder_.lock()),
        stopping_(request.config, request.terms),
        records_(folder_),
        manifest_(open_manifest(request, folder_, records_)),
        attempts_before_(manifest_.attempts.size()),
        plan_(request.config, manifest_.seed, manifest_.launches),
        verification_(request, folder_),
        elapsed_before_(manifest_.elapsed_seconds) {}

  CampaignEnd run() {
    keep_network();
    run_verification();
    load_finished_launches();
    analyse();
    if (request_.extends) plan(extended(request_, plan_, stopping_.budget(), use(), planned()));
    save();
    while (!signals_.end_requested()) {
      const auto next = plan_.next();
      if (!next || is_too_late()) break;
      require_time();
      run_launch(*next);
      for (const std::string& setting : failing_settings(manifest_, attempts_before_)) {
        plan_.give_up(setting);
      }
      if (const auto& budget = stopping_.budget()) {
        plan(budget->revise(use(), next->launch, planned()));
      }
      analyse();
    }
    manifest_.status = status();
    save();
    ReadRecords records = std::move(records_).take();
    return {std::move(manifest_), folder_, std::move(records)};
  }

 private:
  void keep_network() {
    if (!request_.network) return;
    manifest_.network = request_.network->origin;
    write_atomically(folder_.network(), json_text(to_json(*request_.network)) + "\n");
  }

  /// Each remaining verification run is expected to take as long as the last one.
  void run_verification() {
    verification_.run(signals_, [this](const Step& step) {
      observer_(step);
      if (step.ended) require_time({step.ended->duration_seconds * (step.total - step.position)});
    });
  }

  /// InputError if the budget is too small (Budget::least_beyond).
  void require_time(Seconds due = {}) {
    const auto& budget = stopping_.budget();
    if (!budget) return;
    BudgetUse now = use();
    now.due = due;
    const auto least = budget->least_beyond(now, manifest_.launches);
    if (!least) return;
    manifest_.status = Status::incomplete;
    save();
    throw InputError(budget_too_small(request_, *least));
  }

  bool is_too_late() {
    manifest_.ended_because =
        why_too_late(request_.deadline, manifest_.longest_attempt()).value_or("");
    return !manifest_.ended_because.empty();
  }

  void analyse() {
    const int whole = plan_.whole_blocks();
    plan(stopping_.analyse(findings_, whole, planned()));
    const Precision reached = stopping_.reached(findings_, whole);
    if (reached.points > 0) manifest_.precision = reached;
  }

  void complete(const PlannedLaunch& launch, const LaunchFindings& findings) {
    plan_.complete(plan_.name(launch));
    findings_.add(plan_.setting(launch), findings);
  }

  void plan(const LaunchCount& count) {
    manifest_.launches = count.launches;
    manifest_.launches_because = count.because;
    plan_.plan(count.launches);
  }

  [[nodiscard]] LaunchCount planned() const {
    return {manifest_.launches, manifest_.launches_because};
  }

  /// Keeps complete launches of earlier drivers; moves the remains of incomplete ones away.
  void load_finished_launches() {
    for (const PlannedLaunch& launch : plan_.launches()) {
      const std::string name = plan_.name(launch);
      LaunchRecord& found = records_.at(name);
      verification_.add_algorithm_use(plan_.setting(launch), found);
      found.save();
      if (found.is_complete()) complete(launch, findings_of(*found.record()));
      salvage(folder_, name, manifest_.tries(plan_.setting(launch), launch.launch), found);
      records_.settle(name);
    }
  }

  void run_launch(const PlannedLaunch& launch) {
    announce(plan_.name(launch), std::nullopt);
    const Seconds timeout = request_.config.launch_timeout;
    const auto& budget = stopping_.budget();
    const Seconds limit = budget ? budget->limit(use(), timeout) : timeout;
    manifest_.attempts.push_back(begin_attempt(launch));
    save();
    Attempt& attempt = manifest_.attempts.back();
    const ProcessOutcome outcome = run_process({.command = attempt.command,
                                                .log_file = attempt.log,
                                                .limit = limit,
                                                .grace = request_.grace,
                                                .watch = watch(attempt.name()),
                                                .between = request_.between_steps},
                                               signals_);
    end_attempt(launch, attempt, outcome, limit);
    const bool has_failed = attempt.status == AttemptStatus::failed;
    const auto refused = has_failed ? refusal_of(outcome, attempt.log) : std::nullopt;
    if (refused) manifest_.status = Status::incomplete;
    save();
    announce(attempt.name(), attempt);
    if (refused) throw InputError(*refused);
  }

  [[nodiscard]] Attempt begin_attempt(const PlannedLaunch& launch) const {
    const std::string& setting = plan_.setting(launch);
    Attempt attempt{.setting = setting,
                    .launch = launch.launch,
                    .number = manifest_.tries(setting, launch.launch) + 1};
    const auto& budget = stopping_.budget();
    const auto slot = slot_of(budget, use(), manifest_);
    const Job job = launch_job(request_, launch, folder_.record(attempt.name()), slot,
                               crashing_points(manifest_, setting));
    attempt.command = launch_command(request_.launcher, job);
    attempt.started_utc = utc_now();
    if (slot) attempt.slot_seconds = slot->measuring.value;
    attempt.log = folder_.log(attempt.name(), attempt.number);
    return attempt;
  }

  void end_attempt(const PlannedLaunch& launch, Attempt& attempt, const ProcessOutcome& outcome,
                   Seconds limit) {
    LaunchRecord& written = records_.at(attempt.name());
    verification_.add_algorithm_use(attempt.setting, written);
    check_settings(folder_, request_.config.ignored_settings, attempt, written);
    written.save();
    std::optional<LaunchFindings> findings;
    if (written.is_complete()) findings = findings_of(*written.record());
    const auto& ignored = attempt.ignored_settings;
    attempt.last_lines = ignored.empty() ? last_lines(attempt.log, 5) : ignored;
    close_attempt(attempt, outcome, written, findings, limit);
    const bool is_cut = limit < request_.config.launch_timeout;
    if (is_cut && outcome.end == ProcessEnd::timed_out) {
      attempt.reason += "; a larger --budget would have left it more";
    }
    const auto salvaged = salvage(folder_, attempt.name(), attempt.number, written);
    if (salvaged) attempt.remains = salvaged;
    records_.settle(attempt.name());
    plan_.tried(attempt.name());
    if (findings) complete(launch, *findings);
    const bool is_hung = outcome.end == ProcessEnd::timed_out;
    const bool is_refused = refusal_of(outcome, attempt.log).has_value();
    if (attempt.status != AttemptStatus::failed || (is_cut && is_hung) || is_refused) return;
    if (ignored.empty()) attempt.died_at = where_it_died(attempt);
    if (is_fixed(manifest_, attempt)) plan_.reopen(attempt.setting);
  }

  [[nodiscard]] Seconds elapsed() const {
    return Seconds{elapsed_before_} + elapsed_since(request_.begun);
  }

  [[nodiscard]] BudgetUse use() const {
    BudgetUse use = budget_use(manifest_, elapsed(), plan_.left());
    use.balance = findings_.balance();
    return use;
  }

  /// A function that reports the progress of a launch from its journal.
  [[nodiscard]] std::function<void(Seconds)> watch(const std::string& name) const {
    const auto journal = std::make_shared<BlockCount>(journal_name(folder_.record(name)));
    return [this, name, journal](Seconds elapsed) {
      announce(name, std::nullopt, RunningLaunch{elapsed, journal->count()});
    };
  }

  void announce(const std::string& name, std::optional<Attempt> ended,
                const std::optional<RunningLaunch>& running = std::nullopt) const {
    const int left = plan_.left();
    const int position = plan_.total() - left + (ended ? 0 : 1);
    auto remaining = expected_remaining(manifest_, elapsed(), left);
    if (remaining && running && !request_.config.budget) {
      remaining = std::max(Seconds{}, *remaining - running->elapsed);
    }
    observer_(
        {position, plan_.total(), name, std::move(ended), running, remaining, manifest_.precision});
  }

  [[nodiscard]] Status status() {
    if (plan_.all_complete()) return Status::complete;
    const bool is_cut = signals_.end_requested() || !manifest_.ended_because.empty();
    return is_cut ? Status::interrupted : Status::incomplete;
  }

  void save() {
    manifest_.elapsed_seconds = elapsed().value;
    save_manifest(manifest_, folder_.manifest());
  }

  const Request& request_;
  const CampaignObserver& observer_;
  Folder folder_;
  FolderLock lock_;
  Stopping stopping_;
  LaunchRecords records_;
  Manifest manifest_;
  std::size_t attempts_before_;  ///< of earlier drivers
  Plan plan_;
  VerificationRuns verification_;
  Findings findings_;
  double elapsed_before_;
  SignalWatch signals_;
};

}  // namespace

std::optional<Message> CampaignEnd::missing() const { return what_is_missing(manifest, folder); }

std::vector<Record> CampaignEnd::take_records() {
  return load_records({folder.records()}, Kept::times, std::move(records));
}

CampaignEnd run_campaign(const Request& request, const CampaignObserver& observer) {
  return CampaignRun(request, observer).run();
}

std::vector<std::string> dry_run(const Request& request) {
  const Config& config = request.config;
  const Folder folder = campaign_folder(request.folder);
  const Stopping stopping(config);
  const auto& budget = stopping.budget();
  Manifest manifest = request.resume && std::filesystem::exists(folder.manifest())
                          ? manifest_to_resume(request, folder)
                          : Manifest{.config = config,
                                     .seed = request.seed.value_or(0),
                                     .launches = first_plan(config).launches};
  Plan plan = plan_of(manifest, folder);
  const auto use = [&] {
    return budget_use(manifest, Seconds{manifest.elapsed_seconds}, plan.left());
  };
  if (request.extends) {
    plan.plan(extended(request, plan, budget, use(), {manifest.launches, ""}).launches);
  }
  const auto slot = slot_of(budget, use(), manifest);
  std::vector<std::string> lines;
  if (const auto other = other_library(request.config, request.launcher)) {
    lines.push_back("# " + to_line(*other));
  }
  for (const SkippedCombination& skipped : request.skipped) {
    lines.push_back(fmt::format("# skipped {}: {}", skipped.setting, skipped.because));
  }
  for (const std::string& command : verification_commands(request, folder)) {
    lines.push_back("# verification: " + command);
  }
  for (const PlannedLaunch& launch : plan.launches()) {
    if (plan.is_complete(launch)) continue;
    const Job job = launch_job(request, launch, folder.record(plan.name(launch)), slot,
                               crashing_points(manifest, plan.setting(launch)));
    lines.push_back(to_shell(launch_command(request.launcher, job)));
  }
  return lines;
}

std::vector<std::string> forecast_lines(const Request& request) {
  const int launches = first_plan(request.config, request.terms).launches;
  const Stopping stopping(request.config, request.terms);
  const auto& budget = stopping.budget();
  std::vector<std::string> lines{budget ? text_with_budget(request, *budget, launches)
                                        : text_without_budget(request, launches)};
  if (auto few = text_of_too_few(request, launches)) lines.push_back(std::move(*few));
  return lines;
}

std::vector<std::string> remaining_lines(const Step& first) {
  const int complete = first.position - 1;
  return {
      fmt::format(words::to_come, complete, launches_text(first.total), first.total - complete)};
}

std::string extend_hint(const Manifest& manifest, const std::string& folder) {
  const Seconds spent{manifest.elapsed_seconds};
  const auto twice = std::llround(std::max(10.0, std::ceil(2 * spent.value)));
  return fmt::format(words::to_add, launches_text(manifest.launches),
                     manifest.config.settings.size() > 1 ? " of each setting" : "",
                     format_duration(spent), escaped(shell_word(folder)), 2 * manifest.launches,
                     twice);
}

std::optional<Message> budget_error(const Request& request) {
  const int launches = first_plan(request.config, request.terms).launches;
  const Stopping stopping(request.config, request.terms);
  const auto& budget = stopping.budget();
  if (!budget) return std::nullopt;
  const auto least = budget->least_beyond(expected_use(request, launches), launches);
  return least ? std::optional(budget_too_small(request, *least)) : std::nullopt;
}

BudgetUse budget_use(const Manifest& manifest, Seconds spent, int launches_left) {
  BudgetUse use{.spent = spent, .complete = {}, .launches_left = launches_left};
  for (const Attempt& attempt : manifest.attempts) {
    // A complete launch with a reason ended late or was killed; its duration is not typical.
    const bool clean = attempt.status == AttemptStatus::complete && attempt.reason.empty();
    const double measuring = attempt.measuring_seconds.value_or(-1);
    if (!clean || !(measuring >= 0)) continue;
    use.complete.push_back({.wall = {attempt.duration_seconds},
                            .measuring = {measuring},
                            .slot = {attempt.slot_seconds.value_or(measuring)},
                            .is_shortened = attempt.points_left_out.has_value(),
                            .is_sparse = attempt.points_measured &&
                                         attempt.points_left_out > attempt.points_measured});
  }
  return use;
}

std::optional<Seconds> expected_remaining(const Manifest& manifest, Seconds spent,
                                          int launches_left) {
  if (manifest.config.budget) return std::max(Seconds{}, *manifest.config.budget - spent);
  double total = 0;
  int ended = 0;
  for (const Attempt& attempt : manifest.attempts) {
    if (attempt.status == AttemptStatus::running) continue;
    total += attempt.duration_seconds;
    ++ended;
  }
  if (ended == 0) return std::nullopt;
  return Seconds{total / ended * launches_left};
}

}  // namespace hockney::campaign
