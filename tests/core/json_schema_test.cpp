#include "core/json_schema.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace hockney {
namespace {

enum class SchemaColour { red, green };

struct SchemaWheel {
  double inches = 0;
};

/// One member of each kind that a schema tells apart.
struct SchemaBicycle {
  std::string name;
  SchemaColour colour = SchemaColour::red;
  std::optional<SchemaColour> second;
  std::vector<SchemaWheel> wheels;
  std::map<std::string, std::vector<std::string>> parts;
  std::optional<SchemaWheel> spare;
  Bytes log{};
  double slope = 0;
  double price = 0;
  bool is_locked = false;
  int year = 0;
};

constexpr auto words_of(std::type_identity<SchemaColour>) {
  return std::to_array<std::string_view>({"red", "green"});
}

constexpr auto fields_of(std::type_identity<SchemaWheel>) {
  return object_of(key("inches", &SchemaWheel::inches).says("of its rim"));
}

void read_code(const JsonNode& /*object*/, SchemaBicycle& /*bicycle*/) {}

constexpr auto fields_of(std::type_identity<SchemaBicycle>) {
  return strict_object(
      DocumentSchema{"bicycle/1", "bring a bicycle", "", "What stands in the shed."},
      key("name", &SchemaBicycle::name), key("colour", &SchemaBicycle::colour),
      key("second", &SchemaBicycle::second), key("wheels", &SchemaBicycle::wheels),
      key("parts", &SchemaBicycle::parts, KeyUse::may_be_missing),
      key("spare", &SchemaBicycle::spare),
      inner_object("facts", key("log_bytes", &SchemaBicycle::log),
                   key("locked", &SchemaBicycle::is_locked)),
      key("slope", &SchemaBicycle::slope, any_number),
      key("price", &SchemaBicycle::price, positive_number),
      key("year", &SchemaBicycle::year).formerly("built"),
      by_hand<SchemaBicycle, 2, nlohmann::json>({"code", "key"}, read_code, nullptr)
          .shaped(
              R"({"properties": {"code": {"type": "string"}}, "anyOf": [{"required": ["key"]}]})"),
      at_most("wheels.inches", 36), at_most("facts.log_bytes", 1024), below("year", 2100.5),
      at_least("price", 2), within("slope", 1), at_most("price", number_of("year")),
      at_most("unknown", 1));
}

}  // namespace

TEST_CASE("a field list is a schema: types, needed keys, words, constant limits and meanings") {
  using Json = nlohmann::json;  // whose order of members does not count
  CHECK(Json::parse(document_schema<SchemaBicycle>().dump()) == Json::parse(R"({
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "bicycle/1",
    "description": "What stands in the shed.",
    "type": "object",
    "required": ["schema", "name", "colour", "wheels", "facts", "slope", "price", "year"],
    "properties": {
      "schema": {"const": "bicycle/1"},
      "name": {"type": "string"},
      "colour": {"enum": ["red", "green"]},
      "second": {"enum": ["red", "green", null]},
      "wheels": {"type": "array", "items": {
        "type": "object", "required": ["inches"], "properties": {
          "inches": {"description": "of its rim", "type": "number", "minimum": 0, "maximum": 36}}}},
      "parts": {"type": ["object", "null"],
                "additionalProperties": {"type": "array", "items": {"type": "string"}}},
      "spare": {"type": ["object", "null"], "required": ["inches"], "properties": {
        "inches": {"description": "of its rim", "type": "number", "minimum": 0}}},
      "facts": {"type": "object", "required": ["log_bytes", "locked"], "properties": {
        "log_bytes": {"type": "integer", "minimum": 0, "maximum": 1024},
        "locked": {"type": "boolean"}}},
      "slope": {"type": "number"},
      "price": {"type": "number", "exclusiveMinimum": 0, "minimum": 2},
      "year": {"type": "integer", "minimum": 0, "exclusiveMaximum": 2100.5},
      "code": {"type": "string"},
      "key": {}
    },
    "anyOf": [{"required": ["key"]}],
    "additionalProperties": false
  })"));
}

}  // namespace hockney
