#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hockney {

struct JsonDocument;
struct JsonValue;

/// A value of a document that knows its file and its key, so that whatever is wrong with it is an
/// InputError of one line which names both. It keeps the whole document alive.
class JsonNode {
 public:
  /// The root of a document, never null (core/json_tree.hpp).
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

  /// The first number at a path (core/json_limits.hpp) for which `is_wrong` holds.
  [[nodiscard]] std::optional<JsonNode> find_number(
      std::string_view path, const std::function<bool(double)>& is_wrong) const;

  /// InputError naming the nearest known key when the object has a member outside `known`.
  void allow_only(const std::vector<std::string_view>& known) const;
  /// InputError when the key `schema` is another text than `name`.
  void require_schema(std::string_view name, std::string_view suggestion) const;
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

}  // namespace hockney
