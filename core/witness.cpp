#include "core/witness.hpp"

#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "core/record_json.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

Json to_json(const AskedAlgorithm& asked) {
  return {{"variable", asked.variable}, {"value", asked.value}, {"name", or_null(asked.name)}};
}

Json to_json(const WitnessedPoint& planned) {
  return {{"operation", planned.point.operation},
          {"bytes", planned.point.bytes.value},
          {"ranks", planned.point.ranks},
          {"parameters", planned.point.parameters},
          {"root", planned.root},
          {"element_bytes", planned.element_bytes}};
}

std::string line(const Json& json) { return json_text(json, -1) + "\n"; }

AskedAlgorithm read_asked_algorithm(const JsonNode& node) {
  return {.variable = node.at("variable").text(),
          .value = node.at("value").text(),
          .name = optional_text(node, "name")};
}

WitnessedPoint read_planned_point(const JsonNode& node) {
  return {.point = {.operation = node.at("operation").text(),
                    .bytes = {amount(node.at("bytes"))},
                    .ranks = small_integer(node.at("ranks")),
                    .parameters = node.at("parameters").text_members()},
          .root = small_integer(node.at("root")),
          .element_bytes = amount(node.at("element_bytes"))};
}

Witness read_header(const JsonNode& node) {
  const JsonNode schema = node.at("schema");
  if (schema.text() != witness_schema) {
    schema.reject("is '" + schema.text() + "'", "this hockney does not know it",
                  "use the hockney-algorithms of the same version");
  }
  return {.library = node.at("library").text(),
          .counting = node.at("counting").text(),
          .no_counts = node.at("no_counts").text(),
          .check = node.at("check").text(),
          .no_check = node.at("no_check").text(),
          .asked = read_array(node.at("asked"), read_asked_algorithm),
          .points = read_array(node.at("points"), read_planned_point)};
}

SentTraffic read_sent(const JsonNode& node) {
  const std::vector<JsonNode> numbers = node.elements();
  if (numbers.size() != 4) node.reject("has not four numbers", "from, to, messages, bytes", "");
  return {.from = small_integer(numbers[0]),
          .to = small_integer(numbers[1]),
          .messages = amount(numbers[2]),
          .bytes = amount(numbers[3])};
}

WitnessedPoint& point_of(Witness& witness, const JsonNode& number) {
  const auto index = static_cast<std::size_t>(small_integer(number));
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
  point.traffic = read_array(node.at("traffic"), read_sent);
}

}  // namespace

std::string witness_header(const Witness& witness) {
  return line({{"schema", witness_schema},
               {"library", witness.library},
               {"counting", witness.counting},
               {"no_counts", witness.no_counts},
               {"check", witness.check},
               {"no_check", witness.no_check},
               {"asked", array_json(witness.asked, to_json)},
               {"points", array_json(witness.points, to_json)}});
}

std::string witness_begun(std::size_t point) { return line({{"begun", point}}); }

std::string witness_done(std::size_t point, const std::string& error,
                         const std::vector<SentTraffic>& traffic) {
  Json array = Json::array();
  for (const SentTraffic& sent : traffic) {
    array.push_back({sent.from, sent.to, sent.messages, sent.bytes});
  }
  return line({{"done", point}, {"error", error}, {"traffic", std::move(array)}});
}

Witness read_witness(const std::string& text, const std::string& file) {
  std::vector<std::string> lines = split(text, '\n');
  const bool is_whole = lines.size() > 1;  // a line is whole when it has its end
  Witness witness = read_header(parse_json(is_whole ? lines.front() : "", file));
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    read_event(parse_json(lines[i], file), witness);
  }
  return witness;
}

}  // namespace hockney
