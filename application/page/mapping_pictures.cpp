#include <algorithm>
#include <iterator>

#include "core/text.hpp"
#include "report/page/plot.hpp"
#include "application/page/pictures.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using applications::Mapping;
using Json = nlohmann::json;

PageTable table_of(const MappingView& view) {
  PageTable table{{{"mapping", "mapping"},
                   {"bytes between nodes", "cut_bytes"},
                   {"pairs of ranks", "cut_edges"}},
                  {}};
  const auto add = [&](const Mapping& one) {
    table.rows.push_back({one.how,
                          PageCell(short_bytes(static_cast<double>(one.cut.bytes)), one.cut.bytes),
                          count_on_page(static_cast<std::size_t>(one.cut.edges))});
  };
  add(view.advice.now);
  for (const Mapping& one : view.advice.tried) {
    if (one.how != view.advice.now.how) add(one);
  }
  return table;
}

/// Messages between nodes with the ranks where a mapping has them.
applications::MessageMatrix matrix_with(const MappingView& view, const Mapping& mapping) {
  applications::Nodes nodes = view.nodes;
  nodes.of_rank = mapping.of_rank;
  return fused(view.matrix, nodes);
}

std::vector<Picture> node_picture(const MappingView& view, const Mapping& mapping,
                                  const Mapping& other, const ProgramSource& source) {
  const applications::MessageMatrix matrix = matrix_with(view, mapping);
  const applications::MessageMatrix beside = matrix_with(view, other);
  const bool is_now = &mapping == &view.advice.now;
  const auto leaving = leaving_share(matrix, view.nodes);
  const PicturedMatrix pictured{.id = is_now ? "nodes-before" : "nodes-after",
                                .title = (is_now ? "Before" : "After, " + inert(mapping.how)) +
                                         ": " +
                                         (leaving ? share_text(*leaving) + " of the bytes leave "
                                                                           "their node"
                                                  : "no bytes between ranks"),
                                .side = "node",
                                .names = view.nodes.names,
                                .matrix = &matrix,
                                .seconds = view.seconds,
                                .nodes = {},
                                .beside = &beside};
  return matrix_picture(pictured, source);
}

Picture cut_picture(const MappingView& view, const ProgramSource& source) {
  const Screen screen = screen_of(view);
  Picture picture{.id = "mappings",
                  .title = screen.answer.front(),
                  .caption =
                      "Bytes of messages between ranks on different nodes, the larger direction of "
                      "each pair; collectives and time are not in them.",
                  .table = table_of(view),
                  .launches = source.launches,
                  .command = source.command + " --all"};
  Json values = values_of(picture.table);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i]["words"] = picture.table.rows[i][1].text;
  Json y = name_channel("mapping", "", names_in(values, "mapping"));
  y["axis"] = {{"title", nullptr}, {"labelLimit", 330}};
  const std::size_t bars = values.size();
  const Json x = amount_channel("cut_bytes", "bytes between nodes");
  Json layers = numbered_bars(y, x, values);
  if (const auto& bound = view.advice.bound) {
    const Json line = Json::array({{{"cut_bytes", bound->bytes},
                                    {"says", "no mapping needs less than " +
                                                 short_bytes(static_cast<double>(bound->bytes))}}});
    layers.push_back(
        over(line,
             {{"mark", {{"type", "rule"}, {"strokeWidth", 2}, {"strokeDash", Json::array({4, 4})}}},
              {"encoding", telling({{"x", x}})}}));
    picture.caption += " Dashed: what no mapping can undercut.";
  }
  picture.plot = plot_of(picture.title, std::move(values), std::move(layers), height_of_bars(bars));
  return picture;
}

}  // namespace

std::vector<Picture> mapping_pictures(const MappingView& view, const ProgramSource& source) {
  if (view.nodes.size() < 2) return {};
  std::vector<Picture> pictures{cut_picture(view, source)};
  std::ranges::move(node_picture(view, view.advice.now, view.advice.best, source),
                    std::back_inserter(pictures));
  if (!view.advice.is_change()) return pictures;
  std::ranges::move(node_picture(view, view.advice.best, view.advice.now, source),
                    std::back_inserter(pictures));
  return pictures;
}

}  // namespace hockney::report
