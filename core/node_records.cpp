#include "core/node_records.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/record_file.hpp"
#include "core/samples.hpp"
#include "core/statistics.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

std::string host_of(const Record& record) {
  return record.provenance.hosts.empty() ? "" : record.provenance.hosts.front().name;
}

/// Calls `change` with the parameters of every point.
template <class Change>
void change_parameters(Record& record, Change change) {
  for (PlannedPoint& planned : record.points.own()) change(planned.point.parameters);
  for (Series& series : record.series) change(series.point.parameters);
}

/// Whether a point has no figure for a reason that other nodes of the kind need not have.
bool is_of_node(const PlannedPoint& planned) {
  return planned.status == PointStatus::failed || planned.reason.starts_with(not_reached_reason);
}

/// The record without series and all that differs between nodes of one kind.
Record header_of(const Record& record) {
  Record header = record;
  header.series.clear();
  keep_times(header);  // settings of the launcher differ between nodes
  header.started_utc.clear();
  header.elapsed_seconds = 0;
  header.measuring_seconds = 0;
  header.seed = 0;
  header.sync.reset();
  header.clock.cost_seconds = 0;
  header.clock.resolution_seconds = 0;
  header.machine.clear();
  header.flags.clear();
  for (PlannedPoint& planned : header.points.own()) {
    if (!is_of_node(planned)) continue;
    planned.status = PointStatus::measured;
    planned.reason.clear();
  }
  for (RankPlace& place : header.ranks) place.host.clear();
  for (Host& host : header.provenance.hosts) {
    host.name.clear();
    host.load_average = 0;
    host.others.reset();
    host.network.clear();
    host.memory_bytes.reset();
    host.serial.clear();
  }
  return header;
}

/// The medians of the blocks that count [s].
std::vector<double> block_medians(const Series& series) {
  const std::vector<bool> counts = counted_blocks(series);
  std::vector<double> medians;
  std::size_t first = 0;
  for (std::size_t block = 0; block < series.blocks.size(); ++block) {
    const auto size = static_cast<std::size_t>(series.blocks[block]);
    if (counts[block]) {
      const auto samples = std::span(series.samples_seconds).subspan(first, size);
      if (const auto middle = median({samples.begin(), samples.end()})) medians.push_back(*middle);
    }
    first += size;
  }
  return medians;
}

/// At most `most` medians of adjacent values.
std::vector<double> joined(const std::vector<double>& values, std::size_t most) {
  if (values.size() <= most) return values;
  std::vector<double> some;
  for (std::size_t i = 0; i < most; ++i) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i * values.size() / most);
    const auto end = values.begin() + static_cast<std::ptrdiff_t>((i + 1) * values.size() / most);
    some.push_back(median({begin, end}).value_or(0));
  }
  return some;
}

constexpr int kept_digits = 6;  // of a median, far below its noise

/// The power of ten in which the value has kept_digits digits.
int exponent_for(double value) {
  return static_cast<int>(std::floor(std::log10(value))) - (kept_digits - 1);
}

/// [index of the point, batch, samples, exponent, medians in units of 10^exponent s], and flags if
/// there are any.
Json series_json(const Series& series, std::size_t point, std::size_t most) {
  const std::vector<double> medians = joined(block_medians(series), most);
  const double least = medians.empty() ? 0 : std::ranges::min(medians);
  const int exponent = least > 0 ? exponent_for(least) : 0;
  Json whole = Json::array();
  for (const double value : medians) {
    whole.push_back(std::llround(value * std::pow(10.0, -exponent)));
  }
  Json json{point, series.batch, series.samples_seconds.size(), exponent, std::move(whole)};
  if (!series.flags.empty()) json.push_back(series.flags);
  return json;
}

/// The index of a planned point; std::logic_error without one.
std::size_t index_of(const Record& record, const Point& point) {
  for (std::size_t i = 0; i < record.points.size(); ++i) {
    Point planned = record.points[i].point;
    planned.path = point.path;  // is proven later
    if (planned == point) return i;
  }
  throw std::logic_error("a series without a planned point: " + point.operation);
}

/// The value with kept_digits digits, so that its text is short.
double rounded(double value) {
  return std::strtod(fmt::format("{:.{}g}", value, kept_digits).c_str(), nullptr);
}

/// Medians over the moments of a launch, and of the noise probe and the copy over ranks.
class MachineMedians {
 public:
  explicit MachineMedians(const std::vector<MachineProbe>& probes) {
    for (const MachineProbe& probe : probes) add(probe);
  }

