#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "application/page/profile_page.hpp"
#include "application/screens/comparison_report.hpp"
#include "application/screens/scaling_report.hpp"
#include "core/text.hpp"
#include "report/page/plot.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using applications::Comparison;
using applications::Run;
using Json = nlohmann::json;

/// Sentences of this page.
namespace words {

constexpr std::string_view times_as_fast = "{}: {}{} times as fast as {}";
constexpr std::string_view no_part_grew = "No part of the time grew in {}";
constexpr std::string_view part_grew =
    "The part for {} grew the most, from {} to {} of the time of {}";
constexpr std::string_view time_of_each_run =
    "Where the time of each run goes: means over its ranks, medians over launches.";
constexpr std::string_view no_call_grew = "No call takes more of the time of {}";
constexpr std::string_view call_grew =
    "Of the calls {} grew the most, from {} to {} of the time of {}";
constexpr std::string_view most_ranks = "The most ranks with {} efficiency: {}{}";
constexpr std::string_view no_ranks = "No number of ranks has {} efficiency";
constexpr std::string_view none_is_faster = "No question is sure to make it faster than {}";
constexpr std::string_view saves_most = "Of {} most is saved by: {}, {}";

}  // namespace words

/// Whether all runs differ in their number of ranks, so that ranks can be an axis.
bool are_by_ranks(const Comparison& comparison) {
  std::set<int> ranks;
  for (const Run& run : comparison.runs) ranks.insert(run.ranks);
  return ranks.size() == comparison.runs.size();
}

/// The line of ideal scaling, from the first run to the last.
Json ideal_line(const Comparison& comparison) {
  const Run& first = comparison.runs.front();
  const Run& last = comparison.runs.back();
  const bool is_weak = comparison.scaling == applications::Scaling::weak;
  const double ideal = is_weak ? 1 : static_cast<double>(last.ranks) / first.ranks;
  return Json::array(
      {{{"ranks", first.ranks}, {"value", 1}}, {{"ranks", last.ranks}, {"value", ideal}}});
}

/// The speed-up of the last run over the first one.
std::string speed_up_title(const Comparison& comparison) {
  const std::vector<std::string> labels = run_labels(comparison);
  const auto& last = comparison.runs.back().speed_up;
  if (!last) return "Speed-up over " + labels.front();
  const std::string interval =
      last->interval ? fmt::format(" ({})", interval_text(last->interval, 1, 3)) : "";
  return fmt::format(words::times_as_fast, labels.back(), significant(last->value, 3), interval,
                     labels.front());
}

std::vector<Picture> speed_up_picture(const Comparison& comparison, const ProgramSource& source) {
  const std::vector<std::string> labels = run_labels(comparison);
  std::vector<RunFigure> speed_ups;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Run& run = comparison.runs[i];
    if (run.speed_up) speed_ups.push_back({&run, labels[i], *run.speed_up});
  }
  if (speed_ups.empty()) return {};
  const Column<RunFigure> time{{"seconds", "time", Unit::seconds},
                               [](const RunFigure& one) { return one.run->seconds.value; }};
  Picture picture{.id = "speed-up",
                  .title = speed_up_title(comparison),
                  .table = view_of_figures(speed_ups, time, "speed-up"),
                  .launches = source.launches,
                  .command = source.command + " --all"};
  Json values = values_of(picture.table);
  const bool by_ranks = are_by_ranks(comparison);
  Json bindings{{"base", labels.front()},
                {"intervals", interval_caption(values, "Bars: ")},
                {"height", by_ranks ? 260 : height_of_bars(labels.size())}};
  if (by_ranks) {
    bindings["ideal"] = ideal_line(comparison);
  } else {
    bindings["runs"] = labels;
  }
  draw(picture, by_ranks ? "speed_up_by_ranks" : "speed_up_by_run", std::move(values),
       std::move(bindings));
  return {std::move(picture)};
}

}  // namespace

std::vector<Picture> scaling_pictures(const Comparison& comparison, const ProgramSource& source) {
  std::vector<Picture> pictures = speed_up_picture(comparison, source);
  std::ranges::move(efficiency_pictures(comparison, source), std::back_inserter(pictures));
  return pictures;
}

