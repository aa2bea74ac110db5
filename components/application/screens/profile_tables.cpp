#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "components/application/profile/profile_file.hpp"
#include "components/application/screens/finding_words.hpp"
#include "components/application/screens/function_views.hpp"
#include "components/application/screens/profile_report.hpp"
#include "components/application/screens/profile_views.hpp"
#include "components/application/screens/time_line_views.hpp"
#include "core/json_values.hpp"
#include "core/text.hpp"
#include "report/exports.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

/// Sentences of these tables.
namespace words {

constexpr std::string_view clock_waits =
    "waits by the clocks of the hosts (Scalasca's definitions), over all ranks; by the replay, "
    "without clocks, {} s";
constexpr std::string_view waits_not_compared = "; {} between clocks that do not compare";
constexpr std::string_view additive = "POP, additive: load balance {} %, communication {} %{}";
constexpr std::string_view needs_log = "; serialisation and transfer need a log of events (--log)";

}  // namespace words

using applications::share_of;
using applications::Volume;
using Json = nlohmann::json;

Json json_of(const Volume& volume, const char* what) {
  Columns<Volume> columns{{{what, what, Unit::count}, &Volume::count}};
  add_byte_columns(columns, [](const Volume& one) { return one; });
  return json_of(columns, volume);
}

std::string percent_text(const std::optional<double>& share) {
  return share ? fixed_text(per_cent * *share, 1) : "-";
}

void print_calls(std::ostream& out, const ProfileView& view) {
  std::vector<applications::FunctionCalls> calls = applications::by_function(view.report.profile);
  print_view(out, "calls by time", view_of_calls(view, calls));
  std::erase_if(calls, [](const auto& one) { return one.sums.volume.bytes == 0; });
  std::ranges::stable_sort(calls, std::greater<>(),
                           [](const auto& one) { return one.sums.volume.bytes; });
  print_view(out, "calls by bytes", view_of_calls(view, calls));
}

/// Tables of a replay: call sites, regions and ranks; and wait states by clocks.
void print_replay_tables(std::ostream& out, const ProfileView& view,
                         const applications::ReplaySplit& split) {
  print_view(out,
             "why ranks are in MPI, by call site: waiting for others, for late receives, and the "
             "rest, over all ranks; computing that leads there; what of both is on the critical "
             "path",
             view_of_site_waits(view, split));
  if (!view.report.profile.regions.empty()) {
    print_view(out, "the same by region, those of most time on the critical path first",
               view_of_region_waits(view, split));
  }
  print_view(out, "the same by rank", view_of_rank_waits(split.ranks));
  if (!view.report.clock_waits) return;
  std::string title = fmt::format(words::clock_waits, significant(split.waiting_seconds()));
  if (const auto unknown = view.report.clock_waits->clocks_not_known; unknown > 0) {
    title += fmt::format(words::waits_not_compared,
                         count_text(static_cast<std::size_t>(unknown), "wait"));
  }
  print_view(out, title, view_of_clock_waits(*view.report.clock_waits));
}

View view_of_nodes(const ProfileView& view) {
  return view_of_matrix(view.report.by_node, view.report.nodes.names, view.report.split.seconds);
}

View view_of_pairs(const ProfileView& view) {
  std::vector<std::string> ranks;
  ranks.reserve(static_cast<std::size_t>(view.report.by_rank.size));
  for (int rank = 0; rank < view.report.by_rank.size; ++rank) ranks.push_back(std::to_string(rank));
  return view_of_matrix(view.report.by_rank, ranks, view.report.split.seconds);
}

/// The slowest iterations.
void print_iterations(std::ostream& out, const applications::Iterations& found) {
  print_view(out, iterations_title(found),
             view_of_iterations(found, slowest_iterations(found, most_printed_iterations)));
}

Json time_json(const applications::TimeSplit& split) {
  const applications::TimeParts& mean = split.mean;
  const auto shares = time_shares(split);
  const auto share = [&](double seconds) { return share_of(seconds, mean.whole()); };
  Json json{{"computing_seconds", mean.computing_seconds},
            {"mpi_seconds", mean.mpi_seconds},
            {"mpi_io_seconds", mean.mpi_io_seconds},
            {"io_seconds", mean.io_seconds},
            {"not_scheduled_seconds", mean.not_scheduled_seconds},
            {"ended_before_seconds", split.ended_before_seconds},
            {"load_imbalance_seconds", split.load_seconds()},
            {"computing_fraction", share(mean.computing_seconds)},
            {"mpi_fraction", share(mean.mpi_seconds)},
            {"mpi_io_fraction", share(mean.mpi_io_seconds)},
            {"io_fraction", share(mean.io_seconds)},
            {"not_scheduled_fraction", share(mean.not_scheduled_seconds)},
            {"busiest_rank", split.busiest_rank}};
  json["load_imbalance_fraction"] = shares ? Json(shares->load_imbalance) : Json();
  json["communication_fraction"] = shares ? Json(shares->communication) : Json();
  return json;
}

