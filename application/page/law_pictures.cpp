#include <algorithm>

#include "core/text.hpp"
#include "report/page/plot.hpp"
#include "application/page/pictures.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using projection::ScalingPoint;
using Json = nlohmann::json;

PageTable table_of(const ScalingView& view) {
  PageTable table{{{"ranks", "ranks"},
                   {"time", "seconds"},
                   {"from", "low"},
                   {"to", "high"},
                   {"efficiency", "efficiency"},
                   {"is", "kind"}},
                  {}};
  for (const ScalingPoint& point : view.study.points) {
    table.rows.push_back(
        {count_on_page(static_cast<std::size_t>(point.ranks)), time_on_page(point.seconds),
         time_on_page(end_of(point.interval_seconds, &Interval::low)),
         time_on_page(end_of(point.interval_seconds, &Interval::high)),
         share_on_page(point.efficiency), point.is_measured ? "measured" : "by the law"});
  }
  return table;
}

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
    values.push_back({{"ranks", ranks},
                      {"seconds", seconds},
                      {"efficiency", first.seconds * first.ranks / (seconds * ranks)}});
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
                  .caption = caption_of(view) + " Dashed: the efficiency that was asked for.",
                  .table = table_of(view),
                  .launches = source.launches,
                  .command = source.command};
  const auto y = [](const char* key) { return share_channel(key, "efficiency"); };
  Json values = values_of(picture.table);
  Json layers = layers_against_ranks(view, values, "efficiency", y);
  const Json line =
      Json::array({{{"efficiency", view.efficiency}, {"says", asked + " was asked"}}});
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
                  .table = table_of(view),
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

}  // namespace hockney::report
