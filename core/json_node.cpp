#include "core/json_node.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/json_fields.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

/// Converts each type of JsonValue.
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

JsonNode::JsonNode(std::shared_ptr<const JsonDocument> document)
    : document_(std::move(document)), value_(&document_->root) {}

JsonNode::JsonNode(std::shared_ptr<const JsonDocument> document, const JsonValue& value)
    : document_(std::move(document)), value_(&value) {}

JsonNode JsonNode::child(const JsonValue& value) const { return {document_, value}; }

std::string JsonNode::key() const { return document_->root.key_of(*value_).value_or(""); }

const std::string& JsonNode::file() const { return document_->file; }

nlohmann::json JsonNode::json() const { return value_->json(); }

void JsonNode::require(bool right, std::string_view wanted) const {
  if (right) return;
  const std::string why = "it is " + std::string(value_->type_name());
  if (value_ == &document_->root) {
    throw InputError({file() + ": is not " + std::string(wanted), why, ""});
  }
  reject("is not " + std::string(wanted), why, "");
}

template <class Type>
const Type& JsonNode::as(std::string_view wanted) const {
  const auto* const value = value_->get_if<Type>();
  require(value != nullptr, wanted);
  return *value;
}

JsonNode JsonNode::at(std::string_view key) const {
  require(is_object(), "an object");
  if (const JsonValue* const member = value_->find(key)) return child(*member);
  throw InputError({file() + ": key '" + member_key(this->key(), key) + "' is missing",
                    "the document needs it", ""});
}

std::optional<JsonNode> JsonNode::find(std::string_view key) const {
  require(is_object(), "an object");
  const JsonValue* const member = value_->find(key);
  if (member == nullptr || member->get_if<std::nullptr_t>() != nullptr) return std::nullopt;
  return child(*member);
}

std::vector<JsonNode> JsonNode::elements() const {
  std::vector<JsonNode> nodes;
  nodes.reserve(size());
  for (const JsonValue& element : as<JsonArray>("an array")) nodes.push_back(child(element));
  return nodes;
}

std::size_t JsonNode::size() const { return as<JsonArray>("an array").count; }

template <class Value>
std::vector<Value> JsonNode::convert(Value (JsonNode::*read)() const) const {
  std::vector<Value> values;
  values.reserve(size());
  JsonNode element = *this;
  for (const JsonValue& value : as<JsonArray>("an array")) {
    element.value_ = &value;
    values.push_back((element.*read)());
  }
  return values;
}

std::vector<std::string> JsonNode::keys() const {
  std::vector<std::string> names;
  for (const JsonMember& member : as<JsonObject>("an object")) names.emplace_back(member.name);
  std::ranges::sort(names);
  return names;
}

std::string JsonNode::text() const { return std::string(as<std::string_view>("a text")); }

double JsonNode::number() const {
  if (const auto number = value_->number()) return *number;
  require(false, "a number");
  return 0;
}

std::int64_t JsonNode::integer() const {
  const auto* const whole = value_->get_if<std::uint64_t>();
  if (whole == nullptr) return as<std::int64_t>("a whole number");
  if (*whole > std::numeric_limits<std::int64_t>::max()) {
    reject("is " + std::to_string(*whole), "it is out of range", "");
  }
  return static_cast<std::int64_t>(*whole);
}

std::uint64_t JsonNode::unsigned_integer() const {
  return as<std::uint64_t>("a whole number of at least 0");
}

bool JsonNode::boolean() const { return as<bool>("true or false"); }

bool JsonNode::is_null() const { return value_->get_if<std::nullptr_t>() != nullptr; }

bool JsonNode::is_whole_number() const {
  return value_->get_if<std::uint64_t>() != nullptr || value_->get_if<std::int64_t>() != nullptr;
}

bool JsonNode::is_text() const { return value_->get_if<std::string_view>() != nullptr; }

bool JsonNode::is_object() const { return value_->get_if<JsonObject>() != nullptr; }

std::vector<double> JsonNode::numbers() const { return convert<double>(&JsonNode::number); }

std::vector<std::int64_t> JsonNode::integers() const {
  return convert<std::int64_t>(&JsonNode::integer);
}

std::vector<std::string> JsonNode::texts() const { return convert<std::string>(&JsonNode::text); }

std::map<std::string, std::string> JsonNode::text_members() const {
  std::map<std::string, std::string> members;
  for (const JsonMember& member : as<JsonObject>("an object")) {
    members.emplace(member.name, child(member.value).text());
  }
  return members;
}

std::optional<JsonNode> JsonNode::find_number(std::string_view path,
                                              const std::function<bool(double)>& is_wrong) const {
  const JsonValue* const found = value_->find_number(path, is_wrong);
  return found == nullptr ? std::nullopt : std::optional(child(*found));
}

