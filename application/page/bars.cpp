#include <algorithm>
#include <cmath>

#include "report/page/plot.hpp"
#include "application/page/pictures.hpp"

namespace hockney::report {

using Json = nlohmann::json;

PageCell share_on_page(const std::optional<double>& share) {
  if (!share) return {"-", nullptr};
  return {(*share < 0 ? "-" : "") + share_text(std::abs(*share)), *share};
}

Json numbered_bars(const Json& y, Json x, const Json& values) {
  constexpr double with_room = 1.15;  // for the number behind the longest bar
  const std::string key = x.at("field");
  double most = 0;
  for (const Json& value : values) most = std::max(most, value.at(key).get<double>());
  if (most > 0) x["scale"]["domainMax"] = with_room * most;
  const Json words{{"field", "words"}, {"type", "nominal"}};
  return Json::array({{{"name", "rows"},
                       {"mark", {{"type", "bar"}, {"color", "var(--series-1)"}}},
                       {"encoding", telling({{"y", y}, {"x", x}})}},
                      {{"mark", {{"type", "text"}, {"align", "left"}, {"dx", 5}}},
                       {"encoding", {{"y", y}, {"x", x}, {"text", words}}}}});
}

Json stacked_bars(Json x, Json y, const std::vector<std::string>& parts) {
  constexpr std::size_t parted_bars = 80;  // beside more of them lines between bars would hide them
  const Json& names = x.at("type") == "quantitative" ? y : x;
  const double gap = names.at("sort").size() > parted_bars ? 0 : 0.5;
  (x.at("type") == "quantitative" ? x : y)["stack"] = "zero";
  return Json::array(
      {{{"name", "rows"},
        {"mark", {{"type", "bar"}, {"stroke", "var(--paper)"}, {"strokeWidth", gap}}},
        {"encoding", telling({{"x", x},
                              {"y", y},
                              {"color", part_color("part", parts)},
                              {"order", {{"field", "order"}, {"type", "quantitative"}}}})}}});
}

void number_parts(Json& values, const std::vector<std::string>& parts) {
  for (Json& value : values) {
    value["order"] = std::ranges::find(parts, value.at("part").get<std::string>()) - parts.begin();
  }
}

std::string interval_caption(const Json& values, const std::string& where) {
  const auto has_interval = [](const Json& one) { return !one.at("low").is_null(); };
  return std::ranges::any_of(values, has_interval)
             ? " " + where + "95 % intervals over launches."
             : " No intervals: they come from several launches of each run.";
}

void add_figure(PageTable& table, std::vector<PageCell> head,
                const std::optional<applications::Figure>& figure) {
  if (!figure) return;
  const auto& interval = figure->interval;
  head.push_back(number_on_page(figure->value));
  head.push_back(number_on_page(end_of(interval, &Interval::low)));
  head.push_back(number_on_page(end_of(interval, &Interval::high)));
  table.rows.push_back(std::move(head));
}

int height_of_bars(std::size_t bars) {
  constexpr int of_axis = 70;
  constexpr int of_bar = 30;
  return of_axis + of_bar * static_cast<int>(bars);
}

}  // namespace hockney::report
