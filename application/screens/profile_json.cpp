#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "application/profile/profile_file.hpp"
#include "report/csv.hpp"
#include "application/screens/profile_report.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using applications::CallSums;
using applications::share_of;
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
