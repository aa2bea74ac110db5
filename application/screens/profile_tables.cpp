#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "application/profile/profile_file.hpp"
#include "application/screens/profile_report.hpp"
#include "core/json_values.hpp"
#include "core/text.hpp"
#include "report/exports.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

// Tables of a profile that stand below each other, each below its title.

/// Prints the items below a title; nothing where there are none.
template <class Item>
void print_items(std::ostream& out, const std::string& title, const ItemColumns<Item>& columns,
                 const std::vector<Item>& items) {
  if (items.empty()) return;
  Table table = table_of(columns);
  table.comment_texts();
  table.text(title);
  table.header();
  for (const Item& item : items) table.row(cells_of(columns, item));
  table.text("");
  out << table;
}

/// What a replay of the log says of call sites, regions and ranks, and the clocks of waits; nothing
/// without a replay.
void print_replay_tables(std::ostream& out, const ProfileView& view);

using applications::CallSums;
using applications::share_of;

std::string percent_text(const std::optional<double>& share) {
  return share ? fixed_text(per_cent * *share, 1) : "-";
}

/// What calls come to; `sums` gives them of an item.
template <class Item, class Sums>
void add_call_columns(ItemColumns<Item>& columns, double whole, Sums sums) {
  const auto add = [&](const std::string& header, int width, auto text) {
    columns.push_back({{header, width}, [=](const Item& item) { return text(sums(item)); }});
  };
  add("calls", 12, [](const CallSums& one) { return std::to_string(one.volume.count); });
  add("seconds", 12, [](const CallSums& one) { return significant(one.seconds); });
  add("share[%]", share_width + 1,
      [whole](const CallSums& one) { return percent_text(share_of(one.seconds, whole)); });
  add("mean[us]", time_width, [](const CallSums& one) {
    return one.volume.count == 0
               ? std::string("-")
               : significant(one.seconds * microseconds / static_cast<double>(one.volume.count));
  });
  add("max[us]", time_width,
      [](const CallSums& one) { return significant(one.max_seconds * microseconds); });
  add("bytes", 16, [](const CallSums& one) { return std::to_string(one.volume.bytes); });
  add("min[B]", 11, [](const CallSums& one) { return std::to_string(one.volume.min_bytes); });
  add("mean[B]", 11, [](const CallSums& one) { return significant(one.volume.mean_bytes(), 1); });
  add("max[B]", 11, [](const CallSums& one) { return std::to_string(one.volume.max_bytes); });
}

constexpr auto sums_of = [](const auto& item) -> const CallSums& { return item.sums; };

double seconds_in_calls(const ProfileView& view) {
  double whole = 0;
  for (const profile::Calls& calls : view.profile.calls) whole += calls.seconds;
  return whole;
}

void print_calls(std::ostream& out, const ProfileView& view) {
  using applications::FunctionCalls;
  ItemColumns<FunctionCalls> columns{
      {{"call", 0, Align::left}, [](const FunctionCalls& one) { return inert(one.call); }}};
  add_call_columns(columns, seconds_in_calls(view), sums_of);
  std::vector<FunctionCalls> calls = applications::by_function(view.profile);
  print_items(out, "calls by time; share: of the time in all calls", columns, calls);
  std::erase_if(calls, [](const FunctionCalls& one) { return one.sums.volume.bytes == 0; });
  std::ranges::stable_sort(calls, std::greater<>(),
                           [](const FunctionCalls& one) { return one.sums.volume.bytes; });
  print_items(out, "calls by bytes", columns, calls);
}

void print_sites(std::ostream& out, const ProfileView& view) {
  using applications::SiteCalls;
  ItemColumns<SiteCalls> columns{
      {{"call", 0, Align::left}, [](const SiteCalls& one) { return inert(one.call); }},
      {{" site", 0, Align::left},
       [&](const SiteCalls& one) { return " " + site_text(view, one.site); }}};
  add_call_columns(columns, seconds_in_calls(view), sums_of);
  columns.push_back(
      {{"slowest", 9}, [](const SiteCalls& one) { return std::to_string(one.sums.slowest_rank); }});
  columns.push_back(
      {{"its[s]", 10}, [](const SiteCalls& one) { return significant(one.sums.slowest_seconds); }});
  print_items(out, "call sites by time; slowest: the rank that spent the most there", columns,
              applications::by_site(view.profile));
}

