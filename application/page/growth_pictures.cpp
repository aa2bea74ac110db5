#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "application/page/profile_page.hpp"
#include "application/screens/comparison_report.hpp"
#include "core/text.hpp"
#include "report/page/plot.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using applications::Comparison;
using applications::Run;
using Json = nlohmann::json;

/// Whether each run has its own number of ranks, so that they make an axis.
bool are_by_ranks(const Comparison& comparison) {
  std::set<int> ranks;
  for (const Run& run : comparison.runs) ranks.insert(run.ranks);
  return ranks.size() == comparison.runs.size();
}

/// Where runs and their figures stand: ranks along x, or a line for each run.
struct RunAxes {
  bool are_ranks = false;
  Json run;
  std::function<Json(const char*)> figure;

  /// A place for marks, from one figure to another where there are two.
  [[nodiscard]] Json place(const char* key, const char* second = nullptr) const {
    Json channels{{are_ranks ? "x" : "y", run}, {are_ranks ? "y" : "x", figure(key)}};
    if (second != nullptr) channels[are_ranks ? "y2" : "x2"] = {{"field", second}};
    return channels;
  }
};

RunAxes axes_of(const Comparison& comparison, const Json& values,
                std::function<Json(const char*)> figure) {
  RunAxes axes{.are_ranks = are_by_ranks(comparison),
               .run = ranks_channel("ranks", values),
               .figure = std::move(figure)};
  if (axes.are_ranks) return axes;
  axes.run = name_channel("run", "", run_labels(comparison));
  axes.run["axis"] = {{"title", nullptr}, {"labelLimit", 330}, {"grid", true}};
  return axes;
}

/// Of a plot with a line for each run, or an upright one.
int height_for(const Comparison& comparison, int upright) {
  return are_by_ranks(comparison) ? upright : height_of_bars(comparison.runs.size());
}

/// Points with the bars of their intervals.
Json point_layers(const Json& values, const RunAxes& axes) {
  const Json mark{{"type", "point"},
                  {"filled", true},
                  {"size", 75},
                  {"opacity", 1},
                  {"color", "var(--series-1)"}};
  Json layers = Json::array();
  if (std::ranges::any_of(values, [](const Json& one) { return !one.at("low").is_null(); })) {
    layers.push_back({{"transform", Json::array({{{"filter", "isValid(datum.low)"}}})},
                      {"mark", {{"type", "rule"}, {"strokeWidth", 2}}},
                      {"encoding", axes.place("low", "high")}});
  }
  layers.push_back({{"name", "rows"}, {"mark", mark}, {"encoding", telling(axes.place("value"))}});
  return layers;
}

/// As many times faster as there are more ranks, from the first run to the last.
Json ideal_layer(const Comparison& comparison, const RunAxes& axes) {
  const Run& first = comparison.runs.front();
  const Run& last = comparison.runs.back();
  const bool is_weak = comparison.scaling == applications::Scaling::weak;
  const double ideal = is_weak ? 1 : static_cast<double>(last.ranks) / first.ranks;
  const Json values = Json::array(
      {{{"ranks", first.ranks}, {"value", 1}}, {{"ranks", last.ranks}, {"value", ideal}}});
  return over(values, {{"mark",
                        {{"type", "line"},
                         {"strokeWidth", 1.5},
                         {"strokeDash", Json::array({4, 4})},
                         {"color", "var(--soft)"}}},
                       {"encoding", axes.place("value")}});
}

/// What the screen says of the last run, without what grew.
std::string speed_up_title(const Comparison& comparison) {
  const std::vector<std::string> labels = run_labels(comparison);
  const auto& last = comparison.runs.back().speed_up;
  if (!last) return "Speed-up over " + labels.front();
  const std::string interval =
      last->interval ? " (" + interval_text(last->interval, 1, 3) + ")" : "";
  return labels.back() + ": " + significant(last->value, 3) + interval + " times as fast as " +
         labels.front();
}

