#include <algorithm>
#include <iterator>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/page/pictures.hpp"
#include "report/page/plot.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_boxes = 12;
constexpr std::size_t most_dots = 60;  // of a box

/// The launches of one point.
struct LaunchBox {
  std::string name;  ///< inert
  const Row* row = nullptr;
  double median_seconds = 0;
};

/// The first, a middle and the last size of each curve, as long as there is room.
std::vector<LaunchBox> boxes_of(std::span<const Row> rows) {
  std::vector<LaunchBox> boxes;
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if_not(first, rows.end(),
                                       [&](const Row& row) { return same_curve(*first, row); });
    std::vector<const Row*> some;
    for (auto row = first; row != last; ++row) {
      if (row->launches.size() > 1 && row->median_seconds) some.push_back(&*row);
    }
    first = last;
    if (some.empty()) continue;
    std::vector<const Row*> chosen{some.front(), some[some.size() / 2], some.back()};
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    if (boxes.size() + chosen.size() > most_boxes) break;
    for (const Row* const row : chosen) {
      boxes.push_back({.name = {}, .row = row, .median_seconds = row->median_seconds.value_or(0)});
    }
  }
  return boxes;
}

/// With the words alone that tell their curves apart.
void name_boxes(std::vector<LaunchBox>& boxes) {
  const std::vector<std::string> labels =
      labels_of(strings_of(boxes, [](const LaunchBox& box) { return curve_title(*box.row); }));
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const std::string size = format_bytes(boxes[i].row->point.bytes);
    boxes[i].name = labels[i].empty() ? size : labels[i] + " at " + size;
  }
}

/// Of more launches than there is room for those at even ranks, the fastest and slowest among them.
std::vector<LaunchMedian> drawn_launches(std::vector<LaunchMedian> launches) {
  if (launches.size() <= most_dots) return launches;
  std::ranges::sort(launches, {}, &LaunchMedian::seconds);
  std::vector<LaunchMedian> some;
  for (std::size_t i = 0; i < most_dots; ++i) {
    some.push_back(launches[i * (launches.size() - 1) / (most_dots - 1)]);
  }
  return some;
}

PageTable table_of(const std::vector<LaunchBox>& boxes) {
  PageTable table{
      {{"point", "point"}, {"launch", "launch"}, {"time", "seconds"}, {"time / median", "ratio"}},
      {}};
  for (const LaunchBox& box : boxes) {
    for (const LaunchMedian& launch : drawn_launches(box.row->launches)) {
      const double ratio = launch.seconds / box.median_seconds;
      table.rows.push_back({box.name, count_on_page(launch.launch + 1),
                            time_on_page(launch.seconds), number_on_page(ratio)});
    }
  }
  return table;
}

/// The rows with their places in their boxes.
Json drawn(const PageTable& table) {
  Json values = values_of(table);
  int order = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_same = i > 0 && values[i].at("point") == values[i - 1].at("point");
    order = is_same ? order + 1 : 0;
    values[i]["order"] = order;
  }
  return values;
}

/// Quartiles and ends of each box, in parts of its median.
struct Quartiles {
  double low = 0;
  double first = 0;
  double third = 0;
  double high = 0;
};

Quartiles quartiles_of(const LaunchBox& box) {
  const std::vector<double> seconds = seconds_of(box.row->launches);
  const auto at = [&](double q) {
    return quantile(seconds, q).value_or(box.median_seconds) / box.median_seconds;
  };
  return {at(0), at(0.25), at(0.75), at(1)};
}

Json boxes_json(const std::vector<LaunchBox>& boxes) {
  Json values = Json::array();
  for (const LaunchBox& box : boxes) {
    const Quartiles some = quartiles_of(box);
    values.push_back(
        {{"point", box.name},
         {"low", some.low},
         {"first", some.first},
         {"third", some.third},
         {"high", some.high},
         {"one", 1},
         {"says", box.name + ": median " + short_time(box.median_seconds) + ", quartiles " +
                      significant(some.first, 3) + " and " + significant(some.third, 3) +
                      " of it, " + count_text(box.row->launches.size(), "launch")}});
  }
  return values;
}

Json box_layers(const std::vector<LaunchBox>& boxes) {
  const std::vector<std::string> names = strings_of(boxes, &LaunchBox::name);
  Json y = name_channel("point", "", names);
  y["axis"]["title"] = nullptr;
  const auto x = [](const char* key) {
    return ratio_channel(key, "time of a launch / median over launches", "x");
  };
  const Json ranges = boxes_json(boxes);
  Json offset{{"field", "order"}, {"type", "ordinal"}};
  return Json::array(
      {over(ranges, {{"mark", {{"type", "rule"}}},
                     {"encoding", {{"y", y}, {"x", x("low")}, {"x2", {{"field", "high"}}}}}}),
       over(ranges,
            {{"mark", {{"type", "rule"}, {"strokeWidth", 24}, {"color", "var(--band)"}}},
             {"encoding", telling({{"y", y}, {"x", x("first")}, {"x2", {{"field", "third"}}}})}}),
       over(ranges, {{"mark",
                      {{"type", "point"},
                       {"shape", "M0,-0.5V0.5"},
                       {"size", 700},
                       {"strokeWidth", 3},
                       {"opacity", 1},
                       {"color", "var(--ink)"}}},
                     {"encoding", {{"y", y}, {"x", x("one")}}}}),
       {{"name", "rows"},
        {"mark",
         {{"type", "point"},
          {"filled", true},
          {"size", 22},
          {"opacity", 1},
          {"color", "var(--series-1)"}}},
        {"encoding", telling({{"y", y}, {"x", x("ratio")}, {"yOffset", offset}})}}});
}

/// The widest and the narrowest box.
std::string title_of(const std::vector<LaunchBox>& boxes) {
  const auto width = [](const LaunchBox& box) {
    const Quartiles some = quartiles_of(box);
    return some.third - some.first;
  };
  const auto [least, most] = std::ranges::minmax(boxes, {}, width);
  const auto told = [&](const LaunchBox& box) {
    return significant(per_cent * width(box), 2) + " % at " + box.name;
  };
  const std::string text = "The middle half of the launches spreads by " + told(least);
  return boxes.size() == 1 ? text : text + ", by " + told(most);
}

}  // namespace

std::vector<Picture> launch_pictures(std::span<const Row> rows, const PictureSource& source) {
  std::vector<LaunchBox> boxes = boxes_of(rows);
  if (boxes.empty()) return {};
  name_boxes(boxes);
  Picture picture{.id = "launches",
                  .title = title_of(boxes),
                  .caption =
                      "Dots: launches, in their order from top to bottom; box: from the first "
                      "to the third quartile; bar: the median; line: all.",
                  .table = table_of(boxes),
                  .launches = source.launches,
                  .command = "hockney export csv " + source.paths + " --launches"};
  std::size_t most = 0;
  for (const LaunchBox& box : boxes) most = std::max(most, box.row->launches.size());
  if (most > most_dots) {
    picture.caption += " Of " + std::to_string(most) + " launches " + std::to_string(most_dots) +
                       " are drawn, at even ranks.";
  }
  const int height = 60 + static_cast<int>(boxes.size()) * 44;
  picture.plot = plot_of(picture.title, drawn(picture.table), box_layers(boxes), height);
  return {std::move(picture)};
}

}  // namespace hockney::report
