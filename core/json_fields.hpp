#pragma once

#include <array>
#include <concepts>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/json_reading.hpp"
#include "core/json_values.hpp"

// A type of documents is described once, by the list of its keys and of the members behind them.
// Reader and writer come from this list: read_value<Type>(node) and nlohmann::json(value).

namespace hockney {

template <class Type>
concept DescribedType = std::is_class_v<Type> && requires {
  fields_of(std::type_identity<Type>{});
};

/// The field list of a type, made by object_of or strict_object. It is what fields_of gives, a
/// function of the type's namespace for each type that documents hold:
///   constexpr auto fields_of(std::type_identity<Wheel>) {
///     return object_of(key("inches", &Wheel::inches));
///   }
template <DescribedType Type>
inline constexpr auto document_fields = fields_of(std::type_identity<Type>{});

/// Strict, as the reading of numbers and texts (core/json_reading.hpp).
template <DescribedType Value>
void read_into(const JsonNode& node, Value& value) {
  document_fields<Value>.read_whole(node, value);
}

/// What becomes of a key that is missing or null, and of an empty member when it is written. Those
/// of std::optional members may always be missing.
enum class KeyUse { needed, may_be_missing, null_if_empty, left_out_if_empty };

/// Reads and writes a member that its type does not describe. `Value` is the member's type, or what
/// its std::optional holds. A function alone, Value(const JsonNode&), only reads.
template <class Value, class Written>
struct FieldCodec {
  Value (*read)(const JsonNode&);
  Written (*write)(const Value&);

  Value operator()(const JsonNode& node) const { return read(node); }
};

// Aggregates, which are made whole by the functions below.
// NOLINTBEGIN(cppcoreguidelines-pro-type-member-init)

/// One key and the member behind it.
template <class Owner, class Member, class Codec>
struct KeyField {
  std::string_view name;
  Member Owner::*member;
  KeyUse use;
  Codec codec;

  void read(const JsonNode& object, Owner& owner) const {
    const bool is_needed = use == KeyUse::needed && !is_optional;
    const auto node = is_needed ? std::optional(object.at(name)) : object.find(name);
    if (node) read_member(*node, owner.*member);
  }

  template <class Json>
  void write(const Owner& owner, Json& object) const {
    const Member& value = owner.*member;
    if (use == KeyUse::left_out_if_empty && is_empty(value)) return;
    Json& written = object[std::string(name)];
    if (use != KeyUse::null_if_empty || !is_empty(value)) write_member(value, written);
  }

  void add_keys(std::vector<std::string_view>& keys) const { keys.push_back(name); }

 private:
  static constexpr bool is_optional = requires(const Member& value) { value.has_value(); };

  void read_member(const JsonNode& node, Member& value) const {
    if constexpr (!std::is_null_pointer_v<Codec>) {
      value = codec(node);
    } else if constexpr (is_optional) {
      read_into(node, value.emplace());
    } else {
      read_into(node, value);
    }
  }

  template <class Json>
  void write_member(const Member& value, Json& written) const {
    if constexpr (!requires { codec.write; }) {
      written = value;
    } else if constexpr (is_optional) {
      if (value) written = codec.write(*value);
    } else {
      written = codec.write(value);
    }
  }

  static bool is_empty(const Member& value) {
    if constexpr (is_optional) return !value.has_value();
    if constexpr (requires { value.empty(); }) return value.empty();
    return false;
  }
};

/// Keys that functions read and write together; either may be nullptr.
template <class Owner, class Json, std::size_t count>
struct KeysByHand {
  std::array<std::string_view, count> names;
  void (*reader)(const JsonNode& object, Owner& owner);
  void (*writer)(const Owner& owner, Json& object);

  void read(const JsonNode& object, Owner& owner) const {
    if (reader != nullptr) reader(object, owner);
  }
  void write(const Owner& owner, Json& object) const {
    if (writer != nullptr) writer(owner, object);
  }
  void add_keys(std::vector<std::string_view>& keys) const {
    keys.insert(keys.end(), names.begin(), names.end());
  }
};

/// What a document calls itself under the key `schema`; the suggestion is for those of another.
struct DocumentSchema {
  std::string_view name;
  std::string_view suggestion;
};

/// What becomes of keys that a list lacks: those of records are of later versions; those that
/// people write are mistakes.
enum class OtherKeys { passed_over, refused };

/// The entries of one object, in the order in which they are read and written.
template <class... Entries>
struct FieldList {
  OtherKeys others;
  std::optional<DocumentSchema> schema;
  std::tuple<Entries...> entries;

  template <class Owner>
  void read_whole(const JsonNode& object, Owner& owner) const {
    if (schema) object.require_schema(schema->name, schema->suggestion);
    if (others == OtherKeys::refused) {
      std::vector<std::string_view> keys;
      add_keys(keys);
      object.allow_only(keys);
    }
    read(object, owner);
  }

