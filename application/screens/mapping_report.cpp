#include "application/screens/mapping_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "application/analysis/pattern.hpp"
#include "application/analysis/scotch_mapping.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using applications::Cut;
using applications::Mapping;
using applications::MappingAdvice;

std::string cut_text(const Cut& cut) {
  return std::to_string(cut.bytes) + " B over " +
         count_text(static_cast<std::size_t>(cut.edges), "pair") + " of ranks";
}

std::string less_text(const Cut& now, const Cut& best) {
  const auto share = applications::share_of(now.bytes - best.bytes, now.bytes);
  return share && *share > 0 ? ", " + format_fraction(*share) + " less" : "";
}

std::string bound_line(const MappingAdvice& advice) {
  if (!advice.bound) return "how much better any mapping can be is not known: no plain grid";
  const bool is_reached =
      advice.best.cut.bytes == advice.bound->bytes && advice.best.cut.edges == advice.bound->edges;
  return (is_reached ? "no mapping does better: at least " : "no mapping needs less than ") +
         std::to_string(advice.bound->bytes) + " B over " + std::to_string(advice.bound->edges) +
         " pairs";
}

std::string volume_text(const applications::Volume& volume) {
  return count_text(static_cast<std::size_t>(volume.count), "message") + ", " +
         std::to_string(volume.bytes) + " B";
}

Lines answer_in(const MappingView& view) {
  const MappingAdvice& advice = view.advice;
  if (view.nodes.size() < 2) return {"one node: nothing to map"};
  if (!advice.is_change() && !view.is_chosen) {
    return {"no change: " + cut_text(advice.now.cut) +
                " on different nodes, and nothing tried is "
                "better",
            bound_line(advice)};
  }
  return {advice.best.how + ": " + cut_text(advice.best.cut) + " on different nodes" +
              less_text(advice.now.cut, advice.best.cut),
          advice.now.how + ": " + cut_text(advice.now.cut), bound_line(advice),
          "between nodes: " + volume_text(view.before) + " before; " + volume_text(view.after) +
              " after"};
}

void count_messages(MappingView& view) {
  view.before = leaving(view.matrix, view.advice.now.of_rank);
  view.after = leaving(view.matrix, view.advice.best.of_rank);
}

std::vector<std::string> header_of(const profile::Profile& profile,
                                   const applications::MessageMatrix& matrix) {
  return {inert(library_name(profile.provenance.mpi.library)),
          inert(join(profile.provenance.command_line, " ")),
          name_of(applications::find_pattern(matrix))};
}

Mapping scotch_opinion(const applications::MessageMatrix& matrix,
                       const applications::Nodes& nodes) {
  auto mapping = applications::scotch_mapping(matrix, nodes);
  if (!mapping) {
    const bool is_here = applications::has_scotch();
    throw InputError({"no opinion of Scotch",
                      is_here ? "it does not map this program" : "this hockney is built without it",
                      is_here ? "" : "install Scotch (Debian: libscotch-dev) and build again"});
  }
  mapping->cut = cut_of(matrix, {nodes.names, mapping->of_rank, nodes.known});
  return std::move(*mapping);
}

nlohmann::json json_of(const Mapping& mapping) {
  return {{"how", mapping.how}, {"cut_edges", mapping.cut.edges}, {"cut_bytes", mapping.cut.bytes}};
}

}  // namespace

MappingView mapping_view_of(const profile::Profile& profile, const std::string& file,
                            Mappers mappers) {
  applications::MessageMatrix matrix = applications::message_matrix(profile);
  MappingView view{.header = header_of(profile, matrix),
                   .source = file,
                   .command = "hockney map " + inert(file),
                   .mpi_library = profile.provenance.mpi.library,
                   .seconds = profile.seconds,
                   .matrix = std::move(matrix),
                   .nodes = applications::nodes_of(profile),
                   .advice = {},
                   .scotch = {},
                   .before = {},
                   .after = {}};
  std::vector<Mapping> proposed;
  if (mappers == Mappers::with_scotch && view.nodes.known == view.nodes.size()) {
    view.scotch = scotch_opinion(view.matrix, view.nodes);
    proposed.push_back(*view.scotch);
  }
  view.advice = applications::find_mapping(view.matrix, view.nodes, proposed);
  count_messages(view);
  return view;
}