  [[nodiscard]] Json json() const {
    Json json = Json::object();
    put(json, "noise_probe_seconds", noise_);
    put(json, "copy_bytes_per_second", copies_);
    for (const auto& [pair, seconds] : lines_) {
      if (json["lines"].size() < most_pairs) {
        json["lines"].push_back({pair.first, pair.second, middle(seconds)});
      }
    }
    for (const auto& [cores, rates] : memory_) json["memory"].push_back({cores, middle(rates)});
    for (const auto& [device, rates] : devices_) {
      json["devices"].push_back({device, middle(rates.first), middle(rates.second)});
    }
    return json;
  }

 private:
  using Values = std::vector<double>;
  static constexpr std::size_t most_pairs = 8;

  void add(const MachineProbe& probe) {
    for (const RankProbe& rank : probe.ranks) {
      noise_.push_back(rank.noise_probe_seconds);
      if (rank.copy_bytes_per_second) copies_.push_back(*rank.copy_bytes_per_second);
    }
    for (const LineProbe& line : probe.lines) {
      if (line.pair.size() == 2) lines_[{line.pair[0], line.pair[1]}].push_back(line.seconds);
    }
    for (const MemoryProbe& memory : probe.memory) {
      memory_[memory.cores].push_back(memory.bytes_per_second);
    }
    for (const DeviceProbe& device : probe.devices) {
      auto& [to, from] = devices_[device.device];
      to.push_back(device.to_device_bytes_per_second);
      from.push_back(device.from_device_bytes_per_second);
    }
  }

  static double middle(const Values& values) { return rounded(median(values).value_or(0)); }
  static void put(Json& json, const char* key, const Values& values) {
    if (!values.empty()) json[key] = middle(values);
  }

  Values noise_;
  Values copies_;
  std::map<std::pair<int, int>, Values> lines_;
  std::map<int, Values> memory_;                      ///< by number of cores
  std::map<int, std::pair<Values, Values>> devices_;  ///< to and from
};

Json node_json(const Record& record, std::size_t most_blocks) {
  const Host host = record.provenance.hosts.empty() ? Host() : record.provenance.hosts.front();
  Json node{{"host", host.name},
            {"load_average", host.load_average},
            {"started_utc", record.started_utc},
            {"elapsed_seconds", record.elapsed_seconds},
            {"measuring_seconds", record.measuring_seconds},
            {"flags", record.flags}};
  if (!host.network.empty()) node["network"] = host.network;
  if (host.memory_bytes) node["memory_bytes"] = *host.memory_bytes;
  if (!host.serial.empty()) node["serial"] = host.serial;
  if (!record.machine.empty()) node["machine"] = MachineMedians(record.machine).json();
  Json unmeasured = Json::array();
  for (std::size_t i = 0; i < record.points.size(); ++i) {
    const PlannedPoint& planned = record.points[i];
    if (is_of_node(planned)) unmeasured.push_back({i, word(planned.status), planned.reason});
  }
  if (!unmeasured.empty()) node["unmeasured"] = std::move(unmeasured);
  Json series = Json::array();
  for (const Series& one : record.series) {
    series.push_back(series_json(one, index_of(record, one.point), most_blocks));
  }
  node["series"] = std::move(series);
  return node;
}

std::string digest_of(const std::string& kind) { return content_digest(kind).substr(0, 8); }

/// The index of a point, within the points of the kind.
std::size_t read_index(const JsonNode& node, const Record& kind) {
  const std::uint64_t index = node.unsigned_integer();
  if (index < kind.points.size()) return index;
  node.reject(fmt::format("is {}", index), "its kind has no such point", "");
}

/// A series from series_json.
Series read_series(const JsonNode& node, const Record& kind) {
  const std::vector<JsonNode> parts = node.elements();
  constexpr std::size_t size = 5;
  if (parts.size() != size && parts.size() != size + 1) {
    node.reject("has another length", "a series has five parts, or six with flags", "");
  }
  const std::size_t index = read_index(parts[0], kind);
  Series series;
  series.point = kind.points[index].point;
  series.bytes_per_sample = kind.points[index].bytes_per_sample;
  series.batch = parts[1].integer();
  const std::int64_t exponent = parts[3].integer();
  constexpr std::int64_t most_exponent = 30;
  if (std::abs(exponent) > most_exponent) {
    parts[3].reject(fmt::format("is {}", exponent), "no time has this unit", "");
  }
  for (const std::int64_t whole : parts[4].integers()) {
    if (whole <= 0)
      parts[4].reject("has a time that is not above 0", "no operation takes none", "");
    series.samples_seconds.push_back(static_cast<double>(whole) *
                                     std::pow(10.0, static_cast<double>(exponent)));
  }
  series.blocks.assign(series.samples_seconds.size(), 1);
  if (parts.size() > size) series.flags = parts[size].texts();
  series.summary = summarise(series);
  return series;
}