  template <class Owner>
  void read(const JsonNode& object, Owner& owner) const {
    std::apply([&](const auto&... entry) { (entry.read(object, owner), ...); }, entries);
  }

  template <class Owner, class Json>
  void write(const Owner& owner, Json& object) const {
    if (schema) object["schema"] = schema->name;
    std::apply([&](const auto&... entry) { (entry.write(owner, object), ...); }, entries);
  }

  void add_keys(std::vector<std::string_view>& keys) const {
    if (schema) keys.emplace_back("schema");
    std::apply([&](const auto&... entry) { (entry.add_keys(keys), ...); }, entries);
  }
};

/// Entries of the same owner in an object of their own.
template <class... Entries>
struct InnerObject {
  std::string_view name;
  FieldList<Entries...> list;

  template <class Owner>
  void read(const JsonNode& object, Owner& owner) const {
    list.read(object.at(name), owner);
  }
  template <class Owner, class Json>
  void write(const Owner& owner, Json& object) const {
    list.write(owner, object[std::string(name)]);
  }
  void add_keys(std::vector<std::string_view>& keys) const { keys.push_back(name); }
};

/// Entries of a member of the owner, in the owner's object.
template <class Owner, class Member, class List>
struct MemberPart {
  Member Owner::*member;
  List list;

  void read(const JsonNode& object, Owner& owner) const { list.read(object, owner.*member); }
  template <class Json>
  void write(const Owner& owner, Json& object) const {
    list.write(owner.*member, object);
  }
  void add_keys(std::vector<std::string_view>& keys) const { list.add_keys(keys); }
};

// NOLINTEND(cppcoreguidelines-pro-type-member-init)

// How lists are written.

template <class... Entries>
constexpr FieldList<Entries...> object_of(Entries... entries) {
  return {OtherKeys::passed_over, std::nullopt, {entries...}};
}

template <class... Entries>
constexpr FieldList<Entries...> object_of(DocumentSchema schema, Entries... entries) {
  return {OtherKeys::passed_over, schema, {entries...}};
}

/// Refuses other keys, and names the nearest one of the list.
template <class... Entries>
constexpr FieldList<Entries...> strict_object(Entries... entries) {
  return {OtherKeys::refused, std::nullopt, {entries...}};
}

template <class... Entries>
constexpr FieldList<Entries...> strict_object(DocumentSchema schema, Entries... entries) {
  return {OtherKeys::refused, schema, {entries...}};
}

template <class Owner, class Member, class Codec = std::nullptr_t>
constexpr KeyField<Owner, Member, Codec> key(std::string_view name, Member Owner::*member,
                                             Codec codec = nullptr) {
  return {name, member, KeyUse::needed, codec};
}

template <class Owner, class Member, class Codec = std::nullptr_t>
constexpr KeyField<Owner, Member, Codec> key(std::string_view name, Member Owner::*member,
                                             KeyUse use, Codec codec = nullptr) {
  return {name, member, use, codec};
}

template <class... Entries>
constexpr InnerObject<Entries...> inner_object(std::string_view name, Entries... entries) {
  return {name, object_of(entries...)};
}

template <class Owner, class Member, class... Entries>
constexpr auto members_of(Member Owner::*member, Entries... entries) {
  const auto list = object_of(entries...);
  return MemberPart<Owner, Member, std::remove_const_t<decltype(list)>>{member, list};
}

/// All entries of a member.
template <class Owner, class Member>
constexpr auto members_of(Member Owner::*member) {
  const auto& list = document_fields<Member>;
  return MemberPart<Owner, Member, std::remove_cvref_t<decltype(list)>>{member, list};
}

template <class Owner, std::size_t count, class Json = nlohmann::json>
constexpr KeysByHand<Owner, Json, count> by_hand(const std::string_view (&names)[count],  // NOLINT
                                                 void (*read)(const JsonNode&, Owner&),
                                                 void (*write)(const Owner&, Json&)) {
  return {std::to_array(names), read, write};
}

/// Looks at what has been read before it. What a number may be is better an entry of
/// core/json_limits.hpp.
template <class Owner>
constexpr KeysByHand<Owner, nlohmann::json, 0> checked_by(void (*check)(const JsonNode&, Owner&)) {
  return {{}, check, nullptr};
}

}  // namespace hockney

/// What a field list writes.
template <hockney::DescribedType Value>
struct nlohmann::adl_serializer<Value, void> {
  template <class Json>
  static void to_json(Json& json, const Value& value) {
    json = Json::object();
    hockney::document_fields<Value>.write(value, json);
  }
};
