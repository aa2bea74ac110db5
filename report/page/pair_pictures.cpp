#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <string_view>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/library_tables.hpp"
#include "report/page/plot.hpp"
#include "report/page/records_page.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

/// Sentences of this page.
namespace words {

constexpr std::string_view colour =
    "Colour: median time over launches; what is measured one way stands for both. Outline: hop "
    "class.";
constexpr std::string_view pairs_put_together =
    " {} put together to {}: each cell is the median of its pairs.";
constexpr std::string_view drawn_ways = " Drawn are {} of {}; the command below prints all.";

}  // namespace words

constexpr std::size_t fewest_pairs = 3;
constexpr int most_places = 32;         // along a side; more are combined in blocks
constexpr std::size_t few_places = 12;  // along a side: cells have room for a number

/// The pairs of one operation at its smallest size.
struct PairMatrix {
  std::string operation;
  std::string setting;
  std::string
      parameters;  ///< "memory=cuda", inert: how it differs from the others of its operation
  Bytes bytes{};
  std::vector<const Row*> rows;  ///< each with a median
};

double seconds_of_pair(const Row& row) { return row.median_seconds.value_or(0); }

bool is_pair(const Row& row) { return row.point.pair.size() == 2 && row.median_seconds; }

/// A matrix for each number of ranks and each value of a parameter: memory, window, cache.
std::vector<PairMatrix> matrices_of(std::span<const Row> rows) {
  using Subject = std::pair<std::string, std::string>;  // setting and operation
  std::map<Subject, std::map<std::string, std::map<Bytes, std::vector<const Row*>>>> sizes;
  for (const Row& row : rows) {
    if (!is_pair(row)) continue;
    const std::string parameters =
        fmt::format("ranks={} {}", row.point.ranks, join_assignments(row.point.parameters, " "));
    sizes[{row.setting, row.point.operation}][parameters][row.point.bytes].push_back(&row);
  }
  std::vector<PairMatrix> matrices;
  for (const auto& [subject, by_parameters] : sizes) {
    std::vector<std::string> names;
    for (const auto& each : by_parameters) names.push_back(each.first);
    const std::vector<std::string> labels = labels_of(names);
    std::size_t place = 0;
    for (const auto& each : by_parameters) {
      const std::string label = names.size() > 1 ? labels[place++] : "";
      const auto& [bytes, some] = *each.second.begin();
      if (some.size() < fewest_pairs) continue;
      matrices.push_back({subject.second, subject.first, label, bytes, some});
    }
  }
  return matrices;
}

/// A cell of the matrix: two ranks, blocks of ranks or hosts.
using Place = std::pair<std::string, std::string>;

struct PairCell {
  std::vector<double> seconds;  ///< of its pairs
  std::set<std::string> hops;
};

/// The cells of a matrix in their order, and the names along its sides.
struct CellMatrix {
  std::vector<std::string> names;
  std::vector<std::pair<Place, PairCell>> cells;
};

/// `name_of` gives the name of a rank.
template <class NameOf>
CellMatrix cells_by(const PairMatrix& matrix, const std::vector<std::string>& names,
                    NameOf name_of) {
  const auto index_of = [&](int rank) {
    return std::ranges::find(names, name_of(rank)) - names.begin();
  };
  std::map<std::pair<std::ptrdiff_t, std::ptrdiff_t>, PairCell> cells;
  for (const Row* const row : matrix.rows) {
    PairCell& cell = cells[{index_of(row->point.pair[0]), index_of(row->point.pair[1])}];
    cell.seconds.push_back(seconds_of_pair(*row));
    cell.hops.insert(row->point.hop.value_or("-"));
  }
  CellMatrix made{.names = names, .cells = {}};
  for (auto& [places, cell] : cells) {
    const auto name_at = [&](std::ptrdiff_t i) { return names[static_cast<std::size_t>(i)]; };
    made.cells.emplace_back(Place(name_at(places.first), name_at(places.second)), std::move(cell));
  }
  return made;
}

int ranks_of(const PairMatrix& matrix) {
  int most = 0;
  for (const Row* const row : matrix.rows) {
    most = std::max({most, row->point.pair[0], row->point.pair[1]});
  }
  return most + 1;
}

/// A matrix of ranks, or of blocks of `block` ranks.
CellMatrix by_rank(const PairMatrix& matrix, int block) {
  const int ranks = ranks_of(matrix);
  const auto name_of = [&](int rank) {
    const int first = rank / block * block;
    const int last = std::min(first + block, ranks) - 1;
    return block == 1 ? std::to_string(rank) : fmt::format("{}-{}", first, last);
  };
  std::vector<std::string> names;
  for (int rank = 0; rank < ranks; rank += block) names.push_back(name_of(rank));
  return cells_by(matrix, names, name_of);
}