/// Points that this node has no figure of: [index, status, reason].
void read_unmeasured(const JsonNode& node, Record& record) {
  for (const JsonNode& one : node.elements()) {
    const std::vector<JsonNode> parts = one.elements();
    constexpr std::size_t size = 3;
    if (parts.size() != size) one.reject("has another length", "it has three parts", "");
    PlannedPoint& planned = record.points.own()[read_index(parts[0], record)];
    read_into(parts[1], planned.status);
    planned.reason = parts[2].text();
  }
}

int not_negative(const JsonNode& node) {
  int value = 0;
  read_into(node, value);
  return value;
}

std::vector<JsonNode> parts_of(const JsonNode& node, std::size_t size) {
  std::vector<JsonNode> parts = node.elements();
  if (parts.size() == size) return parts;
  node.reject("has another length", fmt::format("it has {} parts", size), "");
}

/// One probe with the medians of MachineMedians.
MachineProbe read_machine(const JsonNode& node) {
  MachineProbe probe;
  if (const auto noise = node.find("noise_probe_seconds")) {
    RankProbe& rank = probe.ranks.emplace_back();
    rank.noise_probe_seconds = positive_number(*noise);
    if (const auto copy = node.find("copy_bytes_per_second")) {
      rank.copy_bytes_per_second = positive_number(*copy);
    }
  }
  const auto for_each = [&node](const char* key, std::size_t size, const auto& work) {
    const auto list = node.find(key);
    if (!list) return;
    for (const JsonNode& one : list->elements()) work(parts_of(one, size));
  };
  for_each("lines", 3, [&](const std::vector<JsonNode>& parts) {
    probe.lines.push_back({.pair = {not_negative(parts[0]), not_negative(parts[1])},
                           .seconds = positive_number(parts[2])});
  });
  for_each("memory", 2, [&](const std::vector<JsonNode>& parts) {
    probe.memory.push_back(
        {.cores = positive_integer(parts[0]), .bytes_per_second = positive_number(parts[1])});
  });
  for_each("devices", 3, [&](const std::vector<JsonNode>& parts) {
    probe.devices.push_back({.device = not_negative(parts[0]),
                             .to_device_bytes_per_second = positive_number(parts[1]),
                             .from_device_bytes_per_second = positive_number(parts[2])});
  });
  return probe;
}

Record read_node(const JsonNode& node, const Record& kind) {
  Record record = kind;
  record.started_utc = node.at("started_utc").text();
  record.elapsed_seconds = node.at("elapsed_seconds").number();
  record.measuring_seconds = node.at("measuring_seconds").number();
  record.flags = node.at("flags").texts();
  const std::string host = node.at("host").text();
  for (RankPlace& place : record.ranks) place.host = host;
  for (Host& one : record.provenance.hosts) {
    one.name = host;
    one.load_average = node.at("load_average").number();
    if (const auto network = node.find("network")) one.network = network->text_members();
    if (const auto memory = node.find("memory_bytes")) one.memory_bytes = memory->integer();
    if (const auto serial = node.find("serial")) one.serial = serial->text();
  }
  if (const auto machine = node.find("machine")) record.machine = {read_machine(*machine)};
  if (const auto unmeasured = node.find("unmeasured")) read_unmeasured(*unmeasured, record);
  for (const JsonNode& one : node.at("series").elements()) {
    record.series.push_back(read_series(one, kind));
  }
  return record;
}

}  // namespace

bool is_of_each_node(const Record& record) {
  const std::vector<std::string>& words = record.provenance.command_line;
  return std::ranges::find(words, "--each-node") != words.end();
}

void name_host(Record& record) {
  const std::string host = host_of(record);
  if (host.empty() || !is_of_each_node(record)) return;
  change_parameters(record, [&](auto& parameters) { parameters[host_parameter] = host; });
}

void forget_host(Record& record) {
  if (!is_of_each_node(record)) return;
  change_parameters(record, [](auto& parameters) { parameters.erase(host_parameter); });
}

std::string host_of(const Point& point) {
  const auto found = point.parameters.find(host_parameter);
  return found == point.parameters.end() ? "" : found->second;
}