void print_sizes(std::ostream& out, const ProfileView& view) {
  using applications::SizeClass;
  applications::Volume all;
  const std::vector<SizeClass> sizes = applications::by_size(view.profile);
  for (const SizeClass& one : sizes) all.add(one.volume);
  const ItemColumns<SizeClass> columns{
      {{"from[B]", 12}, [](const SizeClass& one) { return std::to_string(one.from_bytes); }},
      {{"to[B]", 12}, [](const SizeClass& one) { return std::to_string(one.to_bytes); }},
      {{"calls", 12}, [](const SizeClass& one) { return std::to_string(one.volume.count); }},
      {{"calls[%]", 9},
       [&](const SizeClass& one) { return percent_text(share_of(one.volume.count, all.count)); }},
      {{"bytes", 16}, [](const SizeClass& one) { return std::to_string(one.volume.bytes); }},
      {{"bytes[%]", 9},
       [&](const SizeClass& one) { return percent_text(share_of(one.volume.bytes, all.bytes)); }},
      {{"seconds", 12}, [](const SizeClass& one) { return significant(one.seconds); }}};
  print_items(out, "sizes of calls that carry data", columns, sizes);
}

void print_regions(std::ostream& out, const ProfileView& view) {
  using applications::RegionCalls;
  if (view.profile.regions.empty()) return;
  const auto region_of = [&](const RegionCalls& one) -> const profile::Region* {
    return one.region ? &view.profile.regions[static_cast<std::size_t>(*one.region)] : nullptr;
  };
  ItemColumns<RegionCalls> columns{
      {{"region", 0, Align::left},
       [=](const RegionCalls& one) {
         return region_of(one) == nullptr ? std::string("-") : inert(region_of(one)->name);
       }},
      {{"entered", 10},
       [=](const RegionCalls& one) {
         return region_of(one) == nullptr ? std::string("-")
                                          : std::to_string(region_of(one)->entered);
       }},
      {{"inside[s]", 12}, [=](const RegionCalls& one) {
         return region_of(one) == nullptr ? std::string("-") : significant(region_of(one)->seconds);
       }}};
  add_call_columns(columns, seconds_in_calls(view), sums_of);
  std::vector<RegionCalls> regions = applications::by_region(view.profile);
  for (int i = 0; i < static_cast<int>(view.profile.regions.size()); ++i) {
    if (std::ranges::find(regions, i, &RegionCalls::region) == regions.end()) {
      regions.push_back({.region = i, .sums = {}});
    }
  }
  print_items(out, "regions by the time in calls inside, not in regions inside of them", columns,
              regions);
}

void print_nodes(std::ostream& out, const ProfileView& view) {
  using applications::MatrixCell;
  if (view.nodes.size() < 2) return;
  const auto name_of = [&](int node) {
    return inert(view.nodes.names[static_cast<std::size_t>(node)]);
  };
  const double seconds = view.split.seconds;
  const ItemColumns<MatrixCell> columns{
      {{"from", 0, Align::left}, [=](const MatrixCell& one) { return name_of(one.from); }},
      {{" to", 0, Align::left}, [=](const MatrixCell& one) { return " " + name_of(one.to); }},
      {{"messages", 12}, [](const MatrixCell& one) { return std::to_string(one.volume.count); }},
      {{"bytes", 16}, [](const MatrixCell& one) { return std::to_string(one.volume.bytes); }},
      {{"mean[B]", 11},
       [](const MatrixCell& one) { return significant(one.volume.mean_bytes(), 1); }},
      {{"[MB/s]", 11}, [=](const MatrixCell& one) {
         return significant(share_of(static_cast<double>(one.volume.bytes), seconds), 1e-6);
       }}};
  print_items(out, "messages between nodes, and inside of each", columns, view.by_node.cells);
}

