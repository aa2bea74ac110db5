#include <algorithm>

#include "core/text.hpp"
#include "core/time.hpp"
#include "health/report/health_outputs.hpp"
#include "report/page/plot.hpp"
#include "report/table.hpp"

namespace hockney::health {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_pictured_fleets = 4;
constexpr std::size_t most_drawn_nodes = 200;
constexpr std::size_t most_drawn_links = 30;

/// The end of the interval of an effect, as a ratio.
report::PageCell ratio_end(const std::optional<Interval>& effect, double Interval::*which) {
  const auto value = report::end_of(effect, which);
  return report::number_on_page(value ? std::optional(1 + *value) : std::nullopt);
}

report::PageTable nodes_table(const std::vector<fleet::NodeEffect>& nodes) {
  report::PageTable table{{{"node", "host"},
                           {"times as long", "ratio"},
                           {"from", "low"},
                           {"to", "high"},
                           {"verdict", "verdict"}},
                          {}};
  for (const fleet::NodeEffect& node : nodes) {
    if (table.rows.size() == most_drawn_nodes) break;
    table.rows.push_back({node.host, report::number_on_page(1 + node.effect),
                          ratio_end(node.interval, &Interval::low),
                          ratio_end(node.interval, &Interval::high),
                          node.named ? "slow" : "as usual"});
  }
  return table;
}

Json node_layers(const Json& values) {
  const std::vector<std::string> verdicts{"slow", "as usual"};
  const auto y = [](const char* key) { return report::ratio_channel(key, "times as long"); };
  const Json x =
      report::name_channel("host", "node, slowest first", report::names_in(values, "host"));
  return Json::array(
      {report::over(Json::array({{{"one", 1}}}),
                    {{"mark", "rule"}, {"encoding", {{"y", y("one")}}}}),
       {{"name", "rows"},
        {"mark", {{"type", "point"}, {"filled", true}, {"size", 60}, {"opacity", 1}}},
        {"encoding", report::telling({{"x", x},
                                      {"y", y("ratio")},
                                      {"color", report::series_color("verdict", verdicts)},
                                      {"shape", report::series_shape("verdict", verdicts)}})}}});
}

report::Picture nodes_picture(const JudgedFleet& fleet, const Report& report) {
  const std::vector<fleet::NodeEffect>& nodes = fleet.night.nodes;
  const auto named = std::ranges::count(nodes, true, &fleet::NodeEffect::named);
  report::Picture picture{
      .id = report::id_of("nodes-" + fleet.point),
      .title = inert(fleet.point) + ": " + std::to_string(named) + " of " +
               report::count_text(nodes.size(), "node") + " slow",
      .caption = "How much longer the pairs of a node take than those of a usual node.",
      .table = nodes_table(nodes),
      .launches = "night of " + day_text(report.day) + " in " + inert(report.history),
      .command = "hockney health check --day " + day_text(report.day)};
  if (nodes.size() > most_drawn_nodes) {
    picture.caption += " The slowest " + std::to_string(most_drawn_nodes) + " are drawn.";
  }
  Json values = values_of(picture.table);
  Json layers = node_layers(values);
  picture.plot = report::plot_of(picture.title, std::move(values), std::move(layers), 240);
  return picture;
}

report::PageTable links_table(const std::vector<fleet::LinkVerdict>& links) {
  report::PageTable table{{{"link", "link"},
                           {"hop", "hop"},
                           {"times as long", "ratio"},
                           {"from", "low"},
                           {"to", "high"},
                           {"evidence", "evidence"},
                           {"verdict", "verdict"}},
                          {}};
  for (const fleet::LinkVerdict& link : links) {
    if (table.rows.size() == most_drawn_links) break;
    table.rows.push_back(
        {link.a + " - " + link.b, link.hop, report::number_on_page(1 + link.effect),
         ratio_end(link.interval, &Interval::low), ratio_end(link.interval, &Interval::high),
         fleet::evidence_text(link), std::string(word(link.severity))});
  }
  return table;
}

Json link_layers(const Json& values) {
  Json y = report::name_channel("link", "", report::names_in(values, "link"));
  y["axis"] = {{"title", nullptr}, {"grid", true}, {"labelLimit", 330}};
  const auto x = [](const char* key) {
    return report::ratio_channel(key, "times as long as its two nodes explain", "x");
  };
  Json layers = Json::array({report::over(Json::array({{{"one", 1}}}),
                                          {{"mark", "rule"}, {"encoding", {{"x", x("one")}}}})});
  if (std::ranges::any_of(values, [](const Json& one) { return !one.at("low").is_null(); })) {
    layers.push_back({{"transform", Json::array({{{"filter", "isValid(datum.low)"}}})},
                      {"mark", {{"type", "rule"}, {"strokeWidth", 2}, {"color", "var(--bad)"}}},
                      {"encoding", {{"y", y}, {"x", x("low")}, {"x2", {{"field", "high"}}}}}});
  }
  const Json mark{
      {"type", "point"}, {"filled", true}, {"size", 75}, {"opacity", 1}, {"color", "var(--bad)"}};
  layers.push_back({{"name", "rows"},
                    {"mark", mark},
                    {"encoding", report::telling({{"y", y}, {"x", x("ratio")}})}});
  return layers;
}

report::Picture links_picture(const JudgedFleet& fleet, const Report& report) {
  const fleet::LinkVerdict& worst = fleet.links.front();
  report::Picture picture{
      .id = report::id_of("links-" + fleet.point),
      .title = inert(fleet.point) + ": " + report::count_text(fleet.links.size(), "slow link") +
               ", worst " + inert(worst.a) + " - " + inert(worst.b) + ", " +
               report::significant(1 + worst.effect, 3) + " times as long",
      .caption =
          "Links that are slow beyond what their two nodes explain: medians over nights, with "
          "intervals from six on, or over repetitions in one night.",
      .table = links_table(fleet.links),
      .launches = "nights up to " + day_text(report.day) + " in " + inert(report.history),
      .command = "hockney health check --day " + day_text(report.day)};
  if (fleet.links.size() > most_drawn_links) {
    picture.caption += " The slowest " + std::to_string(most_drawn_links) + " are drawn.";
  }
  Json values = values_of(picture.table);
  Json layers = link_layers(values);
  const int height = 70 + 30 * static_cast<int>(picture.table.rows.size());
  picture.plot = report::plot_of(picture.title, std::move(values), std::move(layers), height);
  return picture;
}

}  // namespace

std::vector<report::Picture> fleet_pictures(const Report& report) {
  std::vector<report::Picture> pictures;
  std::size_t fleets = 0;
  for (const JudgedFleet& fleet : report.fleets) {
    if (fleet.night.nodes.empty() && fleet.links.empty()) continue;
    if (++fleets > most_pictured_fleets) break;
    if (!fleet.night.nodes.empty()) pictures.push_back(nodes_picture(fleet, report));
    if (!fleet.links.empty()) pictures.push_back(links_picture(fleet, report));
  }
  return pictures;
}

}  // namespace hockney::health