void JsonNode::allow_only(const std::vector<std::string_view>& known) const {
  for (const std::string& key : keys()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    throw InputError({file() + ": key '" + member_key(this->key(), key) + "' is unknown",
                      "nothing would read it",
                      suggest(key, std::vector<std::string>(known.begin(), known.end()))});
  }
}

void JsonNode::require_schema(std::string_view name, std::string_view suggestion,
                              std::string_view former) const {
  const JsonNode schema = at("schema");
  const std::string found = schema.text();
  if (found == name || (!former.empty() && found == former)) return;
  schema.reject("is '" + schema.text() + "'", "this program reads '" + std::string(name) + "'",
                std::string(suggestion));
}

void JsonNode::reject(const std::string& problem, const std::string& why,
                      const std::string& suggestion) const {
  throw InputError({file() + ": key '" + key() + "' " + problem, why, suggestion});
}

namespace {

constexpr std::string_view no_negative = "it cannot be negative";

/// A whole number from `least` to the largest `Number`.
template <class Number>
Number whole_number_in(const JsonNode& node, Number least) {
  const std::int64_t value = node.integer();
  if (value < least || value > std::numeric_limits<Number>::max()) {
    node.reject("is " + std::to_string(value), "it is out of range", "");
  }
  return static_cast<Number>(value);
}

std::int64_t not_negative(const JsonNode& node, std::string_view why) {
  const std::int64_t value = node.integer();
  if (value < 0) node.reject("is " + std::to_string(value), std::string(why), "");
  return value;
}

}  // namespace

void read_into(const JsonNode& node, std::string& value) { value = node.text(); }

void read_into(const JsonNode& node, bool& value) { value = node.boolean(); }

void read_into(const JsonNode& node, double& value) {
  value = node.number();
  if (value < 0) node.reject("is " + std::to_string(value), std::string(no_negative), "");
}

void read_into(const JsonNode& node, int& value) { value = whole_number_in<int>(node, 0); }

void read_into(const JsonNode& node, std::int64_t& value) {
  value = not_negative(node, no_negative);
}

void read_into(const JsonNode& node, std::uint64_t& value) { value = node.unsigned_integer(); }

void read_into(const JsonNode& node, Bytes& value) {
  value.value = not_negative(node, "bytes cannot be negative");
}

void read_into(const JsonNode& node, Seconds& value) { read_into(node, value.value); }

void read_into(const JsonNode& node, std::vector<double>& values) {
  values = node.numbers();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < 0)
      read_into(node.elements()[i], values[i]);  // throws an error that names the
                                                 // element
  }
}

void read_into(const JsonNode& node, std::vector<std::string>& values) { values = node.texts(); }

void read_into(const JsonNode& node, std::map<std::string, std::string>& values) {
  values = node.text_members();
}

double any_number(const JsonNode& node) { return node.number(); }

std::int64_t any_integer(const JsonNode& node) { return node.integer(); }

double positive_number(const JsonNode& node) {
  const double value = node.number();
  if (value > 0) return value;
  node.reject("is not above 0", "it is " + node.json().dump(), "");
}

int positive_integer(const JsonNode& node) { return whole_number_in(node, 1); }

std::string utc_moment(const JsonNode& node) {
  std::string text = node.text();
  try {
    if (!text.empty()) parse_utc(text);
  } catch (const InputError&) {
    node.reject("is '" + text + "'", "it is no time of UTC since 2000",
                "write it like 2026-11-22T03:04:05Z");
  }
  return text;
}

void reject_word(const JsonNode& node, const std::vector<std::string>& words) {
  const std::string text = node.text();
  node.reject("is '" + text + "'", "it is none of the known words", suggest(text, words));
}

// Of core/json_fields.hpp.

std::optional<JsonNode> find_key(const JsonNode& object, std::string_view name,
                                 std::string_view former, bool is_needed) {
  std::optional<JsonNode> node = object.find(name);
  if (!node && !former.empty()) node = object.find(former);
  if (!node && is_needed) node = object.at(name);
  return node;
}

nlohmann::json& member_of(nlohmann::json& object, std::string_view name) {
  return object[std::string(name)];
}

void write_value(bool value, nlohmann::json& written) { written = value; }

void write_value(int value, nlohmann::json& written) { written = value; }

void write_value(std::int64_t value, nlohmann::json& written) { written = value; }

void write_value(double value, nlohmann::json& written) { written = value; }

void write_value(const std::string& value, nlohmann::json& written) { written = value; }

void write_value(const std::vector<std::string>& value, nlohmann::json& written) {
  written = value;
}

void write_value(const std::vector<double>& value, nlohmann::json& written) { written = value; }

void write_value(const std::optional<double>& value, nlohmann::json& written) { written = value; }

void write_value(const std::optional<std::int64_t>& value, nlohmann::json& written) {
  written = value;
}

}  // namespace hockney