MappingView mapping_view_of(const applications::RankGrid& grid, std::int64_t bytes,
                            applications::Nodes nodes,
                            const std::optional<applications::Mapping>& chosen) {
  applications::MessageMatrix matrix = applications::halo_messages(grid, bytes);
  const std::string shape = join_numbers(grid.sizes, "x");
  MappingView view{.header = {"grid " + shape, std::to_string(bytes) + " B to each neighbour"},
                   .source = shape,
                   .command = {},
                   .mpi_library = {},
                   .seconds = {},
                   .matrix = std::move(matrix),
                   .nodes = std::move(nodes),
                   .advice = {},
                   .scotch = {},
                   .is_chosen = chosen.has_value(),
                   .before = {},
                   .after = {}};
  const auto measured = [&](applications::Mapping mapping) {
    mapping.cut = cut_of(view.matrix, {view.nodes.names, mapping.of_rank, view.nodes.known});
    return mapping;
  };
  if (chosen) {
    view.advice = {.now = measured({"ranks in order", view.nodes.of_rank, {}}),
                   .best = measured(*chosen),
                   .bound = cut_bound(view.matrix, view.nodes),
                   .tried = {}};
  } else {
    view.advice = applications::find_mapping(view.matrix, view.nodes);
    view.advice.now.how = "ranks in order";
  }
  count_messages(view);
  return view;
}

Screen screen_of(const MappingView& view) {
  Names hosts;
  for (const std::string& name : view.nodes.names) hosts.add(name);
  std::vector<std::string> header{hosts.text()};
  header.insert(header.end(), view.header.begin(), view.header.end());
  std::erase(header, "");
  Screen screen{.header = {join(header, "  ")},
                .answer = answer_in(view),
                .verdict = {},
                .trust = {"bytes of messages, the larger direction of each pair; collectives and "
                          "time are not in them"},
                .next = {}};
  if (view.scotch) screen.answer.push_back("Scotch: " + cut_text(view.scotch->cut));
  if (view.advice.is_change() || view.is_chosen) {
    screen.next = {{view.command + " -o ranks", "write it for the launcher"},
                   {view.command + " --all", "every mapping that was tried"}};
  }
  return screen;
}

void print_mapping_table(std::ostream& out, const MappingView& view) {
  const ItemColumns<Mapping> columns{
      {{"mapping", 0, Align::left}, [](const Mapping& one) { return one.how; }},
      {{"pairs", count_width}, [](const Mapping& one) { return std::to_string(one.cut.edges); }},
      {{"bytes", time_width}, [](const Mapping& one) { return std::to_string(one.cut.bytes); }}};
  Table table = table_of(columns);
  table.header("between nodes");
  table.row(cells_of(columns, view.advice.now));
  if (view.is_chosen) table.row(cells_of(columns, view.advice.best));
  for (const Mapping& mapping : view.advice.tried) table.row(cells_of(columns, mapping));
  out << table;
}

nlohmann::json to_json(const MappingView& view) {
  const MappingAdvice& advice = view.advice;
  nlohmann::json tried = nlohmann::json::array();
  for (const Mapping& mapping : advice.tried) tried.push_back(json_of(mapping));
  nlohmann::json document = json_of(advice.best);
  document.update({{"schema", "hockney.map/1"},
                   {"profile", view.source},
                   {"nodes", view.nodes.names},
                   {"placement", advice.best.of_rank},
                   {"bound_edges", nullptr},
                   {"bound_bytes", nullptr},
                   {"change", advice.is_change()},
                   {"messages_before", view.before.count},
                   {"messages_after", view.after.count},
                   {"message_bytes_before", view.before.bytes},
                   {"message_bytes_after", view.after.bytes},
                   {"now", json_of(advice.now)},
                   {"tried", std::move(tried)},
                   {"scotch", view.scotch ? json_of(*view.scotch) : nlohmann::json()}});
  if (advice.bound) {
    document["bound_edges"] = advice.bound->edges;
    document["bound_bytes"] = advice.bound->bytes;
  }
  return document;
}

}  // namespace hockney::report
