#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/quantities.hpp"
#include "core/shared_list.hpp"
#include "core/text.hpp"

namespace hockney {

struct JsonDocument;  // core/json_document.hpp
struct JsonMember;

/// A value of a document with its file and key. Errors about it are InputErrors of one line that
/// names both. It keeps the whole document alive.
class JsonNode {
 public:
  /// The root of a document.
  explicit JsonNode(std::shared_ptr<const JsonDocument> document);

  /// The member `key`, which must exist.
  [[nodiscard]] JsonNode at(std::string_view key) const;
  /// The member `key`; nullopt if it is missing or null. Compares the names in turn: read objects
  /// of many members by members().
  [[nodiscard]] std::optional<JsonNode> find(std::string_view key) const;
  /// The value of a key below this one, such as "series[0].blocks"; nullopt if it is missing.
  [[nodiscard]] std::optional<JsonNode> find_below(std::string_view key) const;
  /// All elements of an array.
  [[nodiscard]] std::vector<JsonNode> elements() const;
  /// How many elements an array has.
  [[nodiscard]] std::size_t size() const;
  /// The members of an object in alphabetical order.
  [[nodiscard]] std::vector<JsonMember> members() const;

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

  /// InputError that names the nearest known key if the object has a member outside `known`.
  void allow_only(const std::vector<std::string_view>& known) const;
  /// InputError when the key `schema` is neither `name` nor `former`, which may be empty.
  void require_schema(std::string_view name, std::string_view suggestion,
                      std::string_view former = {}) const;
  /// InputError about this value: "<file>: key '<key>' <problem> (<why>) <suggestion>".
  [[noreturn]] void reject(const std::string& problem, const std::string& why,
                           const std::string& suggestion) const;
  /// The same about the member `name`, which may be missing.
  [[noreturn]] void reject_member(std::string_view name, const std::string& problem,
                                  const std::string& why, const std::string& suggestion) const;

  [[nodiscard]] const std::string& file() const;
  /// A copy as a tree of nlohmann's.
  [[nodiscard]] nlohmann::json json() const;

 private:
  friend class DocumentCheck;

  /// An element of simdjson, whose header takes seconds to compile.
  struct Handle {
    const void* document = nullptr;
    std::size_t index = 0;

    friend bool operator==(const Handle&, const Handle&) = default;
  };

  JsonNode(std::shared_ptr<const JsonDocument> document, Handle value);
  template <class Element>
  [[nodiscard]] JsonNode child(const Element& value) const;
  template <class Value>
  [[nodiscard]] std::vector<Value> convert(Value (JsonNode::*read)() const) const;
  template <class Type>
  [[nodiscard]] Type as(std::string_view wanted) const;
  [[nodiscard]] std::string key() const;
  [[noreturn]] void reject_type(std::string_view wanted) const;

  std::shared_ptr<const JsonDocument> document_;
  Handle value_;
};

struct JsonMember {
  std::string name;
  JsonNode value;
};

/// Limits of a document. Documents of hockney have fewer than ten levels.
struct DocumentLimits {
  std::size_t bytes = std::size_t{512} << 20U;
  std::size_t levels = 64;
  std::size_t values = std::size_t{32} << 20U;
};

/// Parses every document. InputError, naming `file` and the key if there is one, for:
/// - text that is truncated, malformed or beyond DocumentLimits;
/// - a key that occurs twice in an object;
/// - values that other programs, files and databases cannot store: texts that are not UTF-8 or
///   contain NUL, numbers that are not finite, byte strings.
JsonNode parse_json(std::string_view text, const std::string& file,
                    const DocumentLimits& limits = {});

/// The same for CBOR (RFC 8949).
JsonNode parse_cbor(std::string_view bytes, const std::string& file,
                    const DocumentLimits& limits = {});

/// Reads a JSON file, or CBOR if the name ends in .cbor; InputError if it cannot be read.
JsonNode load_json(const std::string& file, const DocumentLimits& limits = {});

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
std::int64_t positive_count(const JsonNode& node);

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
  for (const auto& [name, value] : node.members()) read_into(value, values[name]);
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
