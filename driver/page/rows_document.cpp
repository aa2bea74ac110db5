#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/node_records.hpp"
#include "core/samples.hpp"
#include "driver/page/records_page.hpp"
#include "report/exports.hpp"
#include "report/record_tables.hpp"
#include "report/row_columns.hpp"
#include "report/rows.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

Json launches_list(std::span<const Record> records) {
  Json list = Json::array();
  for (const Record& record : records) {
    const CampaignPlace place = record.campaign.value_or(CampaignPlace());
    list.push_back({{"campaign", place.name},
                    {"setting", place.setting},
                    {"launch", place.launch},
                    {"started_utc", record.started_utc},
                    {"elapsed_seconds", record.elapsed_seconds},
                    {"status", word(record.status)},
                    {"hosts", strings_of(record.provenance.hosts, &Host::name)},
                    {"flags", record.flags}});
  }
  return list;
}

/// The host of each world rank, where all launches agree; else empty.
std::vector<std::string> hosts_of_ranks(std::span<const Record> records) {
  std::map<int, std::set<std::string>> hosts;
  for (const Record& record : records) {
    for (const RankPlace& place : record.ranks) hosts[place.rank].insert(place.host);
  }
  std::vector<std::string> all;
  for (const auto& [rank, names] : hosts) {
    if (names.size() != 1 || rank != static_cast<int>(all.size())) return {};
    all.push_back(*names.begin());
  }
  return all;
}

/// Settings compared with the base of their curve.
Json comparisons_list(std::span<const SettingsMatrix> matrices) {
  const Columns<Point> place = chosen(point_columns(Form::json),
                                      {"operation", "bytes", "ranks", "hop", "pair", "parameters"});
  Json list = Json::array();
  for (const SettingsMatrix& matrix : matrices) {
    for (const SettingRow& row : matrix.rows) {
      for (const auto& [bytes, cell] : row.cells) {
        if (!cell.against_base) continue;
        const verdicts::Comparison& one = *cell.against_base;
        Json object = json_of(place, one.point);
        object.update(Json{{"setting", row.setting},
                           {"base", matrix.rows.front().setting},
                           {"ratio", one.ratio},
                           {"ratio_low", exact_value(end_of(one.interval(), &Interval::low))},
                           {"ratio_high", exact_value(end_of(one.interval(), &Interval::high))},
                           {"verdict", word(one.verdict)},
                           {"is_substituted", cell.is_substituted}});
        list.push_back(std::move(object));
      }
    }
  }
  return list;
}

/// The largest messages that launches of hockney-protocol sent without a receive, each once.
Json limits_list(std::span<const Record> records) {
  std::map<std::vector<std::string>, std::set<std::int64_t>> limits;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) continue;
    const std::string setting = record.campaign ? record.campaign->setting : "";
    for (const Protocol& protocol : record.protocols) {
      for (const EagerLimit& one : protocol.eager_probes) {
        if (!one.limit_bytes) continue;
        limits[{setting, protocol.hop.value_or(""), join_numbers(protocol.pair, "-"), one.call,
                one.datatype, one.receiver}]
            .insert(*one.limit_bytes);
      }
    }
  }
  Json list = Json::array();
  for (const auto& [way, bytes] : limits) {
    for (const std::int64_t limit : bytes) {
      list.push_back({{"setting", way[0]},
                      {"hop", way[1]},
                      {"pair", way[2]},
                      {"call", way[3]},
                      {"datatype", way[4]},
                      {"receiver", way[5]},
                      {"limit_bytes", limit}});
    }
  }
  return list;
}

/// Equal for points that differ only in their pair or host.
auto bundle_key(const Row& row) {
  const Point& point = row.point;
  std::map<std::string, std::string> parameters = point.parameters;
  parameters.erase(host_parameter);
  return std::tuple(row.setting, point.operation, point.ranks, point.hop, point.path,
                    point.algorithm, std::move(parameters), point.bytes);
}

/// One row of the same point of several pairs or hosts.
Row bundled(const std::vector<const Row*>& pairs) {
  Row row = *pairs.front();
  if (pairs.size() == 1) return row;
  std::vector<double> medians;
  for (const Row* const pair : pairs) {
    if (pair->median_seconds) medians.push_back(*pair->median_seconds);
  }
  row.point.pair.clear();
  row.point.parameters.erase(host_parameter);
  row.launches.clear();
  row.median_seconds = median(medians);
  row.interval_seconds.reset();
  if (!medians.empty()) {
    const auto [low, high] = std::ranges::minmax(medians);
    row.interval_seconds = Interval{low, high, 1};
  }
  return row;
}

std::vector<Row> bundled_rows(std::span<const Row> rows) {
  std::map<decltype(bundle_key(rows[0])), std::size_t> places;
  std::vector<std::vector<const Row*>> bundles;
  for (const Row& row : rows) {
    const auto [place, is_new] = places.try_emplace(bundle_key(row), bundles.size());
    if (is_new) bundles.emplace_back();
    bundles[place->second].push_back(&row);
  }
  std::vector<Row> all;
  all.reserve(bundles.size());
  for (const auto& bundle : bundles) all.push_back(bundled(bundle));
  return all;
}

/// The pairs of the smallest size of each curve with a time.
Json pairs_list(std::span<const Row> rows, std::size_t most) {
  const Columns<Row> columns = chosen(
      row_columns(),
      {"operation", "setting", "bytes", "ranks", "hop", "pair", "parameters", "median_seconds"});
  const Row* before = nullptr;
  Json list = Json::array();
  for (const Row& row : rows) {
    if (row.point.pair.size() != 2 || !row.median_seconds || list.size() >= most) continue;
    if (before == nullptr || !same_curve(*before, row)) list.push_back(json_of(columns, row));
    before = &row;
  }
  return list;
}

/// With up to `most` medians of launches; without any if there are more.
Json rows_with_launches(const std::vector<Row>& rows, std::span<const Record> records,
                        std::size_t most) {
  std::size_t medians = 0;
  for (const Row& row : rows) medians += row.launches.size();
  Json list = rows_json(rows, records);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Json places = Json::array();
    Json seconds = Json::array();
    for (const LaunchMedian& launch : rows[i].launches) {
      if (medians > most) break;
      places.push_back(launch.launch);
      seconds.push_back(launch.seconds);
    }
    list[i]["launch_places"] = std::move(places);
    list[i]["launch_seconds"] = std::move(seconds);
  }
  return list;
}

}  // namespace

Json rows_document(Results& results, std::size_t most) {
  const std::span<const Record> records = results.records();
  const std::vector<Row>& rows = results.rows();
  const bool is_bundled = rows.size() > most;
  Json document = result_lists(rows, records, results.aims().level);
  document["schema"] = rows_schema;
  document["rows"] = rows_with_launches(is_bundled ? bundled_rows(rows) : rows, records,
                                        most > most_page_rows ? most : 4 * most);
  document["rows_measured"] = rows.size();
  const LaunchCount count = count_launches(records);
  document["launches_measured"] = count.launches;
  document["nodes_measured"] = count.nodes > 0 ? Json(count.nodes) : Json();
  document["pairs"] = is_bundled ? pairs_list(rows, most) : Json::array();
  document["launches"] = launches_list(records);
  document["hosts_of_ranks"] = hosts_of_ranks(records);
  document["comparisons"] = comparisons_list(results.matrices());
  document["limits"] = limits_list(records);
  document["faults"] = results.faults();
  return document;
}

}  // namespace hockney::report
