#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "application/page/profile_page.hpp"
#include "application/screens/profile_views.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/page/plot.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using applications::MatrixCell;
using applications::MessageMatrix;
using applications::share_of;
using Json = nlohmann::json;

/// Sentences of this page.
namespace words {

constexpr std::string_view colour =
    "Colour: the bytes that a {} (down the side) sent to another (along the bottom).";
constexpr std::string_view on_the_diagonal = " On the diagonal: between the ranks of one node.";
constexpr std::string_view put_together = " {} are put together by {}.";
constexpr std::string_view not_in_it =
    " {} with {} are not in it: their receiver is unknown or outside the world.";
constexpr std::string_view no_message_leaves = "No message leaves its node";
constexpr std::string_view leave_their_node =
    "{} of the bytes leave their node, most from {} to {}: {}";
constexpr std::string_view between_nodes = "Messages between nodes, most from {} to {}: {}";
constexpr std::string_view one_size = "{} of the calls and {} of the bytes are of {}";
constexpr std::string_view two_sizes = "{} of the calls are of {}, {} of the bytes of {}";
constexpr std::string_view bytes_leave = "{} of the bytes leave their node";
constexpr std::string_view no_bytes = "no bytes between ranks";
constexpr std::string_view bytes_of_cut =
    "Bytes of messages between ranks on different nodes, the larger direction of each pair; "
    "collectives and time are not in them.";
constexpr std::string_view bound = "no mapping needs less than {}";
constexpr std::string_view dashed = " Dashed: what no mapping can undercut.";

}  // namespace words

constexpr std::size_t most_sides = 128;  // along a side; more are combined in blocks
constexpr std::size_t few_sides = 12;    // along a side: cells have room for numbers
constexpr std::size_t outlined_sides = 32;
constexpr std::size_t height_of_row = 44;
constexpr std::size_t height_around = 130;  // of legend and axis
constexpr std::size_t most_height = 640;

/// A matrix whose rows may be combined in blocks.
struct BlockedMatrix {
  std::vector<std::string> names;
  MessageMatrix matrix;
  std::vector<int> nodes;  ///< of its rows; empty if rows are combined
  int block = 1;
};

BlockedMatrix blocked(const PicturedMatrix& pictured, int block) {
  const int rows = pictured.matrix->size;
  BlockedMatrix made{.names = {}, .matrix = {}, .nodes = {}, .block = block};
  applications::Nodes blocks;
  for (int first = 0; first < rows; first += block) {
    const std::string& begin = pictured.names[static_cast<std::size_t>(first)];
    const int last = std::min(first + block, rows) - 1;
    const std::string& end = pictured.names[static_cast<std::size_t>(last)];
    made.names.push_back(first == last ? begin : fmt::format("{}-{}", begin, end));
  }
  for (int row = 0; row < rows; ++row) blocks.of_rank.push_back(row / block);
  blocks.names = made.names;
  made.matrix = block == 1 ? *pictured.matrix : fused(*pictured.matrix, blocks);
  if (block == 1) made.nodes = pictured.nodes;
  return made;
}

BlockedMatrix fitting(const PicturedMatrix& pictured) {
  for (int block = 1;; block *= 2) {
    BlockedMatrix made = blocked(pictured, block);
    const bool fits = made.names.size() <= most_sides && made.matrix.cells.size() <= most_marks;
    if (fits || block >= pictured.matrix->size) return made;
  }
}

std::string words_of_count(double count) { return fixed_text(count, 0); }

/// The first row of each node but the first. Empty if the rows of a node are apart.
std::vector<std::size_t> node_begins(const BlockedMatrix& made) {
  std::vector<std::size_t> begins;
  for (std::size_t row = 1; row < made.nodes.size(); ++row) {
    if (made.nodes[row] != made.nodes[row - 1]) begins.push_back(row);
  }
  const std::set<int> nodes(made.nodes.begin(), made.nodes.end());
  return begins.size() < nodes.size() ? begins : std::vector<std::size_t>();
}

