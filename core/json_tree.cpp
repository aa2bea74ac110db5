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

std::optional<double> JsonValue::number() const {
  if (const auto* const real = get_if<double>()) return *real;
  if (const auto* const whole = get_if<std::uint64_t>()) return static_cast<double>(*whole);
  if (const auto* const negative = get_if<std::int64_t>()) return static_cast<double>(*negative);
  return std::nullopt;
}

const JsonValue* JsonValue::find_number(  // NOLINT(misc-no-recursion): few levels
    std::string_view path, const std::function<bool(double)>& is_wrong) const {
  if (const auto* const array = get_if<JsonArray>()) {
    for (const JsonValue& element : *array) {
      if (const auto* const found = element.find_number(path, is_wrong)) return found;
    }
    return nullptr;
  }
  if (const auto* const object = get_if<JsonObject>()) return find_member(*object, path, is_wrong);
  const auto value = path.empty() ? number() : std::nullopt;
  return value && is_wrong(*value) ? this : nullptr;
}

const JsonValue* JsonValue::find_member(  // NOLINT(misc-no-recursion): few levels
    const JsonObject& object, std::string_view path, const std::function<bool(double)>& is_wrong) {
  if (!path.starts_with('*')) {
    const std::string_view name = path.substr(0, path.find('.'));
    const auto* const member =
        std::ranges::lower_bound(object, name, comes_before, &JsonMember::name);
    if (path.empty() || member == object.end() || member->name != name) return nullptr;
    path.remove_prefix(std::min(path.size(), name.size() + 1));
    return member->value.find_number(path, is_wrong);
  }
  for (const JsonMember& member : object) {
    const bool is_named = member.name.ends_with(path.substr(1));
    const auto* found = is_named ? member.value.find_number("", is_wrong) : nullptr;
    if (found == nullptr) found = member.value.find_number(path, is_wrong);
    if (found != nullptr) return found;
  }
  return nullptr;
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
