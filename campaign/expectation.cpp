#include "campaign/expectation.hpp"

#include <algorithm>
#include <cmath>

#include "campaign/folder.hpp"
#include "campaign/stopping.hpp"
#include "campaign/verification_runs.hpp"
#include "core/quantities.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "core/whole_number.hpp"

namespace hockney::campaign {
namespace {

constexpr double to_spare = 1.1;  // of a budget that is suggested

int settings_of(const Request& request) { return static_cast<int>(request.config.settings.size()); }

int verification_runs_of(const Request& request) {
  return static_cast<int>(verification_commands(request, campaign_folder(request.folder)).size());
}

/// Before the first launch.
BudgetUse expected_use(const Request& request, int launches) {
  const Seconds start_up = request.terms.start_up.value_or(Seconds{});
  return {.spent = elapsed_since(request.begun),
          .due = start_up * verification_runs_of(request),
          .complete = {},
          .launches_left = launches * settings_of(request)};
}

std::string budget_option(Seconds least) {
  return "--budget " +
         std::to_string(whole_number<std::int64_t>(std::ceil(least.value * to_spare))) + "s";
}

std::string count_text(const Request& request, int launches) {
  const std::string all = launches_text(launches * settings_of(request));
  const int runs = verification_runs_of(request);
  return runs > 0 ? std::to_string(runs) + " witness launches and " + all : all;
}

std::string by_setting(const Request& request, int launches) {
  return settings_of(request) > 1 ? ", " + std::to_string(launches) + " of each setting" : "";
}

std::string text_with_budget(const Request& request, const Budget& budget, int launches) {
  const Seconds total = request.config.budget.value_or(Seconds{});
  if (!request.terms.start_up) {
    return "about " + format_duration(total) + ": as many launches as the first one says";
  }
  const BudgetUse use = expected_use(request, launches);
  const Seconds each = *request.terms.start_up + budget.slot(use);
  const Seconds all = use.spent + use.due + each * use.launches_left;
  const std::string beyond =
      all > total * to_spare
          ? ", beyond the budget of " + format_duration(total) + " to make as many as are asked for"
          : "";
  return "about " + format_duration(all) + ": " + count_text(request, launches) + " of " +
         format_duration(each) + by_setting(request, launches) + beyond;
}

std::string text_without_budget(const Request& request, int launches) {
  const std::string counted = count_text(request, launches) + by_setting(request, launches);
  const auto precision = precision_of(request.config);
  if (!precision) return counted + "; the first tells how long it takes";
  return counted + ", and more until every interval is within " + format_fraction(*precision) +
         " of its median";
}

/// nullopt where they tell something, or a simulator's launches need not differ.
std::optional<std::string> text_of_too_few(const Request& request, int launches) {
  const int telling = fewest_telling_launches();
  if (launches >= telling || request.launcher.kind == LauncherKind::simgrid) return std::nullopt;
  std::string enough = "--launches " + std::to_string(telling);
  if (request.config.budget && !request.config.launches) {
    const BudgetUse use = expected_use(request, telling);
    const Seconds start_up = request.terms.start_up.value_or(Seconds{});
    const Seconds least = start_up / start_up_share_at_most;
    enough = budget_option(use.spent + use.due + least * use.launches_left);
    const Seconds budget = request.config.budget.value_or(Seconds{});
    const Seconds left = std::max(Seconds{}, budget - use.spent - use.due);
    const auto fitting = whole_number<int>(std::floor(left / (least * telling)));
    if (fitting > 0 && fitting < settings_of(request)) {
      enough += ", or " + std::to_string(fitting) + " of the " +
                std::to_string(settings_of(request)) + " settings";
    }
  }
  return launches_text(launches) + (launches == 1 ? " of a setting gives" : " of a setting give") +
         " no interval and can show no difference at " + format_fraction(default_level) + ", " +
         std::to_string(telling) + " can: " + enough;
}

}  // namespace

std::vector<std::string> what_to_expect(const Request& request) {
  const int launches = first_plan(request.config, request.terms).launches;
  const Stopping stopping(request.config, request.terms);
  const auto& budget = stopping.budget();
  std::vector<std::string> lines{budget ? text_with_budget(request, *budget, launches)
                                        : text_without_budget(request, launches)};
  if (auto few = text_of_too_few(request, launches)) lines.push_back(std::move(*few));
  return lines;
}

std::vector<std::string> what_is_to_come(const Step& first) {
  const int complete = first.position - 1;
  return {std::to_string(complete) + " of " + launches_text(first.total) + " are complete, " +
          std::to_string(first.total - complete) + " to come, in the same random blocks"};
}

std::string how_to_add(const Manifest& manifest, const std::string& folder) {
  const std::string again = "hockney run --resume --out " + inert(folder);
  const Seconds spent{manifest.elapsed_seconds};
  const auto twice = std::llround(std::max(10.0, std::ceil(2 * spent.value)));
  const std::string count = launches_text(manifest.launches) +
                            (manifest.config.settings.size() > 1 ? " of each setting" : "");
  return "complete with " + count + " in " + format_duration(spent) +
         ", none added; to add: " + again + " --launches " + std::to_string(2 * manifest.launches) +
         ", or --budget " + std::to_string(twice) + "s in all, or --precision 2%";
}

std::optional<Message> what_is_too_long(const Request& request) {
  const int launches = first_plan(request.config, request.terms).launches;
  const Stopping stopping(request.config, request.terms);
  const auto& budget = stopping.budget();
  if (!budget) return std::nullopt;
  const auto least = budget->least_beyond(expected_use(request, launches), launches);
  return least ? std::optional(budget_too_small(request, *least)) : std::nullopt;
}

Message budget_too_small(const Request& request, Seconds least) {
  const int settings = settings_of(request);
  const auto& requested = request.config.launches;
  std::string what = launches_text(requested.value_or(1) * settings);
  if (settings > 1 && !requested) {
    what = "one launch of each of " + std::to_string(settings) + " settings";
  }
  const int runs = verification_runs_of(request);
  if (runs > 0) what += " and " + std::to_string(runs) + " witness launches";
  return {
      "a budget of " + format_duration(request.config.budget.value_or(Seconds{})) + " is too small",
      "about " + format_duration(least) + " are needed for " + what,
      "give " + budget_option(least) + " or more" + (requested ? ", or fewer --launches" : "")};
}

BudgetUse budget_use(const Manifest& manifest, Seconds spent, int launches_left) {
  BudgetUse use{.spent = spent, .complete = {}, .launches_left = launches_left};
  for (const Attempt& attempt : manifest.attempts) {
    // A complete launch with a remark was slow to end or had to be ended: not what one costs.
    const bool clean = attempt.status == AttemptStatus::complete && attempt.reason.empty();
    const double measuring = attempt.measuring_seconds.value_or(-1);
    if (!clean || !(measuring >= 0)) continue;
    use.complete.push_back({.wall = {attempt.duration_seconds},
                            .measuring = {measuring},
                            .slot = {attempt.slot_seconds.value_or(measuring)},
                            .is_shortened = attempt.points_left_out.has_value()});
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
