#include <algorithm>
#include <map>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/axis_table.hpp"
#include "report/page/pictures.hpp"
#include "report/page/plot.hpp"
#include "report/table.hpp"
#include "verdicts/compare_axis.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

/// A value of an axis at one point, or at several that are put together.
struct AxisCase {
  std::string value;
  std::string place;  ///< inert: the curve, its size, and where on the other axes
  std::optional<double> seconds;
  std::vector<double> ratios;  ///< to the base; one where nothing is put together
  std::optional<Interval> interval;
};

/// Every value but the base, at every point.
std::vector<AxisCase> cases_of(const AxisTable& axis) {
  std::vector<AxisCase> cases;
  for (const AxisBlock& block : axis.blocks) {
    const std::string place = inert(curve_name(block.point)) + places_text(block.others) + ", " +
                              format_bytes(block.point.bytes);
    for (const AxisRow& row : block.rows) {
      if (!row.ratio) continue;
      cases.push_back({.value = row.value,
                       .place = place,
                       .seconds = row.row.median_seconds,
                       .ratios = {*row.ratio},
                       .interval = row.ratio_interval});
    }
  }
  return cases;
}

/// The cases, or of more than can be drawn those of a value together.
std::vector<AxisCase> drawn_cases(const std::vector<AxisCase>& cases) {
  if (cases.size() <= most_marks) return cases;
  std::vector<AxisCase> together;
  for (const AxisCase& each : cases) {
    auto found = std::ranges::find(together, each.value, &AxisCase::value);
    if (found == together.end()) {
      found = together.insert(found, {.value = each.value,
                                      .place = "all points",
                                      .seconds = {},
                                      .ratios = {},
                                      .interval = {}});
    }
    found->ratios.push_back(each.ratios.front());
  }
  for (AxisCase& each : together) {
    const auto [low, high] = std::ranges::minmax(each.ratios);
    each.interval = Interval{low, high, 1};
  }
  return together;
}

PageTable table_of(const std::vector<AxisCase>& cases, const AxisTable& axis) {
  PageTable table{{{inert(axis.axis), "value"},
                   {"point", "point"},
                   {"time", "median_seconds"},
                   {"time / " + inert(axis.base), "ratio"},
                   {"from", "ratio_low"},
                   {"to", "ratio_high"}},
                  {}};
  for (const AxisCase& each : cases) {
    table.rows.push_back({each.value, each.place, time_on_page(each.seconds),
                          number_on_page(median_of_some(each.ratios), ratio_digits),
                          number_on_page(end_of(each.interval, &Interval::low), ratio_digits),
                          number_on_page(end_of(each.interval, &Interval::high), ratio_digits)});
  }
  return table;
}

/// The median of each value over all points, in order of values.
std::vector<std::pair<std::string, double>> medians_of(const std::vector<AxisCase>& cases) {
  std::vector<std::string> values;
  std::map<std::string, std::vector<double>> ratios;
  for (const AxisCase& each : cases) {
    std::vector<double>& some = ratios[each.value];
    if (some.empty()) values.push_back(each.value);
    some.insert(some.end(), each.ratios.begin(), each.ratios.end());
  }
  std::ranges::sort(values, verdicts::axis_value_precedes);
  std::vector<std::pair<std::string, double>> medians;
  medians.reserve(values.size());
  for (const std::string& value : values)
    medians.emplace_back(value, median_of_some(ratios[value]));
  return medians;
}

Json layers_of(const std::vector<std::pair<std::string, double>>& medians,
               const std::string& base) {
  std::vector<std::string> values;
  Json middles = Json::array();
  for (const auto& [value, ratio] : medians) {
    values.push_back(inert(value));
    middles.push_back({{"value", inert(value)}, {"ratio", ratio}});
  }
  Json y = name_channel("value", "", values);
  y["axis"] = {{"title", nullptr}, {"grid", true}};
  const auto x = [&](const char* key) { return ratio_channel(key, "time / time of " + base, "x"); };
  return Json::array(
      {over(Json::array({{{"ratio", 1}}}), {{"mark", {{"type", "rule"}, {"strokeWidth", 1.5}}},
                                            {"encoding", {{"x", x("ratio")}}}}),
       {{"name", "rows"},
        {"mark",
         {{"type", "point"},
          {"size", 45},
          {"opacity", 1},
          {"strokeWidth", 1.5},
          {"color", "var(--series-1)"}}},
        {"encoding", telling({{"y", y}, {"x", x("ratio")}})}},
       over(middles, {{"mark",
                       {{"type", "point"},
                        {"shape", "M0,-0.5V0.5"},
                        {"size", 500},
                        {"strokeWidth", 4},
                        {"opacity", 1},
                        {"color", "var(--ink)"}}},
                      {"encoding", {{"y", y}, {"x", x("ratio")}}}})});
}

/// "By segment: 64K takes 0.83 times the time of default, 1K 1.10 times": the least and the most.
std::string title_of(const std::vector<std::pair<std::string, double>>& medians,
                     const AxisTable& axis) {
  const auto [least, most] =
      std::ranges::minmax(medians, {}, &std::pair<std::string, double>::second);
  std::string text = "By " + inert(axis.axis) + ": " + inert(least.first) + " takes " +
                     significant(least.second, 3) + " times as long as " + inert(axis.base);
  if (medians.size() == 1) return text;
  return text + ", " + inert(most.first) + " " + significant(most.second, 3) + " times";
}

/// Times of several campaigns mean nothing to each other.
bool are_of_one_campaign(std::span<const Record> records) {
  const auto name_of = [](const Record& record) {
    return record.campaign ? record.campaign->name : std::string();
  };
  return std::ranges::all_of(
      records, [&](const Record& record) { return name_of(record) == name_of(records.front()); });
}

}  // namespace

std::vector<Picture> sweep_pictures(std::span<const Record> records, const PictureSource& source) {
  const std::vector<std::string> axes = verdicts::axes_of(records);
  std::vector<Picture> pictures;
  if (axes.size() < 2 || !are_of_one_campaign(records)) return pictures;
  for (const std::string& name : axes) {
    const AxisTable axis = by_axis(records, name);
    const std::vector<AxisCase> cases = cases_of(axis);
    if (cases.empty()) continue;
    const auto medians = medians_of(cases);
    const std::vector<AxisCase> drawn = drawn_cases(cases);
    Picture picture{.id = id_of("axis-" + name),
                    .title = title_of(medians, axis) + " (median over all points)",
                    .caption =
                        "Each dot: a point of the sweep, all other axes being the same. "
                        "Bar: the median of a value.",
                    .table = table_of(drawn, axis),
                    .launches = source.launches,
                    .command = "hockney report " + source.paths + " --by " + inert(name)};
    if (drawn.size() < cases.size()) {
      picture.caption += " " + count_text(cases.size(), "point") + " are put together by value.";
    }
    picture.plot =
        plot_of(picture.title, values_of(picture.table), layers_of(medians, inert(axis.base)),
                70 + static_cast<int>(medians.size()) * 30);
    pictures.push_back(std::move(picture));
  }
  return pictures;
}

}  // namespace hockney::report