/// Positions of lines between nodes.
Json node_lines(const BlockedMatrix& made) {
  Json values = Json::array();
  for (const std::size_t row : node_begins(made)) {
    values.push_back({{"from", inert(made.names[row])}, {"to", inert(made.names[row])}});
  }
  return values;
}

/// What colours mean: bytes, or numbers of messages if all are empty.
struct MatrixColor {
  std::string key;
  std::string title;
  HeatScale heat;
};

MatrixColor color_of(const MessageMatrix& matrix, const MessageMatrix* beside) {
  std::vector<double> bytes;
  std::vector<double> messages;
  for (const MessageMatrix* const one : {&matrix, beside}) {
    if (one == nullptr) continue;
    for (const MatrixCell& cell : one->cells) {
      messages.push_back(static_cast<double>(cell.volume.count));
      if (cell.volume.bytes > 0) bytes.push_back(static_cast<double>(cell.volume.bytes));
    }
  }
  if (!bytes.empty()) return {"bytes", "bytes in all", HeatScale(bytes, short_bytes)};
  return {"messages", "messages, all of them empty", HeatScale(messages, words_of_count)};
}

constexpr const char* no_bytes = "none";

/// Sets the colour of each row, its numbers, their ink, and whether it stays in its node. Returns
/// the scale of colours.
Json color_rows(Json& values, const MatrixColor& color, const BlockedMatrix& made) {
  Json scale = color.heat.scale();
  bool has_none = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Json& value = values[i];
    const double amount = value.at(color.key);
    if (amount > 0) {
      color.heat.mark(value, amount);
    } else {
      value.update(Json{{"range", no_bytes}, {"ink", "var(--ink)"}});
      has_none = true;
    }
    value["words"] = Json::array({short_bytes(value.at("bytes").get<double>()),
                                  "in " + words_of_count(value.at("messages").get<double>())});
    if (made.nodes.empty()) continue;
    const MatrixCell& cell = made.matrix.cells[i];
    const bool stays = made.nodes[static_cast<std::size_t>(cell.from)] ==
                       made.nodes[static_cast<std::size_t>(cell.to)];
    value["reach"] = stays ? "in a node" : "between nodes";
  }
  if (has_none) {
    scale["domain"].insert(scale["domain"].begin(), no_bytes);
    scale["range"].insert(scale["range"].begin(), "var(--paper)");
  }
  return scale;
}

void draw_matrix(Picture& picture, const BlockedMatrix& made, const MatrixColor& color,
                 const std::string& side) {
  Json values = values_of(picture.table);
  const Json scale = color_rows(values, color, made);
  const std::size_t rows = made.names.size();
  const bool is_outlined = !made.nodes.empty() && node_begins(made).empty() &&
                           rows <= outlined_sides && names_in(values, "reach").size() > 1;
  const Json outline = series_of("reach", {"in a node", "between nodes"})["color"];
  draw(picture, "matrix", std::move(values),
       {{"marks", fmt::format(words::colour, side)},
        {"names", strings_of(made.names, [](const std::string& name) { return inert(name); })},
        {"from_title", "from " + side},
        {"to_title", "to " + side},
        {"label_angle", rows > few_sides && rows <= outlined_sides ? 270 : 0},
        {"scale", scale},
        {"color_title", color.title},
        {"outline", is_outlined ? outline : Json()},
        {"mirror", nullptr},
        {"node_begins", node_lines(made)},
        {"has_numbers", rows <= few_sides},
        {"mirror_numbers", nullptr},
        {"frame", {{"stroke", "var(--line)"}}},
        {"height", std::min(height_around + height_of_row * rows, most_height)}});
}

std::string caption_of(const PicturedMatrix& pictured, const BlockedMatrix& made) {
  std::string text;
  if (pictured.side == "node") text += words::on_the_diagonal;
  if (made.block > 1) {
    text += fmt::format(words::put_together, count_text(pictured.names.size(), pictured.side),
                        made.block);
  }
  if (const auto& elsewhere = pictured.matrix->elsewhere; elsewhere.count > 0) {
    text += fmt::format(words::not_in_it,
                        count_text(static_cast<std::size_t>(elsewhere.count), "message"),
                        short_bytes(static_cast<double>(elsewhere.bytes)));
  }
  return text;
}