/// nullptr if the profile has no CPU times.
Json cpu_json(const std::optional<applications::CpuSummary>& cpu) {
  if (!cpu) return nullptr;
  return {{"fraction", cpu->fraction}, {"per_rank", cpu->per_rank}};
}

/// Null without samples.
Json sampling_json(const ProfileView& view) {
  if (!view.report.functions) return nullptr;
  return {{"period_seconds", view.report.functions->period_seconds},
          {"samples", view.report.functions->computing + view.report.functions->in_mpi},
          {"computing_samples", view.report.functions->computing},
          {"fraction", view.report.functions->overhead()}};
}

Json efficiencies_json(const applications::Efficiencies& found) {
  return {{"parallel", found.parallel},
          {"load_balance", found.load_balance},
          {"communication", found.communication},
          {"serialisation", found.serialisation},
          {"transfer", found.transfer},
          {"additive",
           {{"load_balance", found.additive_load_balance},
            {"communication", found.additive_communication}}}};
}

/// Wait states by clocks, with the same quantities by replay [s].
Json clock_waits_json(const ProfileView& view) {
  if (!view.report.clock_waits || !view.report.replay) return nullptr;
  const applications::WaitStates& waits = *view.report.clock_waits;
  Json json{{"not_known", waits.clocks_not_known},
            {"by_replay_seconds", view.report.replay->waiting_seconds()}};
  for (Json& wait : to_json(view_of_clock_waits(waits))) {
    const std::string key = wait["wait"];
    wait.erase("wait");
    json[key] = std::move(wait);
  }
  return json;
}

/// Split by replay [s]; null without a log of events.
Json split_json(const ProfileView& view) {
  if (!view.report.replay) return nullptr;
  Json json = to_json(view_of_rank_waits({view.report.replay->times})).front();
  json["load"] = view.report.replay->load;
  json["ideal_seconds"] = view.report.replay->ideal_seconds;
  json["rendezvous_seconds"] = view.report.replay->rendezvous_seconds;
  json["ranks"] = to_json(view_of_rank_waits(view.report.replay->ranks));
  json["sites"] = to_json(view_of_site_waits(view, *view.report.replay));
  json["regions"] = to_json(view_of_region_waits(view, *view.report.replay));
  json["clock_waits"] = clock_waits_json(view);
  return json;
}

Json pattern_json(const applications::Pattern& pattern) {
  return {{"kind", word(pattern.kind)},
          {"grid", filled_or_null(pattern.grid)},
          {"periodic", filled_or_null(pattern.periodic)},
          {"diagonals", pattern.diagonals},
          {"in_rank_order", pattern.order == applications::RankOrder::rows},
          {"root", pattern.root},
          {"ranks", pattern.ranks},
          {"neighbours", pattern.neighbours},
          {"explained_fraction", pattern.explained}};
}

Json ranks_json(const profile::Profile& profile) {
  Json ranks = Json::array();
  for (const profile::Rank& rank : profile.ranks) {
    Json& json = ranks.emplace_back(rank);
    json["computing_seconds"] = applications::time_parts(rank).computing_seconds;
  }
  return ranks;
}

Json limits_json(const ProfileView& view) {
  Json limits = Json::array();
  for (const applications::LimitUse& use : view.report.limits) {
    Json just_above = Json::array();
    for (const auto& [call, volume] : use.just_above) {
      just_above.emplace_back(json_of(volume, "count"))["call"] = call;
    }
    limits.push_back({{"reach", word(use.limits.reach)},
                      {"limits_bytes", use.limits.limits_bytes},
                      {"hops", use.limits.hops},
                      {"all", json_of(use.messages, "messages")},
                      {"above", json_of(use.above, "messages")},
                      {"perhaps_above", json_of(use.perhaps_above, "messages")},
                      {"just_above", std::move(just_above)}});
  }
  return limits;
}

}  // namespace

