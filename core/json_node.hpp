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

// What JsonNode stands over. A tree of nlohmann's would allocate each value
// and each name for itself, which takes longer than all else that is done with most documents.

namespace hockney {

struct JsonMember;
struct JsonValue;

/// Items one behind the other in the memory of their document.
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

/// Lies, with all that it points to, in the memory of its document. Whole numbers are unsigned
/// unless they are below 0.
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
  /// The member of an object; nullptr where there is none.
  [[nodiscard]] const JsonValue* find(std::string_view name) const;
  /// nullopt of what is no number.
  [[nodiscard]] std::optional<double> number() const;
  /// The first number at a path (core/json_fields.hpp) for which `is_wrong` holds, else nullptr.
  [[nodiscard]] const JsonValue* find_number(std::string_view path,
                                             const std::function<bool(double)>& is_wrong) const;
  /// The key of `wanted` in or below this value, whose own key is `key`; nullopt where it is
  /// elsewhere. Only errors ask for it, so that values need not carry it.
  [[nodiscard]] std::optional<std::string> key_of(const JsonValue& wanted,
                                                  const std::string& key = {}) const;
  /// The same as a tree of nlohmann's.
  [[nodiscard]] nlohmann::json json() const;

 private:
  [[nodiscard]] static const JsonValue* find_member(const JsonObject& object, std::string_view path,
                                                    const std::function<bool(double)>& is_wrong);
};

struct JsonMember {
  std::string_view name;
  JsonValue value;
};

/// The order of members: most comparisons are those of two lengths.
inline bool comes_before(std::string_view name, std::string_view other) {
  return name.size() != other.size() ? name.size() < other.size() : name < other;
}

/// The key of the member `name` of the object whose own key is `object`.
std::string member_key(const std::string& object, std::string_view name);

/// A whole document, which is made by JsonBuilder (core/json_read.cpp).
struct JsonDocument {
  /// `bytes` is about how much memory it will need.
  JsonDocument(std::string name, std::size_t bytes) : file(std::move(name)), memory(bytes) {}

  std::string file;
  std::pmr::monotonic_buffer_resource memory;
  JsonValue root{};
};

struct JsonDocument;
struct JsonValue;

/// A value of a document that knows its file and its key, so that whatever is wrong with it is an
/// InputError of one line which names both. It keeps the whole document alive.
class JsonNode {
 public:
  /// The root of a document, never null.
  explicit JsonNode(std::shared_ptr<const JsonDocument> document);

  /// The member `key`, which must exist.
  [[nodiscard]] JsonNode at(std::string_view key) const;
  /// The member `key`, nullopt when it is missing or null.
  [[nodiscard]] std::optional<JsonNode> find(std::string_view key) const;
  /// All elements of an array.
  [[nodiscard]] std::vector<JsonNode> elements() const;
  /// How many elements an array has.
  [[nodiscard]] std::size_t size() const;
  /// The names of an object's members, in order of the alphabet.
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
  /// The members of an object whose values are all texts.
  [[nodiscard]] std::map<std::string, std::string> text_members() const;

  /// The first number at a path (core/json_fields.hpp) for which `is_wrong` holds.
  [[nodiscard]] std::optional<JsonNode> find_number(
      std::string_view path, const std::function<bool(double)>& is_wrong) const;

  /// InputError naming the nearest known key when the object has a member outside `known`.
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

/// What a document may be at most. Those of hockney are less than ten levels deep; what is above
/// the limits is refused before there is a tree of it in memory.
struct DocumentLimits {
  std::size_t bytes = std::size_t{512} << 20U;
  std::size_t levels = 64;
  std::size_t values = std::size_t{32} << 20U;
};

/// Texts in an object that are of no use to who reads the document. They are checked like all
/// others, and are not kept.
struct Omission {
  std::string_view object = {};  ///< key of the object, a member; empty: nothing is left out
  bool (*keeps)(std::string_view name, std::string_view text) = nullptr;  ///< of its members
};

/// The one place where documents are read. InputError naming `file`, and the key where there is
/// one, for text that is truncated or malformed or beyond DocumentLimits; for a key that occurs
/// twice in an object; and for values that other programs, files and databases cannot hold: texts
/// that are not UTF-8 or have a character NUL, numbers that are not finite, bytes.
JsonNode parse_json(std::string_view text, const std::string& file,
                    const DocumentLimits& limits = {}, const Omission& omitted = {});

/// The same of CBOR (RFC 8949).
JsonNode parse_cbor(std::string_view bytes, const std::string& file,
                    const DocumentLimits& limits = {}, const Omission& omitted = {});

/// Reads a JSON file, or CBOR when the name ends in .cbor; InputError when it cannot be read.
JsonNode load_json(const std::string& file, const DocumentLimits& limits = {},
                   const Omission& omitted = {});

// Strict reading of a value: InputError naming file and key where it is mistyped or out of range.

void read_into(const JsonNode& node, std::string& value);
void read_into(const JsonNode& node, bool& value);
/// Not below 0, as the following.
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

/// A moment as documents write it (core/quantities.hpp); an empty text where it is not known.
std::string utc_moment(const JsonNode& node);

/// InputError for a text that is none of the words, with the nearest one.
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

/// The value of a node, by its type.
template <class Value>
Value read_value(const JsonNode& node) {
  Value value{};
  read_into(node, value);
  return value;
}

}  // namespace hockney
