#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <memory_resource>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/quantities.hpp"
#include "core/shared_list.hpp"
#include "core/text.hpp"

// The memory behind JsonNode. A tree of nlohmann's allocates each value and each name separately,
// which takes longer than all other work on most documents.

namespace hockney {

struct JsonMember;
struct JsonValue;

/// Consecutive items in the memory of their document.
template <class Item>
struct JsonItems {
  const Item* first = nullptr;
  std::size_t count = 0;

  [[nodiscard]] const Item* begin() const { return first; }
  [[nodiscard]] const Item* end() const { return first + count; }
};

using JsonArray = JsonItems<JsonValue>;
/// In the order of comes_before, each name once.
using JsonObject = JsonItems<JsonMember>;

/// A value whose data are all in the memory of its document. Whole numbers are unsigned unless they
/// are below 0.
struct JsonValue {
  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string_view,
               JsonArray, JsonObject>
      is;

  template <class Type>
  [[nodiscard]] const Type* get_if() const {
    return std::get_if<Type>(&is);
  }
  /// "null", "boolean", "number", "string", "array" or "object".
  [[nodiscard]] std::string_view type_name() const;
  /// The member of an object; nullptr if it has none of that name.
  [[nodiscard]] const JsonValue* find(std::string_view name) const;
  /// nullopt if it is no number.
  [[nodiscard]] std::optional<double> number() const;
  /// The first number at a path (core/json_fields.hpp) for which `is_wrong` holds, else nullptr.
  [[nodiscard]] const JsonValue* find_number(std::string_view path,
                                             const std::function<bool(double)>& is_wrong) const;
  /// The key of `wanted` in or below this value, whose own key is `key`; nullopt if it is
  /// elsewhere. Only errors need keys, so values do not store them.
  [[nodiscard]] std::optional<std::string> key_of(const JsonValue& wanted,
                                                  const std::string& key = {}) const;
  /// A copy as a tree of nlohmann's.
  [[nodiscard]] nlohmann::json json() const;

 private:
  [[nodiscard]] static const JsonValue* find_member(const JsonObject& object, std::string_view path,
                                                    const std::function<bool(double)>& is_wrong);
};

struct JsonMember {
  std::string_view name;
  JsonValue value;
};

/// The order of members: by length first, because comparing two lengths is cheap.
inline bool comes_before(std::string_view name, std::string_view other) {
  return name.size() != other.size() ? name.size() < other.size() : name < other;
}

/// The key of the member `name` of the object whose own key is `object`.
std::string member_key(const std::string& object, std::string_view name);

/// A whole document, built by JsonBuilder (core/json_read.cpp).
struct JsonDocument {
  /// `bytes` is an estimate of the memory it needs.
  JsonDocument(std::string name, std::size_t bytes) : file(std::move(name)), memory(bytes) {}

  std::string file;
  std::pmr::monotonic_buffer_resource memory;
  JsonValue root{};
};

struct JsonDocument;
struct JsonValue;

/// A value of a document with its file and key. Errors about it are InputErrors of one line that
/// names both. It keeps the whole document alive.
class JsonNode {
 public:
  /// The root of a document, never null.
  explicit JsonNode(std::shared_ptr<const JsonDocument> document);

  /// The member `key`, which must exist.
  [[nodiscard]] JsonNode at(std::string_view key) const;
  /// The member `key`; nullopt if it is missing or null.
  [[nodiscard]] std::optional<JsonNode> find(std::string_view key) const;
  /// All elements of an array.
  [[nodiscard]] std::vector<JsonNode> elements() const;
  /// How many elements an array has.
  [[nodiscard]] std::size_t size() const;
  /// The names of an object's members in alphabetical order.
  [[nodiscard]] std::vector<std::string> keys() const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] std::uint64_t unsigned_integer() const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] bool is_null() const;
  [[nodiscard]] bool is_whole_number() const;
  [[nodiscard]] bool is_text() const;
  [[nodiscard]] bool is_object() const;
  [[nodiscard]] std::vector<double> numbers() const;
  [[nodiscard]] std::vector<std::int64_t> integers() const;
  [[nodiscard]] std::vector<std::string> texts() const;
  /// The members of an object whose values are all texts. InputError otherwise.
  [[nodiscard]] std::map<std::string, std::string> text_members() const;

  /// The first number at a path (core/json_fields.hpp) for which `is_wrong` returns true.
  [[nodiscard]] std::optional<JsonNode> find_number(
      std::string_view path, const std::function<bool(double)>& is_wrong) const;

  /// InputError that names the nearest known key if the object has a member outside `known`.
  void allow_only(const std::vector<std::string_view>& known) const;
  /// InputError when the key `schema` is neither `name` nor `former`, which may be empty.
  void require_schema(std::string_view name, std::string_view suggestion,
                      std::string_view former = {}) const;
  /// InputError about this value: "<file>: key '<key>' <problem> (<why>) <suggestion>".
  [[noreturn]] void reject(const std::string& problem, const std::string& why,
                           const std::string& suggestion) const;

  [[nodiscard]] const std::string& file() const;
  /// A copy as a tree of nlohmann's.
  [[nodiscard]] nlohmann::json json() const;

 private:
  JsonNode(std::shared_ptr<const JsonDocument> document, const JsonValue& value);
  [[nodiscard]] JsonNode child(const JsonValue& value) const;
  template <class Value>
  [[nodiscard]] std::vector<Value> convert(Value (JsonNode::*read)() const) const;
  template <class Type>
  [[nodiscard]] const Type& as(std::string_view wanted) const;
  [[nodiscard]] std::string key() const;
  void require(bool right, std::string_view wanted) const;

  std::shared_ptr<const JsonDocument> document_;
  const JsonValue* value_;
};