std::vector<Picture> speed_up_picture(const Comparison& comparison, const ProgramSource& source) {
  const std::vector<std::string> labels = run_labels(comparison);
  Picture picture{.id = "speed-up",
                  .title = speed_up_title(comparison),
                  .caption = {},
                  .table = View{{{"run", "run"},
                                 {"ranks", "ranks", Unit::count},
                                 {"seconds", "time", Unit::seconds},
                                 {"value", "speed-up", Unit::number},
                                 {"low", "from", Unit::number},
                                 {"high", "to", Unit::number}},
                                {}},
                  .launches = source.launches,
                  .command = source.command + " --all"};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Run& run = comparison.runs[i];
    add_figure(picture.table, {labels[i], run.ranks, run.seconds.value}, run.speed_up);
  }
  if (picture.table.rows.empty()) return {};
  Json values = values_of(picture.table);
  const RunAxes axes = axes_of(comparison, values, [&](const char* key) {
    return ratio_channel(key, "speed-up", are_by_ranks(comparison) ? "y" : "x");
  });
  Json layers = axes.are_ranks ? Json::array({ideal_layer(comparison, axes)}) : Json::array();
  for (Json& layer : point_layers(values, axes)) layers.push_back(std::move(layer));
  picture.caption = "Over " + labels.front() + "." + interval_caption(values, "Bars: ") +
                    (axes.are_ranks ? " Dashed: efficiency 1." : "");
  picture.plot =
      plot_of(picture.title, std::move(values), std::move(layers), height_for(comparison, 260));
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
  if (!last.part_that_grew) return "No part of the time grew in " + label;
  return "The part for " + std::string(word(last.part_that_grew->what)) + " grew the most, from " +
         share_text(last.part_that_grew->from) + " to " + share_text(last.part_that_grew->to) +
         " of the time of " + label;
}