namespace {

using applications::Part;

constexpr std::size_t most_compared_calls = 8;

/// The part that grew in the last run, in words.
std::string parts_title(const Comparison& comparison) {
  const Run& last = comparison.runs.back();
  const std::string label = run_labels(comparison).back();
  if (!last.part_that_grew) return fmt::format(words::no_part_grew, label);
  return fmt::format(words::part_grew, word(last.part_that_grew->what),
                     share_text(last.part_that_grew->from), share_text(last.part_that_grew->to),
                     label);
}

Picture parts_picture(const Comparison& comparison, const ProgramSource& source) {
  const std::vector<std::string> labels = run_labels(comparison);
  Picture picture{
      .id = "parts-by-run",
      .title = parts_title(comparison),
      .caption = std::string(words::time_of_each_run),
      .table =
          View{{{"run", "run"}, {"part", "part"}, {"share_fraction", "share", Unit::share}}, {}},
      .launches = source.launches,
      .command = source.command + " --all"};
  std::vector<std::string> parts;
  for (std::size_t index = 0; index < enum_words<Part>.size(); ++index) {
    const auto has_any = [&](const Run& run) { return run.shares[index] > 0; };
    if (!std::ranges::any_of(comparison.runs, has_any)) continue;
    parts.emplace_back(enum_words<Part>.at(index));
    for (std::size_t i = 0; i < labels.size(); ++i) {
      picture.table.rows.push_back({labels[i], parts.back(), comparison.runs[i].shares[index]});
    }
  }
  draw_stacked_bars(picture, {"share_fraction", "part of the time"}, "run", parts);
  return picture;
}

/// The functions that take most of the time of any run, most first.
std::vector<std::string> largest_calls(const Comparison& comparison) {
  std::map<std::string, double> most;
  for (const Run& run : comparison.runs) {
    for (const auto& [call, share] : run.call_shares) most[call] = std::max(most[call], share);
  }
  std::vector<std::pair<std::string, double>> calls(most.begin(), most.end());
  std::ranges::stable_sort(calls, std::greater<>(), &std::pair<std::string, double>::second);
  if (calls.size() > most_compared_calls) calls.resize(most_compared_calls);
  return strings_of(calls, [](const auto& one) { return one.first; });
}

std::string calls_title(const Comparison& comparison) {
  const Run& last = comparison.runs.back();
  const std::string label = run_labels(comparison).back();
  if (!last.call_that_grew) return fmt::format(words::no_call_grew, label);
  return fmt::format(words::call_grew, inert(last.call_that_grew->what),
                     share_text(last.call_that_grew->from), share_text(last.call_that_grew->to),
                     label);
}

std::vector<Picture> calls_picture(const Comparison& comparison, const ProgramSource& source) {
  const std::vector<std::string> labels = run_labels(comparison);
  const std::vector<std::string> calls = largest_calls(comparison);
  if (calls.empty() || labels.size() > most_series) return {};
  Picture picture{
      .id = "calls-by-run",
      .title = calls_title(comparison),
      .table =
          View{{{"call", "call"}, {"run", "run"}, {"share_fraction", "share", Unit::share}}, {}},
      .launches = source.launches,
      .command = source.command + " --all"};
  for (const std::string& call : calls) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const auto& shares = comparison.runs[i].call_shares;
      const auto found = shares.find(call);
      picture.table.rows.push_back({call, labels[i], found == shares.end() ? 0.0 : found->second});
    }
  }
  draw(picture, "calls_by_run", values_of(picture.table),
       {{"height", 70 + calls.size() * labels.size() * 14 + calls.size() * 8}});
  return {std::move(picture)};
}

}  // namespace

std::vector<Picture> growth_pictures(const Comparison& comparison, const ProgramSource& source) {
  std::vector<Picture> pictures{parts_picture(comparison, source)};
  std::ranges::move(calls_picture(comparison, source), std::back_inserter(pictures));
  return pictures;
}

