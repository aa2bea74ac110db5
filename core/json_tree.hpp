#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

// What JsonNode (core/json_node.hpp) stands over. A tree of nlohmann's would allocate each value
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
  /// The first number at a path (core/json_limits.hpp) for which `is_wrong` holds, else nullptr.
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

/// A whole document, which is made by JsonBuilder (core/json_builder.hpp).
struct JsonDocument {
  /// `bytes` is about how much memory it will need.
  JsonDocument(std::string name, std::size_t bytes) : file(std::move(name)), memory(bytes) {}

  std::string file;
  std::pmr::monotonic_buffer_resource memory;
  JsonValue root{};
};

}  // namespace hockney
