#include "core/json_tree.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace hockney {
namespace {

using Json = nlohmann::json;

/// What JsonValue::json makes of each type.
struct ToJson {
  template <class Plain>
  Json operator()(const Plain& value) const {
    return value;
  }
  Json operator()(const JsonArray& array) const {  // NOLINT(misc-no-recursion): few levels
    Json made = Json::array();
    for (const JsonValue& value : array) made.push_back(value.json());
    return made;
  }
  Json operator()(const JsonObject& object) const {  // NOLINT(misc-no-recursion): few levels
    Json made = Json::object();
    for (const JsonMember& member : object)
      made.emplace(std::string(member.name), member.value.json());
    return made;
  }
};

}  // namespace

std::string_view JsonValue::type_name() const {
  constexpr std::array<std::string_view, std::variant_size_v<decltype(is)>> names{
      "null", "boolean", "number", "number", "number", "string", "array", "object"};
  return names.at(is.index());
}

const JsonValue* JsonValue::find(std::string_view name) const {
  const auto* const object = get_if<JsonObject>();
  if (object == nullptr) return nullptr;
  const auto* const member =
      std::ranges::lower_bound(*object, name, comes_before, &JsonMember::name);
  return member != object->end() && member->name == name ? &member->value : nullptr;
}

std::optional<std::string> JsonValue::key_of(  // NOLINT(misc-no-recursion): few levels
    const JsonValue& wanted, const std::string& key) const {
  if (this == &wanted) return key;
  std::optional<std::string> found;
  if (const auto* const object = get_if<JsonObject>()) {
    for (const JsonMember& member : *object) {
      if (!found) found = member.value.key_of(wanted, member_key(key, member.name));
    }
  }
  if (const auto* const array = get_if<JsonArray>()) {
    for (std::size_t i = 0; i < array->count && !found; ++i) {
      found = array->first[i].key_of(wanted, key + "[" + std::to_string(i) + "]");
    }
  }
  return found;
}

Json JsonValue::json() const {  // NOLINT(misc-no-recursion): few levels
  return std::visit(ToJson{}, is);
}

std::string member_key(const std::string& object, std::string_view name) {
  return object.empty() ? std::string(name) : object + "." + std::string(name);
}

}  // namespace hockney