/// "2-D halo 8 x 8: 645 MB in 22400 messages, 28.8 KB on average".
std::string title_by_rank(const ProfileView& view) {
  const applications::Volume total = view.by_rank.total();
  std::string text = name_of(view.pattern);
  if (text == "none") text = "Messages between ranks";
  return fmt::format("{}: {} in {}, {} on average", text,
                     short_bytes(static_cast<double>(total.bytes)),
                     count_text(static_cast<std::size_t>(total.count), "message"),
                     short_bytes(total.mean_bytes().value_or(0)));
}

/// The share of bytes that leave their node, and the pair of nodes with most of them.
std::string title_by_node(const ProfileView& view) {
  const MatrixCell* most = nullptr;
  for (const MatrixCell& cell : view.by_node.cells) {
    if (cell.from == cell.to) continue;
    if (most == nullptr || cell.volume.bytes > most->volume.bytes) most = &cell;
  }
  if (most == nullptr) return std::string(words::no_message_leaves);
  const auto leaving = leaving_share(view.by_node, view.nodes);
  const auto name_of_node = [&](int node) {
    return inert(view.nodes.names[static_cast<std::size_t>(node)]);
  };
  const std::string from = name_of_node(most->from);
  const std::string to = name_of_node(most->to);
  const std::string bytes = short_bytes(static_cast<double>(most->volume.bytes));
  return leaving ? fmt::format(words::leave_their_node, share_text(*leaving), from, to, bytes)
                 : fmt::format(words::between_nodes, from, to, bytes);
}

}  // namespace

std::vector<Picture> matrix_picture(const PicturedMatrix& pictured, const ProgramSource& source) {
  if (pictured.matrix->cells.empty()) return {};
  const BlockedMatrix made = fitting(pictured);
  Picture picture{.id = pictured.id,
                  .title = pictured.title,
                  .caption = caption_of(pictured, made),
                  .table = view_of_matrix(made.matrix, made.names, pictured.seconds),
                  .launches = source.launches,
                  .command = source.command};
  draw_matrix(picture, made, color_of(made.matrix, pictured.beside), pictured.side);
  return {std::move(picture)};
}

std::vector<Picture> matrix_pictures(const ProfileView& view, const ProgramSource& source) {
  const bool are_placed = view.nodes.size() == view.nodes.known && view.nodes.known > 1;
  PicturedMatrix by_rank{.id = "messages-by-rank",
                         .title = title_by_rank(view),
                         .side = "rank",
                         .names = {},
                         .matrix = &view.by_rank,
                         .seconds = view.split.seconds,
                         .nodes = are_placed ? view.nodes.of_rank : std::vector<int>()};
  for (int rank = 0; rank < view.by_rank.size; ++rank) {
    by_rank.names.push_back(std::to_string(rank));
  }
  std::vector<Picture> pictures =
      matrix_picture(by_rank, {source.launches, source.command + " --csv"});
  if (view.nodes.size() < 2) return pictures;
  const PicturedMatrix by_node{.id = "messages-by-node",
                               .title = title_by_node(view),
                               .side = "node",
                               .names = view.nodes.names,
                               .matrix = &view.by_node,
                               .seconds = view.split.seconds,
                               .nodes = {}};
  std::ranges::move(matrix_picture(by_node, {source.launches, source.command + " --csv --by node"}),
                    std::back_inserter(pictures));
  return pictures;
}

