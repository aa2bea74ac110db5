#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/text.hpp"
#include "report/page/curve_layers.hpp"
#include "report/page/pictures.hpp"
#include "report/page/plot.hpp"
#include "report/protocol_table.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_ways = 30;  // of sending that are drawn

/// Setting and hop class, then the call, the receiver and the datatype.
using WayOfSending = std::tuple<std::string, std::string, std::string, std::string>;

std::string place_of(const Record& record, const Protocol& protocol) {
  const bool has_setting = record.campaign && record.campaign->setting != "default";
  const std::string setting = has_setting ? record.campaign->setting + " " : "";
  return setting + protocol.hop.value_or(join_numbers(protocol.pair, "-"));
}

/// The limits that launches found of each way, each once.
std::map<WayOfSending, std::set<std::int64_t>> limits_by_way(std::span<const Record> records) {
  std::map<WayOfSending, std::set<std::int64_t>> limits;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) continue;
    for (const Protocol& protocol : record.protocols) {
      for (const HandOver& one : protocol.hand_overs) {
        if (!one.limit_bytes) continue;
        limits[{place_of(record, protocol), one.call, one.receiver, one.datatype}].insert(
            *one.limit_bytes);
      }
    }
  }
  return limits;
}

PageTable table_of(const std::map<WayOfSending, std::set<std::int64_t>>& limits) {
  PageTable table{
      {{"way of sending", "way"}, {"receiver", "receiver"}, {"handed over up to [B]", "bytes"}},
      {}};
  for (const auto& [way, some] : limits) {
    const auto& [place, call, receiver, datatype] = way;
    for (const std::int64_t bytes : some) {
      if (table.rows.size() == most_ways) return table;
      table.rows.push_back(
          {place + " " + call + " " + datatype, receiver, PageCell(std::to_string(bytes), bytes)});
    }
  }
  return table;
}

/// Ways of sending by sizes, with their numbers.
Json way_layers(const std::vector<std::string>& ways) {
  const std::vector<std::string> receivers{"progressing", "asleep"};
  Json y = name_channel("way", "", ways);
  y["axis"] = {{"title", nullptr}, {"grid", true}};
  return Json::array(
      {{{"name", "rows"},
        {"mark", {{"type", "point"}, {"filled", true}, {"size", 90}, {"opacity", 1}}},
        {"encoding", telling({{"x", size_channel()},
                              {"y", y},
                              {"color", series_color("receiver", receivers)},
                              {"shape", series_shape("receiver", receivers)}})}},
       {{"mark", {{"type", "text"}, {"align", "left"}, {"dx", 8}}},
        {"encoding",
         {{"x", size_channel()},
          {"y", y},
          {"text", {{"field", "bytes"}, {"type", "quantitative"}}}}}}});
}

}  // namespace

std::vector<Picture> protocol_pictures(std::span<const Record> records,
                                       const PictureSource& source) {
  const auto limits = limits_by_way(records);
  const Lines answer = protocol_answer(records);
  if (limits.empty() || answer.empty()) return {};
  Picture picture{.id = "protocol",
                  .title = answer.front(),
                  .caption =
                      "The largest message that each call hands over although nobody has "
                      "asked for it, to a receiver inside MPI and to one that sleeps.",
                  .table = table_of(limits),
                  .launches = source.launches,
                  .command = "hockney report " + source.paths + " --all"};
  if (limits.size() > most_ways) {
    picture.caption += " Drawn are " + std::to_string(most_ways) + " of " +
                       count_text(limits.size(), "way") + "; the command below has all.";
  }
  Json values = values_of(picture.table);
  const std::vector<std::string> ways = names_in(values, "way");
  Json layers = way_layers(ways);
  picture.plot = plot_of(picture.title, std::move(values), std::move(layers),
                         60 + static_cast<int>(ways.size()) * 26);
  return {std::move(picture)};
}

}  // namespace hockney::report
