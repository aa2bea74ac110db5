#include "components/application/screens/time_line_views.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

/// Sentences about iterations.
namespace words {

constexpr std::string_view rank_computes_longer = "rank {} computes longer";
constexpr std::string_view ranks_compute_longer = "most ranks compute longer";
constexpr std::string_view longer_in = "rank {} is longer in {}";
constexpr std::string_view other_calls = "; one of {} has other calls";
constexpr std::string_view slowest = "; the slowest, {}, is number {}";
constexpr std::string_view none_found = "no iterations found ({})";
constexpr std::string_view half_of_them = "{}; half of them take {} to {}{}";

}  // namespace words

using applications::ActivityLine;
using applications::Iteration;
using applications::Iterations;
using applications::SlowIteration;
using Json = nlohmann::json;

constexpr double rank_parts = 1e4;  // to which documents round a number of ranks

/// "rank 3 computes longer"; empty if it is not known.
std::string cause_words(const SlowIteration& slow) {
  switch (slow.cause) {
    case SlowIteration::Cause::rank_computes:
      return fmt::format(words::rank_computes_longer, slow.rank);
    case SlowIteration::Cause::ranks_compute:
      return std::string(words::ranks_compute_longer);
    case SlowIteration::Cause::call:
      return fmt::format(words::longer_in, slow.rank, slow.call);
    default:
      return {};
  }
}

constexpr std::size_t most_iterations = 500;  // in a document

/// The slowest of each group of consecutive iterations.
std::vector<std::size_t> slowest_of_groups(const Iterations& found, std::size_t group) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < found.count(); ++i) {
    if (i % group == 0) numbers.push_back(i);
    if (found.all[i].seconds > found.all[numbers.back()].seconds) numbers.back() = i;
  }
  return numbers;
}

Json window_json(const applications::CallWindow& window) { return {window.begin, window.end}; }

template <class Windows>
Json windows_json(const Windows& windows) {
  Json json = Json::array();
  for (const applications::CallWindow& window : windows) json.push_back(window_json(window));
  return json;
}

}  // namespace

std::string iteration_words(const Iterations& found) {
  std::string text = fmt::format("{} iterations of {}", found.count(),
                                 short_time(found.median_seconds, found.interval));
  constexpr double all_of_run = 0.8;
  if (found.run_fraction < all_of_run) {
    text += fmt::format(", {} of the run", share_text(found.run_fraction));
  }
  if (found.outer_period > 0) text += fmt::format(words::other_calls, found.outer_period);
  text +=
      fmt::format(words::slowest, short_time(found.all[found.slowest].seconds), found.slowest + 1);
  const std::string cause = cause_words(found.why_slowest);
  return text + (cause.empty() ? "" : ": " + cause);
}

std::string iterations_title(const Iterations& found) {
  if (found.count() == 0) return fmt::format(words::none_found, found.why_none);
  return fmt::format(words::half_of_them, iteration_words(found), short_time(found.low_seconds),
                     short_time(found.high_seconds),
                     found.count() > most_printed_iterations ? "; here the slowest ones" : "");
}

std::vector<std::size_t> slowest_iterations(const Iterations& iterations, std::size_t most) {
  std::vector<std::size_t> numbers(iterations.count());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  const auto seconds = [&](std::size_t number) { return iterations.all[number].seconds; };
  std::ranges::stable_sort(numbers, std::greater<>(), seconds);
  numbers.resize(std::min(numbers.size(), most));
  std::ranges::sort(numbers);
  return numbers;
}

View view_of_iterations(const Iterations& iterations) {
  return view_of_iterations(iterations, slowest_iterations(iterations, iterations.count()));
}

View view_of_iterations(const Iterations& iterations, const std::vector<std::size_t>& numbers) {
  const auto at = [&](std::size_t number) -> const Iteration& { return iterations.all[number]; };
  const Columns<std::size_t> columns{
      {{"iteration", "iteration", Unit::count}, [](std::size_t number) { return number + 1; }},
      {{"begin_seconds", "begin", Unit::seconds},
       [&](std::size_t number) { return at(number).begin_seconds; }},
      {{"end_seconds", "end", Unit::seconds},
       [&](std::size_t number) { return at(number).end_seconds; }},
      {{"seconds", "mean time", Unit::seconds},
       [&](std::size_t number) { return at(number).seconds; }}};
  return make_view(columns, numbers);
}

