#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hockney {

/// A JSON value that knows its file and its key, so that whatever is wrong with it is an InputError
/// of one line which names both.
class JsonNode {
 public:
  JsonNode(std::shared_ptr<const nlohmann::json> value, std::string file, std::string key);

  /// The member `key`, which must exist.
  [[nodiscard]] JsonNode at(std::string_view key) const;
  /// The member `key`, nullopt when it is missing or null.
  [[nodiscard]] std::optional<JsonNode> find(std::string_view key) const;
  /// All elements of an array.
  [[nodiscard]] std::vector<JsonNode> elements() const;
  /// The names of an object's members, in order of the alphabet.
  [[nodiscard]] std::vector<std::string> keys() const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] std::uint64_t unsigned_integer() const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] bool is_text() const;
  [[nodiscard]] bool is_object() const;
  [[nodiscard]] std::vector<double> numbers() const;
  [[nodiscard]] std::vector<std::int64_t> integers() const;
  [[nodiscard]] std::vector<std::string> texts() const;

  /// InputError naming the nearest known key when the object has a member outside `known`.
  void allow_only(std::initializer_list<std::string_view> known) const;
  /// InputError about this value: "<file>: key '<key>' <problem> (<why>) <suggestion>".
  [[noreturn]] void reject(const std::string& problem, const std::string& why,
                           const std::string& suggestion) const;

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const nlohmann::json& json() const { return *value_; }

 private:
  [[nodiscard]] JsonNode child(const nlohmann::json& value, std::string key) const;
  template <class Value>
  [[nodiscard]] std::vector<Value> convert(Value (JsonNode::*read)() const) const;
  [[noreturn]] void reject_type(std::string_view wanted) const;

  std::shared_ptr<const nlohmann::json> value_;
  std::string file_;
  std::string key_;
};

/// Parses JSON text; InputError naming `file` when it is truncated or malformed, or an object has a
/// key twice.
JsonNode parse_json(std::string_view text, const std::string& file);

/// Reads a JSON file, or CBOR when the name ends in .cbor; InputError when it cannot be read.
JsonNode load_json(const std::string& file);

}  // namespace hockney