void print_ranks(std::ostream& out, const ProfileView& view) {
  using profile::Rank;
  const auto parts = [](const Rank& rank) { return applications::time_parts(rank); };
  const auto end = [](const Rank& rank) {
    return " " + std::string(word(rank.end)) +
           (rank.signal > 0 ? " by signal " + std::to_string(rank.signal) : "");
  };
  const ItemColumns<Rank> columns{
      {{"rank", 6}, [](const Rank& rank) { return std::to_string(rank.rank); }},
      {{"host", 0, Align::left}, [](const Rank& rank) { return inert(rank.host); }},
      {{"seconds", 12}, [](const Rank& rank) { return significant(rank.seconds); }},
      {{"computing[s]", 13},
       [=](const Rank& rank) { return significant(parts(rank).computing_seconds); }},
      {{"MPI[s]", 12}, [](const Rank& rank) { return significant(rank.mpi_seconds); }},
      {{"MPI files[s]", 13}, [](const Rank& rank) { return significant(rank.mpi_io_seconds); }},
      {{"files[s]", 11}, [](const Rank& rank) { return significant(rank.io_seconds); }},
      {{"files[B]", 12}, [](const Rank& rank) { return std::to_string(rank.io_bytes); }},
      {{"calls", 12}, [](const Rank& rank) { return std::to_string(rank.calls); }},
      {{" end", 0, Align::left}, end}};
  print_items(out, "ranks", columns, view.profile.ranks);
}

}  // namespace

void print_profile_tables(std::ostream& out, const ProfileView& view) {
  const Screen screen = screen_of(view);
  Table head({{"", 0, Align::left}});
  head.comment_texts();
  for (const Lines& lines : {screen.header, screen.answer, screen.trust}) {
    for (const std::string& line : lines) head.text(line);
  }
  const applications::Efficiencies found = view.split.efficiencies();
  if (found.additive_load_balance && found.additive_communication) {
    head.text("POP, additive: load balance " + percent_text(found.additive_load_balance) +
              " %, communication " + percent_text(found.additive_communication) + " %" +
              (view.replay ? "" : "; serialisation and transfer need a log of events (--log)"));
  }
  for (const std::string& note : view.profile.notes) head.text("note: " + inert(note));
  head.text("");
  out << head;
  print_calls(out, view);
  print_sizes(out, view);
  print_sites(out, view);
  print_replay_tables(out, view);
  print_regions(out, view);
  print_nodes(out, view);
  print_ranks(out, view);
}

