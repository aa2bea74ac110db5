#include "report/profiles/mapping_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "models/applications/scotch_mapping.hpp"
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

Lines answer_in(const MappingView& view) {
  const MappingAdvice& advice = view.advice;
  if (view.nodes.size() < 2) return {"one node: nothing to map"};
  if (!advice.is_change()) {
    return {"no change: " + cut_text(advice.now.cut) +
                " on different nodes, and nothing tried is "
                "better",
            bound_line(advice)};
  }
  return {advice.best.how + ": " + cut_text(advice.best.cut) + " on different nodes" +
              less_text(advice.now.cut, advice.best.cut),
          "as it was: " + cut_text(advice.now.cut), bound_line(advice)};
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

MappingView mapping_view_of(profile::Profile profile, const std::string& file, Mappers mappers) {
  MappingView view{.profile = std::move(profile),
                   .file = file,
                   .nodes = {},
                   .pattern = {},
                   .advice = {},
                   .scotch = {}};
  const applications::MessageMatrix matrix = applications::message_matrix(view.profile);
  view.nodes = applications::nodes_of(view.profile);
  view.pattern = applications::find_pattern(matrix);
  if (mappers == Mappers::with_scotch && view.nodes.known == view.nodes.size()) {
    view.scotch = scotch_opinion(matrix, view.nodes);
  }
  const auto proposed =
      view.scotch ? std::vector{*view.scotch} : std::vector<applications::Mapping>{};
  view.advice = applications::find_mapping(matrix, view.nodes, proposed);
  return view;
}

Screen screen_of(const MappingView& view) {
  Names hosts;
  for (const std::string& name : view.nodes.names) hosts.add(name);
  std::vector<std::string> header{
      hosts.text(), inert(library_name(view.profile.provenance.mpi.library)),
      inert(join(view.profile.provenance.command_line, " ")), name_of(view.pattern)};
  std::erase(header, "");
  Screen screen{.header = {join(header, "  ")},
                .answer = answer_in(view),
                .verdict = {},
                .trust = {"bytes of messages, the larger direction of each pair; collectives and "
                          "time are not in them"},
                .next = {}};
  if (view.scotch) screen.answer.push_back("Scotch: " + cut_text(view.scotch->cut));
  if (view.advice.is_change()) {
    const std::string map = "hockney map " + inert(view.file);
    screen.next = {{map + " -o ranks", "write it for the launcher"},
                   {map + " --all", "every mapping that was tried"}};
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
  for (const Mapping& mapping : view.advice.tried) table.row(cells_of(columns, mapping));
  out << table;
}

nlohmann::json to_json(const MappingView& view) {
  const MappingAdvice& advice = view.advice;
  nlohmann::json tried = nlohmann::json::array();
  for (const Mapping& mapping : advice.tried) tried.push_back(json_of(mapping));
  nlohmann::json document = json_of(advice.best);
  document.update({{"schema", "hockney.map/1"},
                   {"profile", view.file},
                   {"nodes", view.nodes.names},
                   {"placement", advice.best.of_rank},
                   {"bound_edges", nullptr},
                   {"bound_bytes", nullptr},
                   {"change", advice.is_change()},
                   {"now", json_of(advice.now)},
                   {"tried", std::move(tried)},
                   {"scotch", view.scotch ? json_of(*view.scotch) : nlohmann::json()}});
  if (advice.bound) {
    document["bound_edges"] = advice.bound->edges;
    document["bound_bytes"] = advice.bound->bytes;
  }
  return document;
}

RankFile usual_rank_file(const std::string& mpi_library) {
  return mpi_library.starts_with("Open MPI") ? RankFile::rankfile : RankFile::hosts;
}

void write_rank_file(std::ostream& out, const MappingView& view, RankFile format) {
  const std::vector<int>& of_rank = view.advice.best.of_rank;
  const auto host_of = [&](std::size_t rank) {
    return view.nodes.names[static_cast<std::size_t>(of_rank[rank])];
  };
  std::vector<std::vector<std::size_t>> ranks_of(view.nodes.names.size());
  for (std::size_t rank = 0; rank < of_rank.size(); ++rank) {
    auto& ranks = ranks_of[static_cast<std::size_t>(of_rank[rank])];
    if (format == RankFile::rankfile) {
      out << "rank " << rank << '=' << host_of(rank) << " slot=" << ranks.size() << '\n';
    } else if (format == RankFile::hosts) {
      out << host_of(rank) << '\n';
    }
    ranks.push_back(rank);
  }
  if (format != RankFile::rank_order) return;
  std::vector<std::size_t> order;
  for (const auto& ranks : ranks_of) std::ranges::copy(ranks, std::back_inserter(order));
  out << join_numbers(order, ",") << '\n';
}

}  // namespace hockney::report