/// Limits of a document; larger ones are refused before a tree of them is in memory. Documents of
/// hockney have fewer than ten levels.
struct DocumentLimits {
  std::size_t bytes = std::size_t{512} << 20U;
  std::size_t levels = 64;
  std::size_t values = std::size_t{32} << 20U;
};

/// Texts in an object that the reader does not need. They are checked like all others, but not
/// kept.
struct Omission {
  std::string_view object = {};  ///< key of the object, a member of the root; empty: keep all
  bool (*keeps)(std::string_view name, std::string_view text) = nullptr;  ///< whether to keep a
                                                                          ///< member
};

/// Parses every document. InputError, naming `file` and the key if there is one, for:
/// - text that is truncated, malformed or beyond DocumentLimits;
/// - a key that occurs twice in an object;
/// - values that other programs, files and databases cannot store: texts that are not UTF-8 or
///   contain NUL, numbers that are not finite, byte strings.
JsonNode parse_json(std::string_view text, const std::string& file,
                    const DocumentLimits& limits = {}, const Omission& omitted = {});

/// The same for CBOR (RFC 8949).
JsonNode parse_cbor(std::string_view bytes, const std::string& file,
                    const DocumentLimits& limits = {}, const Omission& omitted = {});

/// Reads a JSON file, or CBOR if the name ends in .cbor; InputError if it cannot be read.
JsonNode load_json(const std::string& file, const DocumentLimits& limits = {},
                   const Omission& omitted = {});

// Strict reading of a value: InputError with file and key if the type is wrong or the range
// exceeded.

void read_into(const JsonNode& node, std::string& value);
void read_into(const JsonNode& node, bool& value);
/// Numbers from here on must be at least 0.
void read_into(const JsonNode& node, double& value);
void read_into(const JsonNode& node, int& value);
void read_into(const JsonNode& node, std::int64_t& value);
void read_into(const JsonNode& node, std::uint64_t& value);
void read_into(const JsonNode& node, Bytes& value);
void read_into(const JsonNode& node, Seconds& value);
void read_into(const JsonNode& node, std::vector<double>& values);
void read_into(const JsonNode& node, std::vector<std::string>& values);
void read_into(const JsonNode& node, std::map<std::string, std::string>& values);

/// Any number and any whole number, below 0 too.
double any_number(const JsonNode& node);
std::int64_t any_integer(const JsonNode& node);
/// A number above 0.
double positive_number(const JsonNode& node);
/// A whole number from 1.
int positive_integer(const JsonNode& node);

/// A time in the form of documents (core/quantities.hpp); an empty text if it is not known.
std::string utc_moment(const JsonNode& node);

/// InputError for a text that is not among `words`; suggests the nearest one.
[[noreturn]] void reject_word(const JsonNode& node, const std::vector<std::string>& words);

template <WordedEnum Enum>
void read_into(const JsonNode& node, Enum& value) {
  const auto found = find_word<Enum>(node.text());
  if (!found) reject_word(node, valid_words<Enum>());
  value = *found;
}

template <class Value>
void read_into(const JsonNode& node, std::vector<Value>& values) {
  values.clear();
  values.reserve(node.size());
  for (const JsonNode& element : node.elements()) read_into(element, values.emplace_back());
}

template <class Value>
void read_into(const JsonNode& node, std::map<std::string, Value>& values) {
  values.clear();
  for (const std::string& name : node.keys()) read_into(node.at(name), values[name]);
}

template <class Value>
void read_into(const JsonNode& node, SharedList<Value>& values) {
  read_into(node, values.own());
}

/// The value of a node as a `Value`.
template <class Value>
Value read_value(const JsonNode& node) {
  Value value{};
  read_into(node, value);
  return value;
}

}  // namespace hockney
