#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/json_functions.hpp"
#include "core/json_node.hpp"
#include "core/json_values.hpp"

namespace hockney {

// Limits that several documents share.

/// Longest launch, program or campaign [s]: ten years.
inline constexpr double longest_seconds = 10 * 366 * 86'400.0;
/// Largest message, buffer or memory of a process [B]: one pebibyte.
inline constexpr double most_message_bytes = static_cast<double>(std::int64_t{1} << 50U);
/// Most bytes that a launch or a program moves [B], and limit of other counts: one exbibyte.
inline constexpr double most_total = static_cast<double>(std::int64_t{1} << 60U);
/// Most ranks of a job and CPUs of a machine: more than any has.
inline constexpr double most_job_ranks = 1 << 24;
inline constexpr double most_cpus = 1 << 20;
/// Most launches of a setting.
inline constexpr double most_launches = 1e6;
/// No memory copies faster than this [B/s].
inline constexpr double most_copy_rate = 1e15;

/// Largest magnitude of numbers whose key is the unit, or ends with it after '_'.
struct UnitLimit {
  std::string_view unit;
  double most;
};

inline constexpr std::array<UnitLimit, 19> unit_limits{{{"bytes_per_second", most_copy_rate},
                                                        {"seconds", longest_seconds},
                                                        {"bytes", most_message_bytes},
                                                        {"rank", most_job_ranks},
                                                        {"ranks", most_job_ranks},
                                                        {"pair", most_job_ranks},
                                                        {"peers", most_job_ranks},
                                                        {"cpu", most_cpus},
                                                        {"cpus", most_cpus},
                                                        {"cores", most_cpus},
                                                        {"device", most_cpus},
                                                        {"load_average", most_job_ranks},
                                                        {"launch", most_launches},
                                                        {"launches", most_launches},
                                                        {"attempt", most_launches},
                                                        {"share", 1},
                                                        {"level", 1},
                                                        {"false_alarm", 1},
                                                        {"seed", 0x1p64}}};

/// The limit of a key.
constexpr double most_of(std::string_view key) {
  for (const auto& [unit, most] : unit_limits) {
    if (!key.ends_with(unit)) continue;
    key.remove_suffix(unit.size());
    if (key.empty() || key.back() == '_') return most;
    break;
  }
  return most_total;
}

// Whether a number, or one in lists of numbers, has a larger magnitude than `most`.

template <class Value>
bool exceeds(const std::vector<Value>& values, double most);

template <class Value>
bool exceeds(const Value& value, double most) {
  if constexpr (std::is_arithmetic_v<Value>) {
    return static_cast<double>(value) > most || static_cast<double>(value) < -most;
  } else {
    return false;  // of texts and objects
  }
}

template <class Unit, class Number>
bool exceeds(const Quantity<Unit, Number>& quantity, double most) {
  return exceeds(quantity.value, most);
}

template <class Value>
bool exceeds(const std::optional<Value>& value, double most) {
  return value && exceeds(*value, most);
}

template <class Value>
bool exceeds(const std::vector<Value>& values, double most) {
  return std::ranges::any_of(values, [&](const auto& value) { return exceeds(value, most); });
}

/// InputError for the first number in a value beyond `most`.
[[noreturn]] void reject_excess(const JsonNode& node, double most);

}  // namespace hockney

// Each document type is described once, by a list of its keys and members. The reader,
// read_value<Type>(node), and the writer, nlohmann::json(value), use this list.

namespace hockney {

template <class Type>
concept ListedType = std::is_class_v<Type> && requires {
  fields_of(std::type_identity<Type>{});
};

/// Read and written by its field list wherever that is included.
template <class Type>
concept DescribedType = !has_json_functions<Type> && ListedType<Type>;

/// The field list of a type, made by object_of or strict_object. For each document type its
/// namespace has a function fields_of:
///   constexpr auto fields_of(std::type_identity<Wheel>) {
///     return object_of(key("inches", &Wheel::inches));
///   }
template <ListedType Type>
inline constexpr auto document_fields = fields_of(std::type_identity<Type>{});

/// Reads an object by its field list. Strict, like the reading of numbers and texts
/// (core/json_node.hpp).
template <ListedType Value>
void read_fields(const JsonNode& node, Value& value) {
  document_fields<Value>.read_whole(node, value);
}

/// Writes an object by its field list, in place of what `json` was.
template <ListedType Value, class Json>
void write_fields(Json& json, const Value& value) {
  json = Json::object();
  document_fields<Value>.write(value, json);
}

template <DescribedType Value>
void read_into(const JsonNode& node, Value& value) {
  read_fields(node, value);
}

// What every key does, apart from the templates: there are hundreds of keys.

/// The member `name`, or else `former`, which may be empty; nullopt if both are missing or null.
/// InputError for a needed one.
std::optional<JsonNode> find_key(const JsonNode& object, std::string_view name,
                                 std::string_view former, bool is_needed);

/// The member `name`; a new one is null.
nlohmann::json& member_of(nlohmann::json& object, std::string_view name);
template <class Json>
Json& member_of(Json& object, std::string_view name) {
  return object[std::string(name)];
}

void write_value(bool value, nlohmann::json& written);
void write_value(int value, nlohmann::json& written);
void write_value(std::int64_t value, nlohmann::json& written);
void write_value(double value, nlohmann::json& written);
void write_value(const std::string& value, nlohmann::json& written);
void write_value(const std::vector<std::string>& value, nlohmann::json& written);
void write_value(const std::vector<double>& value, nlohmann::json& written);
void write_value(const std::optional<double>& value, nlohmann::json& written);
void write_value(const std::optional<std::int64_t>& value, nlohmann::json& written);
template <class Value, class Json>
void write_value(const Value& value, Json& written) {
  written = value;
}

/// Whether a key may be missing or null, and how an empty member is written. Keys of std::optional
/// members may always be missing.
enum class KeyUse { needed, may_be_missing, null_if_empty, left_out_if_empty };

/// Reads and writes a member whose type does not describe it. `Value` is the member's type, or the
/// type in its std::optional. A function Value(const JsonNode&) alone only reads.
template <class Value, class Written>
struct FieldCodec {
  Value (*read)(const JsonNode&);
  Written (*write)(const Value&);