namespace {

/// What a replay says of an item, and how much of it is on the critical path.
template <class Item, class Times>
void add_split_columns(ItemColumns<Item>& columns, Times times) {
  using applications::SplitTimes;
  const auto add = [&](const std::string& header, auto seconds) {
    columns.push_back({{header, 14}, [=](const Item& item) {
                         const std::optional<double> value = seconds(times(item));
                         return value ? significant(*value) : std::string("-");
                       }});
  };
  add("computing[s]", [](const SplitTimes& one) { return one.computing; });
  add("critical[s]", [](const SplitTimes& one) { return one.on_path.computing; });
  add("others[s]", [](const SplitTimes& one) { return one.dependency; });
  add("rendezvous[s]", [](const SplitTimes& one) { return one.protocol; });
  add("transfer[s]", [](const SplitTimes& one) { return one.transfer; });
  add("critical[s]", [](const SplitTimes& one) { return one.on_path.transfer; });
}

void print_waits_by_site(std::ostream& out, const ProfileView& view) {
  using applications::SiteSplit;
  ItemColumns<SiteSplit> columns{
      {{"call", 0, Align::left}, [](const SiteSplit& one) { return inert(one.call); }},
      {{" site", 0, Align::left},
       [&](const SiteSplit& one) { return " " + site_text(view, one.site); }},
      {{"MPI[s]", 12}, [](const SiteSplit& one) { return significant(one.mpi_seconds); }}};
  add_split_columns(columns, [](const SiteSplit& one) { return one.times; });
  print_items(out,
              "why ranks are in MPI, by call site: waiting for others, for late receives, and the "
              "rest, over all ranks; computing that leads there; what of both is on the critical "
              "path",
              columns, view.replay->sites);
}

void print_waits_by_region(std::ostream& out, const ProfileView& view) {
  using applications::RegionSplit;
  if (view.profile.regions.empty()) return;
  ItemColumns<RegionSplit> columns{
      {{"region", 0, Align::left}, [&](const RegionSplit& one) {
         if (!one.region) return std::string("-");
         return inert(view.profile.regions[static_cast<std::size_t>(*one.region)].name);
       }}};
  add_split_columns(columns, [](const RegionSplit& one) { return one.times; });
  print_items(out, "the same by region, those of most time on the critical path first", columns,
              view.replay->regions);
}

void print_waits_by_rank(std::ostream& out, const ProfileView& view) {
  struct RankSplit {
    int rank = 0;
    applications::SplitTimes times;
  };
  std::vector<RankSplit> ranks;
  for (std::size_t rank = 0; rank < view.replay->ranks.size(); ++rank) {
    ranks.push_back({static_cast<int>(rank), view.replay->ranks[rank]});
  }
  ItemColumns<RankSplit> columns{
      {{"rank", 6}, [](const RankSplit& one) { return std::to_string(one.rank); }}};
  add_split_columns(columns, [](const RankSplit& one) { return one.times; });
  print_items(out, "the same by rank", columns, ranks);
}

/// After Scalasca, beside what the replay says.
void print_clock_waits(std::ostream& out, const ProfileView& view) {
  struct NamedWait {
    std::string name;
    applications::WaitState state;
  };
  if (!view.clock_waits) return;
  const applications::WaitStates& waits = *view.clock_waits;
  const std::vector<NamedWait> named{{"late sender", waits.late_sender},
                                     {"late receiver", waits.late_receiver},
                                     {"barrier", waits.barrier},
                                     {"all to all", waits.all_to_all},
                                     {"early reduce", waits.early_reduce},
                                     {"late broadcast", waits.late_broadcast},
                                     {"all", waits.all()}};
  const ItemColumns<NamedWait> columns{
      {{"wait", 0, Align::left}, [](const NamedWait& one) { return one.name; }},
      {{"seconds", 14}, [](const NamedWait& one) { return significant(one.state.seconds); }},
      {{"within[s]", 14},
       [](const NamedWait& one) { return significant(one.state.bound_seconds); }}};
  std::string title =
      "waits by the clocks of the hosts (Scalasca's definitions), over all ranks; "
      "by the replay, without clocks, " +
      significant(view.replay->waiting_seconds()) + " s";
  if (waits.clocks_not_known > 0) {
    title += "; " + count_text(static_cast<std::size_t>(waits.clocks_not_known), "wait") +
             " between clocks that do not compare";
  }
  print_items(out, title, columns, named);
}

void print_replay_tables(std::ostream& out, const ProfileView& view) {
  if (!view.replay) return;
  print_waits_by_site(out, view);
  print_waits_by_region(out, view);
  print_waits_by_rank(out, view);
  print_clock_waits(out, view);
}

using applications::Volume;
using Json = nlohmann::json;

Json json_of(const Volume& volume, const char* what) {
  return {{what, volume.count},
          {"bytes", volume.bytes},
          {"min_bytes", volume.min_bytes},
          {"mean_bytes", volume.mean_bytes()},
          {"max_bytes", volume.max_bytes}};
}

Json json_of(const CallSums& sums) {
  Json json = json_of(sums.volume, "count");
  json["seconds"] = sums.seconds;
  json["min_seconds"] = sums.min_seconds;
  json["max_seconds"] = sums.max_seconds;
  return json;
}

Json time_json(const applications::TimeSplit& split) {
  const applications::TimeParts& mean = split.mean;
  const auto shares = time_shares(split);
  const auto share = [&](double seconds) { return share_of(seconds, mean.whole()); };
  Json json{{"computing_seconds", mean.computing_seconds},
            {"mpi_seconds", mean.mpi_seconds},
            {"mpi_io_seconds", mean.mpi_io_seconds},
            {"io_seconds", mean.io_seconds},
            {"ended_before_seconds", split.ended_before_seconds},
            {"load_imbalance_seconds", split.load_seconds()},
            {"computing_fraction", share(mean.computing_seconds)},
            {"mpi_fraction", share(mean.mpi_seconds)},
            {"mpi_io_fraction", share(mean.mpi_io_seconds)},
            {"io_fraction", share(mean.io_seconds)},
            {"busiest_rank", split.busiest_rank}};
  json["load_imbalance_fraction"] = shares ? Json(shares->load_imbalance) : Json();
  json["communication_fraction"] = shares ? Json(shares->communication) : Json();
  return json;
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

Json json_of(const applications::SplitTimes& times) {
  return {
      {"computing", times.computing},
      {"dependency", times.dependency},
      {"protocol", times.protocol},
      {"transfer", times.transfer},
      {"on_path", {{"computing", times.on_path.computing}, {"transfer", times.on_path.transfer}}}};
}

Json region_json(const ProfileView& view, const std::optional<int>& region) {
  return region ? Json(view.profile.regions[static_cast<std::size_t>(*region)].name) : Json();
}

/// By the clocks, beside the same by the replay [s].
Json clock_waits_json(const ProfileView& view) {
  if (!view.clock_waits || !view.replay) return nullptr;
  const applications::WaitStates& waits = *view.clock_waits;
  Json json{{"not_known", waits.clocks_not_known},
            {"by_replay_seconds", view.replay->waiting_seconds()}};
  const auto add = [&](const char* key, const applications::WaitState& state) {
    json[key] = {{"seconds", state.seconds}, {"bound_seconds", state.bound_seconds}};
  };
  add("late_sender", waits.late_sender);
  add("late_receiver", waits.late_receiver);
  add("barrier", waits.barrier);
  add("all_to_all", waits.all_to_all);
  add("early_reduce", waits.early_reduce);
  add("late_broadcast", waits.late_broadcast);
  return json;
}

/// Seconds, by replay; null where there is no log of events.
Json split_json(const ProfileView& view) {
  if (!view.replay) return nullptr;
  Json json = json_of(view.replay->times);
  json["load"] = view.replay->load;
  json["ideal_seconds"] = view.replay->ideal_seconds;
  json["rendezvous_seconds"] = view.replay->rendezvous_seconds;
  Json& ranks = json["ranks"] = Json::array();
  for (const applications::SplitTimes& times : view.replay->ranks) ranks.push_back(json_of(times));
  Json& sites = json["sites"] = Json::array();
  for (const applications::SiteSplit& one : view.replay->sites) {
    Json& site = sites.emplace_back(json_of(one.times));
    site["call"] = one.call;
    site["site"] = one.site ? Json(site_text(view, one.site)) : Json();
    site["region"] = region_json(view, one.region);
    site["mpi_seconds"] = one.mpi_seconds;
  }
  Json& regions = json["regions"] = Json::array();
  for (const applications::RegionSplit& one : view.replay->regions) {
    regions.emplace_back(json_of(one.times))["region"] = region_json(view, one.region);
  }
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

Json matrix_json(const applications::MessageMatrix& matrix) {
  Json cells = Json::array();
  for (const applications::MatrixCell& cell : matrix.cells) {
    Json& json = cells.emplace_back(json_of(cell.volume, "messages"));
    json["from"] = cell.from;
    json["to"] = cell.to;
  }
  return cells;
}

Json ranks_json(const profile::Profile& profile) {
  Json ranks = Json::array();
  for (const profile::Rank& rank : profile.ranks) {
    Json& json = ranks.emplace_back(rank);
    json["computing_seconds"] = applications::time_parts(rank).computing_seconds;
  }
  return ranks;
}

Json calls_json(const ProfileView& view) {
  Json calls = Json::array();
  for (const auto& [call, sums] : applications::by_function(view.profile)) {
    Json& json = calls.emplace_back(json_of(sums));
    json["call"] = call;
  }
  return calls;
}

Json sites_json(const ProfileView& view) {
  Json sites = Json::array();
  for (const auto& [call, site, sums] : applications::by_site(view.profile)) {
    Json& json = sites.emplace_back(json_of(sums));
    json["call"] = call;
    json["site"] = site ? Json(site_text(view, site)) : Json();
    json["slowest_rank"] = sums.slowest_rank;
    json["slowest_seconds"] = sums.slowest_seconds;
  }
  return sites;
}

Json sizes_json(const ProfileView& view) {
  Json sizes = Json::array();
  for (const applications::SizeClass& one : applications::by_size(view.profile)) {
    sizes.push_back({{"from_bytes", one.from_bytes},
                     {"to_bytes", one.to_bytes},
                     {"count", one.volume.count},
                     {"bytes", one.volume.bytes},
                     {"seconds", one.seconds}});
  }
  return sizes;
}

Json regions_json(const ProfileView& view) {
  Json regions = Json::array();
  for (const auto& [region, sums] : applications::by_region(view.profile)) {
    if (!region) continue;
    Json& json = regions.emplace_back(json_of(sums));
    const profile::Region& found = view.profile.regions[static_cast<std::size_t>(*region)];
    json["region"] = found.name;
    json["entered"] = found.entered;
    json["inside_seconds"] = found.seconds;
  }
  return regions;
}

Json limits_json(const ProfileView& view) {
  Json limits = Json::array();
  for (const applications::LimitUse& use : view.limits) {
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

Json to_json(const ProfileView& view) {
  const profile::Profile& profile = view.profile;
  const auto cut = cut_of(view.by_rank, view.nodes);
  Json json{{"schema", "hockney.profile-report/1"},
            {"ranks", profile.world_ranks},
            {"seconds", view.split.seconds},
            {"launches", 1},
            {"time", time_json(view.split)},
            {"split", split_json(view)},
            {"efficiencies", efficiencies_json(efficiencies_of(view))},
            {"calls", calls_json(view)},
            {"sites", sites_json(view)},
            {"sizes", sizes_json(view)},
            {"regions", regions_json(view)},
            {"matrix", matrix_json(view.by_rank)},
            {"nodes", view.nodes.names},
            {"node_matrix", matrix_json(view.by_node)},
            {"elsewhere", json_of(view.by_rank.elsewhere, "messages")},
            {"leaving_fraction", leaving_share(view.by_node, view.nodes)},
            {"cut", {{"edges", cut.edges}, {"bytes", cut.bytes}}},
            {"pattern", name_of(view.pattern)},
            {"pattern_evidence", pattern_json(view.pattern)},
            {"eager", limits_json(view)},
            {"rank_times", ranks_json(profile)},
            {"notes", profile.notes}};
  json["price"] = view.price ? Json{{"seconds_per_call", view.price->seconds_per_call},
                                    {"seconds", view.price->seconds},
                                    {"fraction", view.price->fraction}}
                             : Json();
  return json;
}

void write_matrix_csv(std::ostream& out, const ProfileView& view, MatrixRows rows) {
  const bool is_by_node = rows == MatrixRows::nodes;
  const auto name_of = [&](int row) {
    return is_by_node ? view.nodes.names[static_cast<std::size_t>(row)] : std::to_string(row);
  };
  const auto rate_of = [&](std::int64_t amount) {
    const auto rate = share_of(static_cast<double>(amount), view.split.seconds);
    return rate ? exact_text(*rate) : std::string();
  };
  out << csv_line({"from", "to", "messages", "bytes", "min_bytes", "mean_bytes", "max_bytes",
                   "messages_per_second", "bytes_per_second"});
  for (const applications::MatrixCell& cell : (is_by_node ? view.by_node : view.by_rank).cells) {
    const Volume& volume = cell.volume;
    out << csv_line({name_of(cell.from), name_of(cell.to), std::to_string(volume.count),
                     std::to_string(volume.bytes), std::to_string(volume.min_bytes),
                     exact_text(volume.mean_bytes().value_or(0)), std::to_string(volume.max_bytes),
                     rate_of(volume.count), rate_of(volume.bytes)});
  }
}

}  // namespace hockney::report
