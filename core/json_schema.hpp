#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/json_fields.hpp"

// JSON Schema (draft 7) of a document from its field list: the keys, types and constant limits that
// its reader checks. A key that may be missing may be null.

namespace hockney {

/// Keeps the order of the field list.
using Schema = nlohmann::ordered_json;

inline Schema schema_of(std::type_identity<std::string> /*type*/) { return {{"type", "string"}}; }
inline Schema schema_of(std::type_identity<bool> /*type*/) { return {{"type", "boolean"}}; }

template <class Number>
requires std::is_arithmetic_v<Number> Schema schema_of(std::type_identity<Number> /*type*/) {
  return {{"type", std::is_integral_v<Number> ? "integer" : "number"}, {"minimum", 0}};
}

template <class Unit, class Number>
Schema schema_of(std::type_identity<Quantity<Unit, Number>> /*type*/) {
  return schema_of(std::type_identity<Number>{});
}

template <WordedEnum Enum>
Schema schema_of(std::type_identity<Enum> /*type*/) {
  return {{"enum", valid_words<Enum>()}};
}

template <ListedType Value>
Schema schema_of(std::type_identity<Value> type);

template <class Item>
Schema schema_of(std::type_identity<std::vector<Item>> /*type*/) {
  return {{"type", "array"}, {"items", schema_of(std::type_identity<Item>{})}};
}

template <class Item>
Schema schema_of(std::type_identity<SharedList<Item>> /*type*/) {
  return schema_of(std::type_identity<std::vector<Item>>{});
}

template <class Item>
Schema schema_of(std::type_identity<std::map<std::string, Item>> /*type*/) {
  return {{"type", "object"}, {"additionalProperties", schema_of(std::type_identity<Item>{})}};
}

template <class Value>
Schema schema_of(std::type_identity<std::optional<Value>> /*type*/) {
  return schema_of(std::type_identity<Value>{});
}

// Of what a codec reads.

inline Schema schema_by(double (*read)(const JsonNode&)) {
  if (read == positive_number) return {{"type", "number"}, {"exclusiveMinimum", 0}};
  return {{"type", "number"}};
}
inline Schema schema_by(std::string (* /*read*/)(const JsonNode&)) { return {{"type", "string"}}; }

template <class Value>
Schema schema_by(const FieldCodec<Value, Value>& /*codec*/) {
  return schema_of(std::type_identity<Value>{});
}

/// Collects the entries of a field list.
class ObjectSchema {
 public:
  template <class Owner, class Member, class Codec>
  void add_key(const KeyField<Owner, Member, Codec>& key) {
    Schema schema;
    if constexpr (std::is_null_pointer_v<Codec>) {
      schema = schema_of(std::type_identity<Member>{});
    } else {
      schema = schema_by(key.codec);
    }
    add(key.name, std::move(schema), key.is_needed(), key.meaning);
  }

  /// `schema` is a text, empty for any values.
  void add_by_hand(std::span<const std::string_view> names, std::string_view schema);

  template <class List>
  void add_object(std::string_view name, const List& list) {
    ObjectSchema inner;
    list.describe(inner);
    add(name, inner.schema(), true, "");
  }

  /// Limits by constants, at a path of names; other limits are beyond a schema.
  void add_limit(const NumberLimit& limit);

  [[nodiscard]] Schema schema() const;

 private:
  void add(std::string_view name, Schema schema, bool is_needed, std::string_view meaning);

  Schema properties_ = Schema::object();
  Schema others_ = Schema::object();  ///< conditions between keys
  std::vector<std::string> required_;
};

template <ListedType Value>
Schema schema_of(std::type_identity<Value> /*type*/) {
  ObjectSchema object;
  document_fields<Value>.describe(object);
  Schema schema = object.schema();
  if (document_fields<Value>.others == OtherKeys::refused) schema["additionalProperties"] = false;
  return schema;
}

/// The schema of a document: that of its object, its key `schema`, and a heading.
Schema with_heading(const DocumentSchema& document, Schema object);

template <ListedType Value>
Schema document_schema() {
  return with_heading(document_fields<Value>.schema.value(),
                      schema_of(std::type_identity<Value>{}));
}

}  // namespace hockney