  Value operator()(const JsonNode& node) const { return read(node); }
};

// Aggregates, which the functions below initialise completely.
// NOLINTBEGIN(cppcoreguidelines-pro-type-member-init)

/// One key and its member.
template <class Owner, class Member, class Codec>
struct KeyField {
  std::string_view name;
  Member Owner::*member;
  KeyUse use;
  Codec codec;
  double most;                ///< largest magnitude of its numbers
  std::string_view former{};  ///< its name in older documents; empty: the same

  /// Whether the key may be neither missing nor null.
  [[nodiscard]] constexpr bool is_needed() const { return use == KeyUse::needed && !is_optional; }

  /// The same key with another limit than its unit has (unit_limits).
  [[nodiscard]] constexpr KeyField up_to(double limit) const {
    KeyField field = *this;
    field.most = limit;
    return field;
  }

  /// The same key, which older versions of the document call `old`.
  [[nodiscard]] constexpr KeyField formerly(std::string_view old) const {
    KeyField field = *this;
    field.former = old;
    return field;
  }

  void read(const JsonNode& object, Owner& owner) const {
    const std::optional<JsonNode> node = find_key(object, name, former, is_needed());
    if (!node) return;
    read_member(*node, owner.*member);
    if (exceeds(owner.*member, most)) reject_excess(*node, most);
  }

  template <class Json>
  void write(const Owner& owner, Json& object) const {
    const Member& value = owner.*member;
    if (use == KeyUse::left_out_if_empty && is_empty(value)) return;
    Json& written = member_of(object, name);
    if (use != KeyUse::null_if_empty || !is_empty(value)) write_member(value, written);
  }

  void add_keys(std::vector<std::string_view>& keys) const {
    keys.push_back(name);
    if (!former.empty()) keys.push_back(former);
  }

  static constexpr bool is_optional = requires(const Member& value) { value.has_value(); };

 private:
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
      write_value(value, written);
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

/// Keys that two functions read and write together; either function may be nullptr.
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

/// The document's value of the key `schema`, and the suggestion if the value is another one.
struct DocumentSchema {
  std::string_view name;
  std::string_view suggestion;
  std::string_view former{};  ///< an older version that is read, too; empty: none
};

/// Treatment of keys that a list lacks. Records pass them over, as later versions may write them.
/// Documents written by people refuse them, as they are mistakes.
enum class OtherKeys { passed_over, refused };

/// The entries of one object, in the order of reading and writing.
template <class... Entries>
struct FieldList {
  OtherKeys others;
  std::optional<DocumentSchema> schema;
  std::tuple<Entries...> entries;

  template <class Owner>
  void read_whole(const JsonNode& object, Owner& owner) const {
    if (schema) object.require_schema(schema->name, schema->suggestion, schema->former);
    if (others == OtherKeys::refused) {
      std::vector<std::string_view> keys;
      add_keys(keys);
      if (schema) keys.emplace_back("summary");  // of the command that printed the document
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

/// Entries of the same owner in an object below their own key.
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
    list.write(owner, member_of(object, name));
  }
  void add_keys(std::vector<std::string_view>& keys) const { keys.push_back(name); }
};

/// Entries of a member of the owner, without an object of their own.
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

// How field lists are built.

template <class... Entries>
constexpr FieldList<Entries...> object_of(Entries... entries) {
  return {OtherKeys::passed_over, std::nullopt, {entries...}};
}

template <class... Entries>
constexpr FieldList<Entries...> object_of(DocumentSchema schema, Entries... entries) {
  return {OtherKeys::passed_over, schema, {entries...}};
}

/// Refuses keys outside of the list, and names the nearest one.
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
  return {name, member, KeyUse::needed, codec, most_of(name)};
}

template <class Owner, class Member, class Codec = std::nullptr_t>
constexpr KeyField<Owner, Member, Codec> key(std::string_view name, Member Owner::*member,
                                             KeyUse use, Codec codec = nullptr) {
  return {name, member, use, codec, most_of(name)};
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

/// All entries of a member's field list.
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

}  // namespace hockney

/// The JSON value of a described type, by its field list.
template <hockney::DescribedType Value>
struct nlohmann::adl_serializer<Value, void> {
  template <class Json>
  static void to_json(Json& json, const Value& value) {
    hockney::write_fields(json, value);
  }
};