namespace {

using projection::ScalingPoint;

/// Times and efficiencies by the law, between the fewest and the most ranks.
Json law_values(const ScalingView& view) {
  constexpr double step = 1.15;
  Json values = Json::array();
  if (!view.study.law) return values;
  const ScalingPoint& first = view.study.points.front();
  const double last = view.study.points.back().ranks;
  for (double place = first.ranks; place < last * step; place *= step) {
    const int ranks = static_cast<int>(std::min(place, last));
    const double seconds = view.study.law->seconds(ranks);
    if (!values.empty() && values.back().at("ranks") == ranks) continue;
    const bool grows = view.problem == projection::Problem::grows;
    const double work = grows ? 1 : static_cast<double>(first.ranks) / ranks;
    values.push_back(
        {{"ranks", ranks}, {"seconds", seconds}, {"efficiency", work * first.seconds / seconds}});
  }
  return values;
}

/// Points of each kind against ranks with the line of the law: the column `quantity`.
void draw_law(Picture& picture, const ScalingView& view, const std::string& quantity, Json more) {
  more.update(Json{{"quantity", quantity}, {"law", law_values(view)}});
  draw(picture, "law", values_of(picture.table), std::move(more));
}

Picture efficiency_picture(const ScalingView& view, const ProgramSource& source) {
  const auto& best = view.study.best;
  const std::string asked = share_text(view.efficiency);
  Picture picture{.id = "efficiency-against-ranks",
                  .title = best ? fmt::format(words::most_ranks, asked, best->ranks,
                                              best->is_measured ? "" : ", by the law")
                                : fmt::format(words::no_ranks, asked),
                  .table = view_of(view),
                  .launches = source.launches,
                  .command = source.command};
  const Json line =
      Json::array({{{"efficiency", view.efficiency}, {"says", asked + " was requested"}}});
  draw_law(picture, view, "efficiency", {{"requested", line}, {"has_intervals", false}});
  return picture;
}

Picture time_picture(const ScalingView& view, const ProgramSource& source) {
  const auto measured = std::ranges::find_if(view.study.points.rbegin(), view.study.points.rend(),
                                             [](const auto& point) { return point.is_measured; });
  const ScalingPoint& first = view.study.points.front();
  Picture picture{
      .id = "time-against-ranks",
      .title = fmt::format("From {} to {}: {} to {}",
                           count_text(static_cast<std::size_t>(first.ranks), "rank"),
                           measured->ranks, short_time(first.seconds, first.interval_seconds),
                           short_time(measured->seconds, measured->interval_seconds)),
      .table = view_of(view),
      .launches = source.launches,
      .command = source.command};
  const bool has_intervals = has_any(values_of(picture.table), "ci_low_seconds");
  draw_law(picture, view, "seconds", {{"requested", nullptr}, {"has_intervals", has_intervals}});
  return picture;
}

}  // namespace

std::vector<Picture> law_pictures(const ScalingView& view, const ProgramSource& source) {
  return {efficiency_picture(view, source), time_picture(view, source)};
}

namespace {

using projection::Effect;
using projection::Projection;

/// "11.6 s (11.1 .. 12.2), faster", or why there is no time.
std::string words_of(const Projection& answer) {
  if (!answer.why_not.empty()) return "cannot tell: " + answer.why_not;
  const Interval range{answer.range.low_seconds, answer.range.high_seconds, 0};
  return fmt::format("{}, {}", short_time(answer.seconds, range), word(answer.effect));
}

/// The change that saves most time, if one saves any.
std::string title_of(const ProjectionView& view) {
  const Projection* best = nullptr;
  for (const Projection& answer : view.answers) {
    if (!answer.why_not.empty() || answer.effect != Effect::faster) continue;
    if (best == nullptr || answer.seconds < best->seconds) best = &answer;
  }
  const std::string measured = short_time(view.validation.measured_seconds);
  if (best == nullptr) return fmt::format(words::none_is_faster, measured);
  return fmt::format(words::saves_most, measured, inert(best->question), words_of(*best));
}

}  // namespace

std::vector<Picture> answer_pictures(const ProjectionView& view, const ProgramSource& source) {
  if (view.answers.empty()) return {};
  Picture picture{.id = "what-if",
                  .title = title_of(view),
                  .table = view_of(view),
                  .launches = source.launches,
                  .command = source.command};
  Json values = values_of(picture.table);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i]["words"] = inert(words_of(view.answers[i]));
  const double measured = view.validation.measured_seconds;
  draw(picture, "answers", std::move(values),
       {{"measured",
         Json::array({{{"seconds", measured}, {"says", "measured: " + short_time(measured)}}})},
        {"height", 70 + 52 * view.answers.size()}});
  return {std::move(picture)};
}

}  // namespace hockney::report
