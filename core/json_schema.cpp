#include "core/json_schema.hpp"

#include <cmath>
#include <cstdint>
#include <utility>

namespace hockney {

void ObjectSchema::add(std::string_view name, Schema schema, bool is_needed,
                       std::string_view meaning) {
  if (is_needed) {
    required_.emplace_back(name);
  } else if (schema.contains("enum")) {
    schema["enum"].push_back(nullptr);
  } else {
    schema["type"] = {schema.at("type"), "null"};
  }
  Schema& property = properties_[std::string(name)];
  if (!meaning.empty()) property["description"] = meaning;
  property.update(schema);
}

void ObjectSchema::add_by_hand(std::span<const std::string_view> names, std::string_view schema) {
  for (const std::string_view name : names) properties_[std::string(name)] = Schema::object();
  if (schema.empty()) return;
  Schema others = Schema::parse(schema);
  properties_.update(others.at("properties"));
  others.erase("properties");
  others_.update(others);
}

namespace {

/// The schema of the value, or of the elements of an array.
Schema& innermost(Schema& schema) {
  return schema.contains("items") ? innermost(schema["items"]) : schema;
}

/// The schema at a path of names below `properties`; nullptr if there is none.
Schema* schema_at(Schema& properties, std::string_view path) {
  const std::size_t dot = path.find('.');
  const auto found = properties.find(std::string(path.substr(0, dot)));
  if (found == properties.end()) return nullptr;
  Schema& schema = innermost(*found);
  if (dot == std::string_view::npos) return &schema;
  return schema.contains("properties") ? schema_at(schema["properties"], path.substr(dot + 1))
                                       : nullptr;
}

std::string_view keyword_of(NumberLimit::Side side) {
  switch (side) {
    case NumberLimit::Side::most:
      return "maximum";
    case NumberLimit::Side::least:
      return "minimum";
    case NumberLimit::Side::below:
      return "exclusiveMaximum";
    case NumberLimit::Side::magnitude:
      break;
  }
  return {};
}

}  // namespace

void ObjectSchema::add_limit(const NumberLimit& limit) {
  const std::string_view keyword = keyword_of(limit.side);
  Schema* const schema = schema_at(properties_, limit.path);
  if (keyword.empty() || schema == nullptr || limit.bound.of != Bound::Of::constant) return;
  const double bound = limit.bound.factor;
  Schema& written = (*schema)[std::string(keyword)];
  written = bound;
  if (bound == std::trunc(bound)) written = static_cast<std::int64_t>(bound);
}

Schema ObjectSchema::schema() const {
  Schema object{{"type", "object"}};
  if (!required_.empty()) object["required"] = required_;
  object["properties"] = properties_;
  object.update(others_);
  return object;
}

Schema with_heading(const DocumentSchema& document, Schema object) {
  Schema schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                {"title", document.name},
                {"description", document.description}};
  std::vector<std::string> required{"schema"};
  Schema properties{{"schema", {{"const", document.name}}}};
  if (object.contains("required")) {
    for (const Schema& name : object.at("required")) required.push_back(name);
  }
  properties.update(object.at("properties"));
  object["required"] = required;
  object["properties"] = properties;
  schema.update(object);
  return schema;
}

}  // namespace hockney