Picture parts_picture(const Comparison& comparison, const ProgramSource& source) {
  const std::vector<std::string> labels = run_labels(comparison);
  Picture picture{
      .id = "parts-by-run",
      .title = parts_title(comparison),
      .caption = "Where the time of each run goes: means over its ranks, medians over launches.",
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
  Json values = values_of(picture.table);
  number_parts(values, parts);
  Json y = name_channel("run", "", labels);
  y["axis"] = {{"title", nullptr}, {"labelLimit", 330}};
  Json layers = stacked_bars(share_channel("share_fraction", "part of the time"), y, parts);
  picture.plot =
      plot_of(picture.title, std::move(values), std::move(layers), height_of_bars(labels.size()));
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
  if (!last.call_that_grew) return "No call takes more of the time of " + label;
  return "Of the calls " + inert(last.call_that_grew->what) + " grew the most, from " +
         share_text(last.call_that_grew->from) + " to " + share_text(last.call_that_grew->to) +
         " of the time of " + label;
}

std::vector<Picture> calls_picture(const Comparison& comparison, const ProgramSource& source) {
  const std::vector<std::string> labels = run_labels(comparison);
  const std::vector<std::string> calls = largest_calls(comparison);
  if (calls.empty() || labels.size() > most_series) return {};
  Picture picture{
      .id = "calls-by-run",
      .title = calls_title(comparison),
      .caption = "The calls that take most of the time of any run; of the time of all its ranks.",
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
  Json values = values_of(picture.table);
  Json y = name_channel("call", "", names_in(values, "call"));
  y["axis"] = {{"title", nullptr}, {"labelLimit", 330}};
  const Json offset{{"field", "run"}, {"type", "nominal"}, {"sort", labels}};
  picture.plot = plot_of(
      picture.title, std::move(values),
      Json::array(
          {{{"name", "rows"},
            {"mark", "bar"},
            {"encoding", telling({{"x", share_channel("share_fraction", "part of the time")},
                                  {"y", y},
                                  {"yOffset", offset},
                                  {"color", series_color("run", labels)}})}}}),
      70 + static_cast<int>(calls.size() * labels.size()) * 14 +
          static_cast<int>(calls.size()) * 8);
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

/// What the law says between the fewest and the most ranks; of efficiencies what it makes of them.
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

/// `y` gives the vertical channel of a key.
template <class Channel>
Json layers_against_ranks(const ScalingView& view, const Json& values, const char* key, Channel y) {
  const std::vector<std::string> kinds = names_in(values, "kind");
  const Json x = ranks_channel("ranks", values);
  Json layers = Json::array();
  if (view.study.law) {
    layers.push_back(
        over(law_values(view),
             {{"mark", {{"type", "line"}, {"strokeWidth", 1.5}, {"color", "var(--soft)"}}},
              {"encoding", {{"x", x}, {"y", y(key)}}}}));
  }
  layers.push_back({{"name", "rows"},
                    {"mark", {{"type", "point"}, {"filled", true}, {"size", 80}, {"opacity", 1}}},
                    {"encoding", telling({{"x", x},
                                          {"y", y(key)},
                                          {"color", series_color("kind", kinds)},
                                          {"shape", series_shape("kind", kinds)}})}});
  return layers;
}

std::string caption_of(const ScalingView& view) {
  return view.study.law
             ? "Points: medians over launches. Line: the law through them, also beyond what was "
               "measured."
             : "Points: medians over launches.";
}

Picture efficiency_picture(const ScalingView& view, const ProgramSource& source) {
  const auto& best = view.study.best;
  const std::string asked = share_text(view.efficiency);
  Picture picture{.id = "efficiency-against-ranks",
                  .title = best ? "The most ranks with " + asked +
                                      " efficiency: " + std::to_string(best->ranks) +
                                      (best->is_measured ? "" : ", by the law")
                                : "No number of ranks has " + asked + " efficiency",
                  .caption = caption_of(view) + " Dashed: the requested efficiency.",
                  .table = view_of(view),
                  .launches = source.launches,
                  .command = source.command};
  const auto y = [](const char* key) { return share_channel(key, "efficiency"); };
  Json values = values_of(picture.table);
  Json layers = layers_against_ranks(view, values, "efficiency", y);
  const Json line =
      Json::array({{{"efficiency", view.efficiency}, {"says", asked + " was requested"}}});
  layers.push_back(
      over(line,
           {{"mark", {{"type", "rule"}, {"strokeWidth", 1.5}, {"strokeDash", Json::array({4, 4})}}},
            {"encoding", telling({{"y", y("efficiency")}})}}));
  picture.plot = plot_of(picture.title, std::move(values), std::move(layers), 260);
  return picture;
}

Picture time_picture(const ScalingView& view, const ProgramSource& source) {
  const auto measured = std::ranges::find_if(view.study.points.rbegin(), view.study.points.rend(),
                                             [](const auto& point) { return point.is_measured; });
  const ScalingPoint& first = view.study.points.front();
  Picture picture{.id = "time-against-ranks",
                  .title = "From " + count_text(static_cast<std::size_t>(first.ranks), "rank") +
                           " to " + std::to_string(measured->ranks) + ": " +
                           short_time(first.seconds, first.interval_seconds) + " to " +
                           short_time(measured->seconds, measured->interval_seconds),
                  .caption = caption_of(view),
                  .table = view_of(view),
                  .launches = source.launches,
                  .command = source.command};
  const auto y = [](const char* key) {
    Json channel = time_channel(key);
    channel["axis"]["title"] = "time of the run";
    return channel;
  };
  Json values = values_of(picture.table);
  Json layers = layers_against_ranks(view, values, "seconds", y);
  if (std::ranges::any_of(values, [](const Json& one) { return !one.at("low").is_null(); })) {
    // Of a list in braces, insert() would make as many layers as it has keys.
    Json bars{
        {"transform", Json::array({{{"filter", "isValid(datum.low)"}}})},
        {"mark", {{"type", "rule"}, {"strokeWidth", 2}}},
        {"encoding",
         {{"x", ranks_channel("ranks", values)}, {"y", y("low")}, {"y2", {{"field", "high"}}}}}};
    layers.insert(layers.begin(), std::move(bars));
    picture.caption += " Bars: 95 % intervals over launches.";
  }
  picture.plot = plot_of(picture.title, std::move(values), std::move(layers), 260);
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
  return short_time(answer.seconds, range) + ", " + std::string(word(answer.effect));
}

/// The change that saves most, if any does.
std::string title_of(const ProjectionView& view) {
  const Projection* best = nullptr;
  for (const Projection& answer : view.answers) {
    if (!answer.why_not.empty() || answer.effect != Effect::faster) continue;
    if (best == nullptr || answer.seconds < best->seconds) best = &answer;
  }
  const double measured = view.validation.measured_seconds;
  if (best == nullptr) {
    return "No question is sure to make it faster than " + short_time(measured);
  }
  return "Of " + short_time(measured) + " most is saved by: " + inert(best->question) + ", " +
         words_of(*best);
}

Json line_at(double seconds, const std::string& name, const Json& x) {
  const Json values = Json::array({{{"seconds", seconds}, {"says", name}}});
  return over(values, {{"mark",
                        {{"type", "rule"},
                         {"strokeWidth", 1.5},
                         {"strokeDash", Json::array({4, 4})},
                         {"color", "var(--soft)"}}},
                       {"encoding", telling({{"x", x}})}});
}

/// Words for every row stand above the range of those that have one.
Json layers_of(const ProjectionView& view, const Json& values) {
  Json y = name_channel("question", "", names_in(values, "question"));
  y["axis"] = {{"title", nullptr}, {"labelLimit", 330}, {"grid", true}};
  const auto x = [](const char* key) { return even_time_channel(key, "time of the run"); };
  const double measured = view.validation.measured_seconds;
  const Json told = Json::array({{{"filter", "isValid(datum.seconds)"}}});
  const Json range{{"type", "rule"}, {"strokeWidth", 5}, {"color", "var(--series-1)"}};
  const Json point{{"type", "point"},
                   {"filled", true},
                   {"size", 90},
                   {"opacity", 1},
                   {"color", "var(--series-1)"}};
  const Json words{{"type", "text"}, {"align", "left"}, {"dy", -14}, {"limit", 500}};
  return Json::array(
      {line_at(measured, "measured: " + short_time(measured), x("seconds")),
       {{"transform", told},
        {"mark", range},
        {"encoding", {{"y", y}, {"x", x("low_seconds")}, {"x2", {{"field", "high_seconds"}}}}}},
       {{"transform", told},
        {"mark", point},
        {"encoding", telling({{"y", y}, {"x", x("seconds")}})}},
       {{"name", "rows"},
        {"mark", words},
        {"encoding", telling({{"y", y},
                              {"x", {{"value", 8}}},
                              {"text", {{"field", "words"}, {"type", "nominal"}}}})}}});
}

}  // namespace

std::vector<Picture> answer_pictures(const ProjectionView& view, const ProgramSource& source) {
  if (view.answers.empty()) return {};
  Picture picture{.id = "what-if",
                  .title = title_of(view),
                  .caption =
                      "Dots: the time of the run if it were so; bars: the range of it, in which "
                      "everything lies that the models leave open. Dashed: measured.",
                  .table = view_of(view),
                  .launches = source.launches,
                  .command = source.command};
  Json values = values_of(picture.table);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i]["words"] = inert(words_of(view.answers[i]));
  Json layers = layers_of(view, values);
  picture.plot = plot_of(picture.title, std::move(values), std::move(layers),
                         70 + 52 * static_cast<int>(view.answers.size()));
  return {std::move(picture)};
}

}  // namespace hockney::report