View view_of_activity(const ActivityLine& line) {
  View view{{{"from_seconds", "from", Unit::seconds},
             {"to_seconds", "to", Unit::seconds},
             {"activity", "activity"},
             {"ranks", "ranks", Unit::number}},
            {}};
  for (std::size_t bin = 0; bin < line.bins(); ++bin) {
    const double from = line.begin_seconds + static_cast<double>(bin) * line.bin_seconds;
    for (const ActivityLine::Activity& one : line.activities) {
      view.rows.push_back({from, from + line.bin_seconds, one.name, one.ranks[bin]});
    }
  }
  return view;
}

Json iterations_json(const ProfileView& view) {
  if (!view.report.lines) return nullptr;
  const Iterations& found = view.report.lines->iterations;
  if (found.count() == 0) return {{"count", 0}, {"why_none", found.why_none}};
  const Iteration& slowest = found.all[found.slowest];
  const SlowIteration& why = found.why_slowest;
  const bool is_known = why.cause != SlowIteration::Cause::not_known;
  const bool is_call = why.cause == SlowIteration::Cause::call;
  const std::size_t group = (found.count() + most_iterations - 1) / most_iterations;
  return {{"count", found.count()},
          {"why_none", nullptr},
          {"ranks", found.ranks},
          {"calls", found.calls},
          {"run_fraction", found.run_fraction},
          {"median_seconds", found.median_seconds},
          {"median_ci_seconds",
           found.interval ? Json{found.interval->low, found.interval->high} : Json()},
          {"quartiles_seconds", {found.low_seconds, found.high_seconds}},
          {"outer_period", found.outer_period > 0 ? Json(found.outer_period) : Json()},
          {"typical", found.typical + 1},
          {"group", group},
          {"each", to_json(view_of_iterations(found, slowest_of_groups(found, group)))},
          {"slowest",
           {{"iteration", found.slowest + 1},
            {"begin_seconds", slowest.begin_seconds},
            {"seconds", slowest.seconds},
            {"cause", is_known ? Json(cause_words(why)) : Json()},
            {"rank", is_known ? Json(why.rank) : Json()},
            {"call", is_call ? Json(why.call) : Json()},
            {"longer_seconds", is_known ? Json(why.seconds) : Json()}}}};
}

std::string timeline_bytes(const ProfileView& view) {
  const applications::EventLevels& levels = *view.report.lines->levels;
  Json functions = Json::array();
  for (std::size_t i = 0; i < levels.functions.size(); ++i) {
    functions.push_back({levels.functions[i], static_cast<int>(levels.doings[i])});
  }
  std::vector<std::string> sites;
  for (const auto& site : levels.sites) sites.push_back(site_text(view, site));
  const auto or_null = [](const auto& window) { return window ? window_json(*window) : Json(); };
  const std::string head = Json{
      {"nanoseconds", levels.nanoseconds},
      {"unit", levels.unit},
      {"slot_units", levels.slot_units},
      {"slots", levels.slots},
      {"ranks", levels.ranks},
      {"hosts", levels.hosts},
      {"doings", words_of(std::type_identity<applications::Doing>{})},
      {"functions", std::move(functions)},
      {"sites", std::move(sites)},
      {"windows", windows_json(levels.windows)},
      {"typical", or_null(levels.typical)},
      {"slowest", or_null(levels.slowest)},
      {"calls", levels.calls}}.dump(-1, ' ', true, Json::error_handler_t::replace);
  return fmt::format("{}\n{}", head, levels.bytes);
}

Json timeline_json(const ProfileView& view) {
  if (!view.report.lines || !view.report.lines->activity) return nullptr;
  const ActivityLine& line = *view.report.lines->activity;
  Json activities = Json::array();
  for (const ActivityLine::Activity& one : line.activities) {
    std::vector<double> ranks = one.ranks;
    for (double& mean : ranks) mean = std::round(mean * rank_parts) / rank_parts;
    activities.push_back({{"activity", one.name}, {"ranks", std::move(ranks)}});
  }
  return {{"begin_seconds", line.begin_seconds},
          {"bin_seconds", line.bin_seconds},
          {"activities", std::move(activities)}};
}

}  // namespace hockney::report