View table_of(const CellMatrix& matrix) {
  using Cell = std::pair<Place, PairCell>;
  const Columns<Cell> columns{
      {{"from", "from"}, [](const Cell& one) { return one.first.first; }},
      {{"to", "to"}, [](const Cell& one) { return one.first.second; }},
      {{"hop", "hop"},
       [](const Cell& one) {
         return join(std::vector(one.second.hops.begin(), one.second.hops.end()));
       }},
      {{"median_seconds", "median", Unit::seconds},
       [](const Cell& one) { return median_of_some(one.second.seconds); }},
      {{"pairs", "pairs", Unit::count}, [](const Cell& one) { return one.second.seconds.size(); }}};
  return make_view(columns, matrix.cells);
}

std::string words_of_time(double seconds) { return short_time(seconds, 3); }

/// The other half of the matrix, as far as it was not measured: a ping-pong goes both ways.
Json mirrored(const Json& values) {
  const auto place_of_cell = [](const Json& value) {
    return Place(value.at("from").get<std::string>(), value.at("to").get<std::string>());
  };
  std::set<Place> there;
  for (const Json& value : values) there.insert(place_of_cell(value));
  Json mirror = Json::array();
  for (Json value : values) {
    std::swap(value["from"], value["to"]);
    if (!there.contains(place_of_cell(value))) mirror.push_back(std::move(value));
  }
  return mirror;
}

/// "l3 0.33 us, cross-node 1.75 us (5.3 times)": medians of the hop classes, fastest first. A
/// single class has the fastest and the slowest pair instead.
std::string classes_text(const PairMatrix& matrix) {
  std::map<std::string, std::vector<double>> by_hop;
  for (const Row* const row : matrix.rows) {
    by_hop[row->point.hop.value_or("any hop")].push_back(seconds_of_pair(*row));
  }
  if (by_hop.size() == 1) {
    const auto& [hop, seconds] = *by_hop.begin();
    const auto [low, high] = std::ranges::minmax(seconds);
    return fmt::format("{} {}", inert(hop),
                       short_time(median_of_some(seconds), Interval{low, high, 1}));
  }
  std::vector<std::pair<double, std::string>> classes;
  for (const auto& [hop, seconds] : by_hop)
    classes.emplace_back(median_of_some(seconds), inert(hop));
  std::ranges::sort(classes);
  std::vector<std::string> parts;
  for (const auto& [seconds, hop] : classes) {
    std::string part = fmt::format("{} {}", hop, short_time(seconds));
    if (seconds > classes.front().first) {
      part += fmt::format(" ({} times)", significant(seconds / classes.front().first, 2));
    }
    parts.push_back(std::move(part));
  }
  return join(parts);
}

void draw_cells(Picture& picture, Json values, const std::vector<std::string>& names,
                const std::string& side, const HeatScale& heat) {
  const std::vector<std::string> hops = names_in(values, "hop");
  const bool has_outline = hops.size() > 1 && hops.size() <= most_series;
  const bool has_numbers = names.size() <= few_places;
  const Json mirror = mirrored(values);
  draw(picture, "matrix", std::move(values),
       {{"marks", words::colour},
        {"names", names},
        {"from_title", side},
        {"to_title", side},
        {"label_angle", has_numbers ? 0 : 270},
        {"scale", heat.scale()},
        {"color_title", "median time"},
        {"outline", has_outline ? series_of("hop", hops)["color"] : Json()},
        {"mirror", mirror},
        {"node_begins", nullptr},
        {"has_numbers", has_numbers},
        {"mirror_numbers", has_numbers ? mirror : Json()},
        {"frame", nullptr},
        {"height", std::min(130 + names.size() * 44, std::size_t{600})}});
}

Picture picture_of(const PairMatrix& pairs, const CellMatrix& matrix, const std::string& side,
                   const PictureSource& source) {
  const std::string by = side == "rank" ? "rank" : "host";
  const std::string parameters = pairs.parameters.empty() ? "" : " " + pairs.parameters;
  Picture picture{.id = id_of(fmt::format("pairs-by-{}-{}{}-{}", by, pairs.operation, parameters,
                                          pairs.setting)),
                  .title = fmt::format("{}{} at {} by {}: {}", inert(pairs.operation), parameters,
                                       format_bytes(pairs.bytes), by, classes_text(pairs)),
                  .table = table_of(matrix),
                  .launches = source.launches,
                  .command = "hockney export csv " + source.paths};
  if (matrix.cells.size() < pairs.rows.size()) {
    picture.caption += fmt::format(words::pairs_put_together, count_text(pairs.rows.size(), "pair"),
                                   matrix.cells.size());
  }
  Json values = values_of(picture.table);
  std::vector<double> seconds;
  for (const Json& value : values) seconds.push_back(value.at("median_seconds"));
  const HeatScale heat(seconds, words_of_time);
  for (Json& value : values) {
    const double median = value.at("median_seconds");
    heat.mark(value, median);
    value["words"] = Json::array({short_time(median, 2), value.at("hop")});
  }
  draw_cells(picture, std::move(values), matrix.names, side, heat);
  return picture;
}

