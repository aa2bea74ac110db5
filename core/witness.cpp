#include "core/witness.hpp"

#include <nlohmann/json.hpp>

#include "core/json_fields.hpp"
#include "core/json_values.hpp"
#include "core/text.hpp"

namespace hockney {

template <>
inline constexpr auto document_fields<AskedAlgorithm> =
    object_of(key("variable", &AskedAlgorithm::variable), key("value", &AskedAlgorithm::value),
              key("name", &AskedAlgorithm::name));

template <>
inline constexpr auto document_fields<WitnessedPoint> = object_of(
    members_of(&WitnessedPoint::point, key("operation", &Point::operation),
               key("bytes", &Point::bytes), key("ranks", &Point::ranks),
               key("parameters", &Point::parameters)),
    key("root", &WitnessedPoint::root), key("element_bytes", &WitnessedPoint::element_bytes));

/// The first line.
template <>
inline constexpr auto document_fields<Witness> =
    object_of(DocumentSchema{witness_schema, "use the hockney-algorithms of the same version"},
              key("library", &Witness::library), key("counting", &Witness::counting),
              key("no_counts", &Witness::no_counts), key("check", &Witness::check),
              key("no_check", &Witness::no_check), key("asked", &Witness::asked),
              key("points", &Witness::points));

namespace {

std::string line(const nlohmann::json& json) { return json_text(json, -1) + "\n"; }

SentTraffic read_sent(const JsonNode& node) {
  const std::vector<JsonNode> numbers = node.elements();
  if (numbers.size() != 4) node.reject("has not four numbers", "from, to, messages, bytes", "");
  return {.from = read_value<int>(numbers[0]),
          .to = read_value<int>(numbers[1]),
          .messages = read_value<std::int64_t>(numbers[2]),
          .bytes = read_value<std::int64_t>(numbers[3])};
}

WitnessedPoint& point_of(Witness& witness, const JsonNode& number) {
  const auto index = static_cast<std::size_t>(read_value<int>(number));
  if (index < witness.points.size()) return witness.points[index];
  number.reject("is " + std::to_string(index), "there is no such point", "");
}

void read_event(const JsonNode& node, Witness& witness) {
  if (const auto begun = node.find("begun")) {
    point_of(witness, *begun).stage = WitnessStage::begun;
    return;
  }
  WitnessedPoint& point = point_of(witness, node.at("done"));
  point.stage = WitnessStage::done;
  point.error = node.at("error").text();
  point.traffic.clear();
  for (const JsonNode& sent : node.at("traffic").elements()) {
    point.traffic.push_back(read_sent(sent));
  }
}

}  // namespace

std::string witness_header(const Witness& witness) { return line(witness); }

std::string witness_begun(std::size_t point) { return line({{"begun", point}}); }

std::string witness_done(std::size_t point, const std::string& error,
                         const std::vector<SentTraffic>& traffic) {
  auto array = nlohmann::json::array();
  for (const SentTraffic& sent : traffic) {
    array.push_back({sent.from, sent.to, sent.messages, sent.bytes});
  }
  return line({{"done", point}, {"error", error}, {"traffic", std::move(array)}});
}

Witness read_witness(const std::string& text, const std::string& file) {
  std::vector<std::string> lines = split(text, '\n');
  const bool is_whole = lines.size() > 1;  // a line is whole when it has its end
  auto witness = read_value<Witness>(parse_json(is_whole ? lines.front() : "", file));
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    read_event(parse_json(lines[i], file), witness);
  }
  return witness;
}

}  // namespace hockney