namespace {

using applications::SizeClass;

/// "8", "16K to 32K".
std::string range_text(const SizeClass& one) {
  if (one.from_bytes == one.to_bytes) return fmt::format("{} B", one.from_bytes);
  return fmt::format("{} to {} B", format_bytes({one.from_bytes}),
                     format_bytes({one.to_bytes + 1}));
}

View table_of_sizes(const std::vector<SizeClass>& sizes, const applications::Volume& all) {
  View table{{{"from_bytes", "from", Unit::size},
              {"to_bytes", "to", Unit::size},
              {"part", "calls or bytes"},
              {"amount", "amount", Unit::count},
              {"share_fraction", "share", Unit::share}},
             {}};
  for (const SizeClass& one : sizes) {
    const std::vector<Value> ends{one.from_bytes, one.to_bytes};
    const applications::Volume& volume = one.volume;
    table.rows.push_back(
        {ends[0], ends[1], "calls", volume.count, share_of(volume.count, all.count)});
    table.rows.push_back(
        {ends[0], ends[1], "bytes", volume.bytes, share_of(volume.bytes, all.bytes).value_or(0)});
  }
  return table;
}

std::string title_of_sizes(const std::vector<SizeClass>& sizes, const applications::Volume& all) {
  const auto calls = [](const SizeClass& one) { return one.volume.count; };
  const auto bytes = [](const SizeClass& one) { return one.volume.bytes; };
  const SizeClass& most_calls = *std::ranges::max_element(sizes, {}, calls);
  const SizeClass& most_bytes = *std::ranges::max_element(sizes, {}, bytes);
  const std::string of_calls = share_text(share_of(calls(most_calls), all.count).value_or(0));
  const std::string of_bytes = share_text(share_of(bytes(most_bytes), all.bytes).value_or(0));
  const std::string size = range_text(most_calls);
  if (&most_calls == &most_bytes) return fmt::format(words::one_size, of_calls, of_bytes, size);
  return fmt::format(words::two_sizes, of_calls, size, of_bytes, range_text(most_bytes));
}

/// All classes from the first to the last, including empty ones.
std::vector<std::string> size_axis(const std::vector<SizeClass>& sizes) {
  std::vector<std::string> names;
  std::int64_t from = sizes.front().from_bytes;
  while (from < sizes.back().from_bytes) {
    names.push_back(format_bytes({from}));
    from = from == 0 ? 1 : from * 2;
  }
  names.push_back(format_bytes({sizes.back().from_bytes}));
  return names;
}

std::string limits_text(const ProfileView& view) {
  std::string text;
  for (const applications::LimitUse& use : view.limits) {
    text += fmt::format(" Eager limit {}: {} B.", word(use.limits.reach),
                        join_numbers(use.limits.limits_bytes, " or "));
  }
  return text;
}

}  // namespace

std::vector<Picture> size_pictures(const ProfileView& view, const ProgramSource& source) {
  const std::vector<SizeClass> sizes = applications::by_size(view.profile);
  applications::Volume all;
  for (const SizeClass& one : sizes) all.add(one.volume);
  if (all.count == 0) return {};
  Picture picture{.id = "sizes",
                  .title = title_of_sizes(sizes, all),
                  .caption = limits_text(view),
                  .table = table_of_sizes(sizes, all),
                  .launches = source.launches,
                  .command = source.command + " --all"};
  Json values = values_of(picture.table);
  for (Json& value : values) value["size"] = format_bytes({value.at("from_bytes")});
  draw(picture, "sizes", std::move(values), {{"sizes", size_axis(sizes)}});
  return {std::move(picture)};
}

namespace {

using applications::Mapping;

/// Messages between nodes under a mapping of ranks.
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
  const PicturedMatrix pictured{
      .id = is_now ? "nodes-before" : "nodes-after",
      .title = fmt::format("{}: {}", is_now ? "Before" : "After, " + inert(mapping.how),
                           leaving ? fmt::format(words::bytes_leave, share_text(*leaving))
                                   : std::string(words::no_bytes)),
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
                  .caption = std::string(words::bytes_of_cut),
                  .table = view_of_mappings(mappings_of(view)),
                  .launches = source.launches,
                  .command = source.command + " --all"};
  Json line = Json::array();
  if (const auto& bound = view.advice.bound) {
    line.push_back(
        {{"cut_bytes", bound->bytes},
         {"says", fmt::format(words::bound, short_bytes(static_cast<double>(bound->bytes)))}});
    picture.caption += words::dashed;
  }
  draw_bars(picture, "mapping", {"cut_bytes", "bytes between nodes"}, "amount", line);
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