std::map<int, std::string> hosts_of(std::span<const Record> records) {
  std::map<int, std::string> hosts;
  for (const Record& record : records) {
    for (const RankPlace& place : record.ranks) hosts.try_emplace(place.rank, place.host);
  }
  return hosts;
}

/// Hosts in the order of their ranks, combined in blocks if there are more than most_places.
class HostBlocks {
 public:
  explicit HostBlocks(const std::map<int, std::string>& hosts) {
    std::vector<std::string> all;
    for (const auto& [rank, host] : hosts) {
      if (std::ranges::find(all, host) == all.end()) all.push_back(host);
    }
    const std::size_t block = (all.size() + most_places - 1) / most_places;
    for (std::size_t first = 0; first < all.size(); first += block) {
      const std::size_t last = std::min(first + block, all.size()) - 1;
      names_.push_back(first == last ? all[first] : fmt::format("{}..{}", all[first], all[last]));
      for (std::size_t i = first; i <= last; ++i) name_of_[all[i]] = names_.back();
    }
  }

  [[nodiscard]] std::size_t hosts() const { return name_of_.size(); }
  [[nodiscard]] bool are_several() const { return names_.size() > 1; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const std::string& name_of(const std::string& host) const {
    return name_of_.at(host);
  }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::string> name_of_;
};

}  // namespace

std::vector<Picture> pair_pictures(std::span<const Row> rows, std::span<const Record> records,
                                   const PictureSource& source) {
  const std::map<int, std::string> hosts = hosts_of(records);
  const HostBlocks blocks(hosts);
  std::vector<Picture> pictures;
  for (const PairMatrix& matrix : matrices_of(rows)) {
    const bool has_hosts =
        blocks.are_several() && std::ranges::all_of(matrix.rows, [&](const Row* row) {
          return hosts.contains(row->point.pair[0]) && hosts.contains(row->point.pair[1]);
        });
    if (!has_hosts || blocks.hosts() < hosts.size()) {  // else ranks are hosts
      const int block = (ranks_of(matrix) + most_places - 1) / most_places;
      pictures.push_back(picture_of(matrix, by_rank(matrix, block), "rank", source));
    }
    if (!has_hosts) continue;
    const auto name_of = [&](int rank) { return blocks.name_of(hosts.at(rank)); };
    pictures.push_back(
        picture_of(matrix, cells_by(matrix, blocks.names(), name_of), "host", source));
  }
  return pictures;
}

namespace {

constexpr std::size_t most_ways = 30;  // of sending that are drawn

/// A limit of a way of sending.
struct WayLimit {
  std::string way;  ///< setting and hop class, call and datatype
  std::string receiver;
  std::int64_t bytes = 0;

  friend auto operator<=>(const WayLimit&, const WayLimit&) = default;
};

std::string place_of(const Record& record, const Protocol& protocol) {
  const bool has_setting = record.campaign && record.campaign->setting != "default";
  const std::string setting = has_setting ? record.campaign->setting + " " : "";
  return setting + protocol.hop.value_or(join_numbers(protocol.pair, "-"));
}

/// The limits that launches found, each once.
std::set<WayLimit> limits_of(std::span<const Record> records) {
  std::set<WayLimit> limits;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) continue;
    for (const Protocol& protocol : record.protocols) {
      for (const HandOver& one : protocol.hand_overs) {
        if (!one.limit_bytes) continue;
        const std::string way =
            fmt::format("{} {} {}", place_of(record, protocol), one.call, one.datatype);
        limits.insert({way, one.receiver, *one.limit_bytes});
      }
    }
  }
  return limits;
}

View table_of(const std::set<WayLimit>& limits) {
  const Columns<WayLimit> columns{
      {{"way", "way of sending"}, &WayLimit::way},
      {{"receiver", "receiver"}, &WayLimit::receiver},
      {{"bytes", "handed over up to [B]", Unit::count}, &WayLimit::bytes}};
  return make_view(columns, limits | std::views::take(most_ways));
}

}  // namespace

std::vector<Picture> protocol_pictures(std::span<const Record> records,
                                       const PictureSource& source) {
  const std::set<WayLimit> limits = limits_of(records);
  const Lines answer = protocol_answer(records);
  if (limits.empty() || answer.empty()) return {};
  Picture picture{.id = "protocol",
                  .title = answer.front(),
                  .table = table_of(limits),
                  .launches = source.launches,
                  .command = fmt::format("hockney report {} --all", source.paths)};
  if (limits.size() > most_ways) {
    picture.caption +=
        fmt::format(words::drawn_ways, most_ways, count_text(limits.size(), "limit"));
  }
  Json values = values_of(picture.table);
  const std::size_t ways = names_in(values, "way").size();
  draw(picture, "ways", std::move(values),
       {{"series", series_of("receiver", {"progressing", "asleep"})}, {"height", 60 + ways * 26}});
  return {std::move(picture)};
}

}  // namespace hockney::report
