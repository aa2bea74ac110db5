#include "core/json_node.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/json_document.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;
using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;
using Type = simdjson::dom::element_type;

template <class Handle>
element element_of(const Handle& handle) {
  return std::bit_cast<element>(handle);
}

template <class Value>
std::optional<Value> value_as(const element& wanted) {
  Value value{};
  if (wanted.get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

// simdjson's conversions throw an exception of its library, which must not come into programs with
// the preloaded one (components/application/library).

array array_in(const element& value) { return value.get_array().value_unsafe(); }

object object_in(const element& value) { return value.get_object().value_unsafe(); }

std::string_view type_name(const element& value) {
  switch (value.type()) {
    case Type::ARRAY:
      return "array";
    case Type::OBJECT:
      return "object";
    case Type::STRING:
      return "string";
    case Type::BOOL:
      return "boolean";
    case Type::NULL_VALUE:
      return "null";
    case Type::INT64:
    case Type::UINT64:
    case Type::DOUBLE:
      break;
  }
  return "number";
}

Json json_of(const element& value) {  // NOLINT(misc-no-recursion): few levels
  switch (value.type()) {
    case Type::ARRAY: {
      Json made = Json::array();
      for (const element one : array_in(value)) made.push_back(json_of(one));
      return made;
    }
    case Type::OBJECT: {
      Json made = Json::object();
      for (const auto& [name, one] : object_in(value)) made[std::string(name)] = json_of(one);
      return made;
    }
    case Type::STRING:
      return *value_as<std::string_view>(value);
    case Type::BOOL:
      return *value_as<bool>(value);
    case Type::NULL_VALUE:
      return nullptr;
    case Type::DOUBLE:
      return *value_as<double>(value);
    case Type::INT64:
    case Type::UINT64:
      break;
  }
  const auto whole = value_as<std::uint64_t>(value);
  return whole ? Json(*whole) : Json(*value_as<std::int64_t>(value));
}

/// The key of `wanted` in or below a value, whose own key is `key`; nullopt if it is elsewhere.
/// Only errors need keys, so nodes do not store them.
template <class Handle>
std::optional<std::string> key_in(  // NOLINT(misc-no-recursion): few levels
    const element& value, const Handle& wanted, const std::string& key) {
  if (std::bit_cast<Handle>(value) == wanted) return key;
  std::optional<std::string> found;
  if (value.is_object()) {
    for (const auto& [name, one] : object_in(value)) {
      if (!found) found = key_in(one, wanted, member_key(key, name));
    }
  }
  if (value.is_array()) {
    std::size_t index = 0;
    for (const element one : array_in(value)) {
      if (!found) found = key_in(one, wanted, key + "[" + std::to_string(index++) + "]");
    }
  }
  return found;
}

}  // namespace

std::string member_key(const std::string& object, std::string_view name) {
  return object.empty() ? std::string(name) : object + "." + std::string(name);
}

JsonNode::JsonNode(std::shared_ptr<const JsonDocument> document)
    : document_(std::move(document)), value_(std::bit_cast<Handle>(document_->tree.root())) {}

JsonNode::JsonNode(std::shared_ptr<const JsonDocument> document, Handle value)
    : document_(std::move(document)), value_(value) {}

template <class Element>
JsonNode JsonNode::child(const Element& value) const {
  return {document_, std::bit_cast<Handle>(value)};
}

std::string JsonNode::key() const {
  return key_in(document_->tree.root(), value_, "").value_or("");
}

const std::string& JsonNode::file() const { return document_->file; }

Json JsonNode::json() const { return json_of(element_of(value_)); }

void JsonNode::reject_type(std::string_view wanted) const {
  const std::string why = "it is " + std::string(type_name(element_of(value_)));
  const std::string problem = "is not " + std::string(wanted);
  if (value_ == std::bit_cast<Handle>(document_->tree.root())) {
    throw InputError({file() + ": " + problem, why, ""});
  }
  reject(problem, why, "");
}

template <class Type>
Type JsonNode::as(std::string_view wanted) const {
  const auto value = value_as<Type>(element_of(value_));
  if (!value) reject_type(wanted);
  return *value;
}

JsonNode JsonNode::at(std::string_view key) const {
  element member;
  if (as<object>("an object").at_key(key).get(member) == simdjson::SUCCESS) return child(member);
  reject_member(key, "is missing", "the document needs it", "");
}

std::optional<JsonNode> JsonNode::find(std::string_view key) const {
  element member;
  const auto error = as<object>("an object").at_key(key).get(member);
  if (error != simdjson::SUCCESS || member.is_null()) return std::nullopt;
  return child(member);
}

std::optional<JsonNode> JsonNode::find_below(std::string_view key) const {
  std::optional<JsonNode> found = *this;
  while (found && !key.empty()) {
    if (key.front() == '[') {
      std::size_t index = 0;
      std::from_chars(key.data() + 1, key.data() + key.size(), index);
      const element list = element_of(found->value_);
      element value;
      if (!list.is_array() || list.at(index).get(value) != simdjson::SUCCESS) return std::nullopt;
      found = child(value);
      key.remove_prefix(std::min(key.size(), key.find(']') + 1));
    } else {
      const std::string_view name = key.substr(0, key.find_first_of(".["));
      found = found->is_object() ? found->find(name) : std::nullopt;
      key.remove_prefix(name.size());
    }
    if (key.starts_with('.')) key.remove_prefix(1);
  }
  return found;
}

std::vector<JsonNode> JsonNode::elements() const {
  std::vector<JsonNode> nodes;
  const auto list = as<array>("an array");
  nodes.reserve(size());
  for (const element one : list) nodes.push_back(child(one));
  return nodes;
}

std::size_t JsonNode::size() const {
  const auto list = as<array>("an array");
  // simdjson counts up to 2^24 - 1 elements
  constexpr std::size_t most_counted = 0xFFFFFF;
  const std::size_t counted = list.size();
  if (counted < most_counted) return counted;
  return static_cast<std::size_t>(std::distance(list.begin(), list.end()));
}

template <class Value>
std::vector<Value> JsonNode::convert(Value (JsonNode::*read)() const) const {
  std::vector<Value> values;
  const auto list = as<array>("an array");
  values.reserve(list.size());
  JsonNode one = *this;
  for (const element value : list) {
    one.value_ = std::bit_cast<Handle>(value);
    values.push_back((one.*read)());
  }
  return values;
}

std::vector<JsonMember> JsonNode::members() const {
  std::vector<JsonMember> members;
  for (const auto& [name, value] : as<object>("an object")) {
    members.push_back({std::string(name), child(value)});
  }
  std::ranges::sort(members, {}, &JsonMember::name);
  return members;
}

std::string JsonNode::text() const { return std::string(as<std::string_view>("a text")); }

double JsonNode::number() const { return as<double>("a number"); }

std::int64_t JsonNode::integer() const {
  const element value = element_of(value_);
  if (value.type() == Type::UINT64) {
    reject("is " + std::to_string(*value_as<std::uint64_t>(value)), "it is out of range", "");
  }
  return as<std::int64_t>("a whole number");
}

std::uint64_t JsonNode::unsigned_integer() const {
  return as<std::uint64_t>("a whole number of at least 0");
}

bool JsonNode::boolean() const { return as<bool>("true or false"); }

bool JsonNode::is_null() const { return element_of(value_).is_null(); }

bool JsonNode::is_whole_number() const {
  const Type type = element_of(value_).type();
  return type == Type::INT64 || type == Type::UINT64;
}

bool JsonNode::is_text() const { return element_of(value_).is_string(); }

bool JsonNode::is_object() const { return element_of(value_).is_object(); }

std::vector<double> JsonNode::numbers() const { return convert<double>(&JsonNode::number); }

std::vector<std::int64_t> JsonNode::integers() const {
  return convert<std::int64_t>(&JsonNode::integer);
}

std::vector<std::string> JsonNode::texts() const { return convert<std::string>(&JsonNode::text); }

std::map<std::string, std::string> JsonNode::text_members() const {
  std::map<std::string, std::string> members;
  for (const auto& [name, value] : as<object>("an object")) {
    members.emplace(name, child(value).text());
  }
  return members;
}

void JsonNode::allow_only(const std::vector<std::string_view>& known) const {
  for (const auto& [name, value] : members()) {
    if (std::ranges::find(known, name) != known.end()) continue;
    value.reject("is unknown", "nothing would read it",
                 suggest(name, std::vector<std::string>(known.begin(), known.end())));
  }
}

void JsonNode::require_schema(std::string_view name, std::string_view suggestion,
                              std::string_view former) const {
  const JsonNode schema = at("schema");
  const std::string found = schema.text();
  if (found == name || (!former.empty() && found == former)) return;
  schema.reject("is '" + found + "'", "this program reads '" + std::string(name) + "'",
                std::string(suggestion));
}

void JsonNode::reject(const std::string& problem, const std::string& why,
                      const std::string& suggestion) const {
  throw InputError({file() + ": key '" + key() + "' " + problem, why, suggestion});
}

void JsonNode::reject_member(std::string_view name, const std::string& problem,
                             const std::string& why, const std::string& suggestion) const {
  throw InputError(
      {file() + ": key '" + member_key(key(), name) + "' " + problem, why, suggestion});
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
    if (values[i] < 0) read_into(node.elements()[i], values[i]);  // throws, and names the element
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

std::int64_t positive_count(const JsonNode& node) { return whole_number_in(node, std::int64_t{1}); }

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

}  // namespace hockney