void print_profile_tables(std::ostream& out, const ProfileView& view) {
  const Screen screen = screen_of(view);
  View head;
  for (const Lines& lines : {screen.header, screen.answer, screen.reliability}) {
    for (const std::string& line : lines) head.add_text(line);
  }
  const applications::Efficiencies& found = view.report.efficiencies;
  if (found.additive_load_balance && found.additive_communication) {
    head.add_text(fmt::format(words::additive, percent_text(found.additive_load_balance),
                              percent_text(found.additive_communication),
                              view.report.replay ? "" : words::needs_log));
  }
  if (view.report.lines && view.report.lines->iterations.count() == 0) {
    head.add_text(iterations_title(view.report.lines->iterations));
  }
  for (const std::string& note : view.report.profile.notes) head.add_text("note: " + escaped(note));
  print_view(out, "", head);
  print_calls(out, view);
  print_view(out, "sizes of calls that carry data", view_of_sizes(view));
  print_view(out, "call sites by time; slowest rank: that which spent the most there",
             view_of_sites(view));
  if (view.report.replay) print_replay_tables(out, view, *view.report.replay);
  print_view(out, "regions by the time in calls inside, not in regions inside of them",
             view_of_regions(view));
  print_view(out,
             "parallel regions of OpenMP, over all ranks; waiting: at barriers, for other threads",
             view_of_parallel_regions(view));
  if (view.report.nodes.size() >= 2) {
    print_view(out, "messages between nodes, and inside of each", view_of_nodes(view));
  }
  print_view(out,
             "functions by computing time, without those that they call; slowest rank: that which "
             "computed most in it",
             view_of_functions(view));
  print_view(out, "lines by computing time", view_of_lines(view));
  if (view.report.lines) print_iterations(out, view.report.lines->iterations);
  print_view(out, "ranks", view_of_ranks(view));
  print_view(out, "causes of the time, worst first", view_of_findings(view));
}

Json to_json(const ProfileView& view) {
  const profile::Profile& profile = view.report.profile;
  const auto cut = cut_of(view.report.by_rank, view.report.nodes);
  Json json{{"schema", "hockney.profile-report/1"},
            {"ranks", profile.world_ranks},
            {"seconds", view.report.split.seconds},
            {"launches", 1},
            {"time", time_json(view.report.split)},
            {"split", split_json(view)},
            {"efficiencies", efficiencies_json(view.report.efficiencies)},
            {"cpu", cpu_json(view.report.cpu)},
            {"findings", to_json(view_of_findings(view))},
            {"calls", to_json(view_of_calls(view, applications::by_function(profile)))},
            {"sites", to_json(view_of_sites(view))},
            {"sizes", to_json(view_of_sizes(view))},
            {"regions", to_json(view_of_regions(view))},
            {"functions", functions_json(view)},
            {"call_tree", call_tree_json(view)},
            {"lines", view.report.functions ? to_json(view_of_lines(view)) : Json()},
            {"sampling", sampling_json(view)},
            {"parallel_regions", to_json(view_of_parallel_regions(view))},
            {"matrix", to_json(view_of_pairs(view))},
            {"nodes", view.report.nodes.names},
            {"node_matrix", to_json(view_of_nodes(view))},
            {"elsewhere", json_of(view.report.by_rank.elsewhere, "messages")},
            {"leaving_fraction", leaving_share(view.report.by_node, view.report.nodes)},
            {"cut", {{"edges", cut.edges}, {"bytes", cut.bytes}}},
            {"pattern", name_of(view.report.pattern)},
            {"pattern_evidence", pattern_json(view.report.pattern)},
            {"eager", limits_json(view)},
            {"rank_times", ranks_json(profile)},
            {"notes", profile.notes}};
  json["iterations"] = iterations_json(view);
  json["timeline"] = timeline_json(view);
  json["price"] = view.report.overhead
                      ? Json{{"seconds_per_call", view.report.overhead->seconds_per_call},
                             {"seconds", view.report.overhead->seconds},
                             {"fraction", view.report.overhead->fraction}}
                      : Json();
  return json;
}

void write_matrix_csv(std::ostream& out, const ProfileView& view, MatrixRows rows) {
  write_csv(out, rows == MatrixRows::nodes ? view_of_nodes(view) : view_of_pairs(view));
}

}  // namespace hockney::report
