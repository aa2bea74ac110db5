#include "benchmarks/protocol/findings_text.hpp"

#include <nlohmann/json.hpp>

#include "core/protocol_json.hpp"
#include "core/record_fields.hpp"
#include "core/samples.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

Json to_json(const TimedOverhead& timed) {
  return {{"operation", timed.operation},
          {"bytes", timed.bytes},
          {"batch", timed.batch},
          {"visits_seconds", timed.visits_seconds}};
}

Series read_series_of(const JsonNode& node, const Protocol& protocol) {
  Series series{.point = {.operation = node.at("operation").text(),
                          .bytes = {amount(node.at("bytes"))},
                          .ranks = 2,
                          .hop = protocol.hop,
                          .path = protocol.path,
                          .pair = protocol.pair},
                .batch = node.at("batch").integer(),
                .bytes_per_sample = amount(node.at("bytes"))};
  for (const JsonNode& visit : node.at("visits_seconds").elements()) {
    const std::vector<double> samples = visit.numbers();
    series.visits.push_back(static_cast<int>(samples.size()));
    series.samples_seconds.insert(series.samples_seconds.end(), samples.begin(), samples.end());
  }
  series.summary = summarise(series);
  return series;
}

}  // namespace

std::string to_text(const std::optional<Protocol>& protocol, const std::vector<MemoryUse>& memory,
                    const std::vector<TimedOverhead>& times) {
  Json uses = Json::array();
  for (const MemoryUse& use : memory) uses.push_back(to_json(use));
  Json timed = Json::array();
  for (const TimedOverhead& each : times) timed.push_back(to_json(each));
  return Json{{"protocol", protocol ? to_json(*protocol) : Json(nullptr)},
              {"memory", uses},
              {"times", timed}}
      .dump();
}

void add_findings(const std::string& text, Record& record) {
  const JsonNode node = parse_json(text, "findings");
  for (const JsonNode& use : node.at("memory").elements()) {
    record.memory.push_back(read_memory_use(use));
  }
  const auto told = node.find("protocol");
  if (!told) return;
  record.protocols.push_back(read_protocol(*told));
  for (const JsonNode& timed : node.at("times").elements()) {
    const Series series = read_series_of(timed, record.protocols.back());
    record.points.push_back({.point = series.point, .bytes_per_sample = series.bytes_per_sample});
    record.series.push_back(series);
  }
}

}  // namespace hockney
