#include "core/json_node.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/json_tree.hpp"
#include "core/text.hpp"

namespace hockney {

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

void JsonNode::require_schema(std::string_view name, std::string_view suggestion) const {
  const JsonNode schema = at("schema");
  if (schema.text() == name) return;
  schema.reject("is '" + schema.text() + "'", "this program reads '" + std::string(name) + "'",
                std::string(suggestion));
}

void JsonNode::reject(const std::string& problem, const std::string& why,
                      const std::string& suggestion) const {
  throw InputError({file() + ": key '" + key() + "' " + problem, why, suggestion});
}

}  // namespace hockney