LaunchCount count_launches(std::span<const Record> records) {
  LaunchCount count;
  std::map<std::string, int> of_hosts;
  std::set<std::tuple<std::string, std::string, int>> launches;  // of all nodes
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) continue;
    if (!is_of_each_node(record)) {
      ++count.launches;
      continue;
    }
    // Launches outside of campaigns have no number: the n-th records of all hosts are one launch.
    CampaignPlace place = record.campaign.value_or(CampaignPlace{});
    const int number = ++of_hosts[host_of(record)];
    if (!record.campaign) place.launch = number;
    launches.emplace(place.name, place.setting, place.launch);
  }
  count.launches += launches.size();
  count.nodes = of_hosts.size();
  return count;
}

std::string text_of(const LaunchCount& count) {
  const auto counted = [](std::size_t number, const char* one, const char* several) {
    return fmt::format("{} {}", number, number == 1 ? one : several);
  };
  const std::string text = counted(count.launches, "launch", "launches");
  if (count.nodes == 0) return text;
  return fmt::format("{} of {}", text, counted(count.nodes, "node", "nodes"));
}

std::string kind_text(const Record& record) { return to_json(header_of(record)).dump(); }

NodeText node_text(const Record& record) {
  NodeText node{.kind = digest_of(kind_text(record)), .text = {}};
  constexpr std::size_t usual_blocks = 64;
  for (std::size_t blocks = usual_blocks; blocks > 0; blocks = blocks * 3 / 4) {
    Json json = node_json(record, blocks);
    json["kind"] = node.kind;
    node.text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (node.text.size() <= most_node_bytes) return node;
  }
  throw std::logic_error(fmt::format("the figures of one node have {} bytes", node.text.size()));
}

std::string nodes_file(const std::string& record_file) {
  return std::filesystem::path(record_file).replace_extension(".nodes.json").string();
}

std::string nodes_document(const NodeTexts& nodes) {
  std::string text = fmt::format("{{\"schema\": \"{}\",\n\"missing\": [", nodes_schema);
  const auto add = [&](bool is_first, const std::string& line) {
    text += (is_first ? "\n" : ",\n") + line;
  };
  for (const MissingNode& node : nodes.missing) {
    add(&node == nodes.missing.data(), Json{{"host", node.host}, {"reason", node.reason}}.dump());
  }
  text += "],\n\"kinds\": {";
  for (const std::string& kind : nodes.kinds) {
    add(&kind == nodes.kinds.data(), fmt::format("\"{}\": {}", digest_of(kind), kind));
  }
  text += "},\n\"nodes\": [";
  for (const NodeText& node : nodes.nodes) add(&node == nodes.nodes.data(), node.text);
  return text + "]}\n";
}

void save_nodes(const NodeTexts& nodes, const std::string& record_file) {
  write_atomically(nodes_file(record_file), nodes_document(nodes));
}

bool is_nodes(const JsonNode& document) {
  if (!document.is_object()) return false;
  const auto schema = document.find("schema");
  return schema && schema->is_text() && schema->text().starts_with("hockney.nodes/");
}

void for_each_node(const JsonNode& document, const std::function<void(Record)>& use) {
  document.require_schema(nodes_schema, "use the version of hockney that wrote the file");
  std::map<std::string, Record> kinds;
  for (const auto& [digest, kind] : document.at("kinds").members()) {
    kinds.emplace(digest, read_record(kind));
  }
  for (const JsonNode& node : document.at("nodes").elements()) {
    const JsonNode digest = node.at("kind");
    const auto kind = kinds.find(digest.text());
    if (kind == kinds.end()) {
      digest.reject(fmt::format("is '{}'", digest.text()), "the file has no such kind", "");
    }
    use(read_node(node, kind->second));
  }
}

std::vector<Record> read_nodes(const JsonNode& document) {
  std::vector<Record> records;
  for_each_node(document, [&](Record record) { records.push_back(std::move(record)); });
  return records;
}

std::vector<MissingNode> missing_nodes(const JsonNode& document) {
  std::vector<MissingNode> missing;
  for (const JsonNode& node : document.at("missing").elements()) {
    missing.push_back({.host = node.at("host").text(), .reason = node.at("reason").text()});
  }
  return missing;
}

std::vector<MissingNode> missing_nodes(const std::string& record_file) {
  const std::string file = nodes_file(record_file);
  std::error_code unreachable;
  if (!std::filesystem::exists(file, unreachable)) return {};
  return missing_nodes(load_json(file));
}

}  // namespace hockney
