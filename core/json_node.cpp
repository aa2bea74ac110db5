#include "core/json_node.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

/// The key of `wanted` below `value`, whose own key is `key`; nullopt where it is elsewhere. Only
/// errors ask for it, so that values need not carry it.
std::optional<std::string> key_below(  // NOLINT(misc-no-recursion): documents have few levels
    const Json& value, const std::string& key, const Json& wanted) {
  if (&value == &wanted) return key;
  std::optional<std::string> found;
  if (value.is_object()) {
    for (const auto& [name, member] : value.items()) {
      if (!found) found = key_below(member, member_key(key, name), wanted);
    }
  }
  for (std::size_t i = 0; value.is_array() && !found && i < value.size(); ++i) {
    found = key_below(value[i], key + "[" + std::to_string(i) + "]", wanted);
  }
  return found;
}

}  // namespace

std::string member_key(const std::string& object, std::string_view name) {
  return object.empty() ? std::string(name) : object + "." + std::string(name);
}

struct JsonNode::Document {
  Json root;
  std::string file;
};

JsonNode::JsonNode(Json document, std::string file)
    : document_(std::make_shared<const Document>(std::move(document), std::move(file))),
      value_(&document_->root) {}

JsonNode::JsonNode(std::shared_ptr<const Document> document, const Json& value)
    : document_(std::move(document)), value_(&value) {}

JsonNode JsonNode::child(const Json& value) const { return {document_, value}; }

std::string JsonNode::key() const { return key_below(document_->root, "", *value_).value_or(""); }

const std::string& JsonNode::file() const { return document_->file; }

void JsonNode::require(bool right, std::string_view wanted) const {
  if (right) return;
  const std::string why = std::string("it is ") + value_->type_name();
  if (value_ == &document_->root) {
    throw InputError({file() + ": is not " + std::string(wanted), why, ""});
  }
  reject("is not " + std::string(wanted), why, "");
}

JsonNode JsonNode::at(std::string_view key) const {
  require(value_->is_object(), "an object");
  const auto member = value_->find(key);
  if (member != value_->end()) return child(*member);
  throw InputError({file() + ": key '" + member_key(this->key(), key) + "' is missing",
                    "the document needs it", ""});
}

std::optional<JsonNode> JsonNode::find(std::string_view key) const {
  require(value_->is_object(), "an object");
  const auto member = value_->find(key);
  if (member == value_->end() || member->is_null()) return std::nullopt;
  return child(*member);
}

std::vector<JsonNode> JsonNode::elements() const {
  std::vector<JsonNode> nodes;
  nodes.reserve(size());
  for (const Json& element : *value_) nodes.push_back(child(element));
  return nodes;
}

std::size_t JsonNode::size() const {
  require(value_->is_array(), "an array");
  return value_->size();
}

template <class Value>
std::vector<Value> JsonNode::convert(Value (JsonNode::*read)() const) const {
  std::vector<Value> values;
  values.reserve(size());
  JsonNode element = *this;
  for (const Json& value : *value_) {
    element.value_ = &value;
    values.push_back((element.*read)());
  }
  return values;
}

std::vector<std::string> JsonNode::keys() const {
  require(value_->is_object(), "an object");
  std::vector<std::string> names;
  for (const auto& member : value_->items()) names.push_back(member.key());
  return names;
}

std::string JsonNode::text() const {
  require(value_->is_string(), "a text");
  return value_->get<std::string>();
}

double JsonNode::number() const {
  require(value_->is_number(), "a number");
  return value_->get<double>();
}

std::int64_t JsonNode::integer() const {
  require(value_->is_number_integer(), "a whole number");
  if (value_->is_number_unsigned() &&
      value_->get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max()) {
    reject("is " + value_->dump(), "it is out of range", "");
  }
  return value_->get<std::int64_t>();
}

std::uint64_t JsonNode::unsigned_integer() const {
  require(value_->is_number_unsigned(), "a whole number of at least 0");
  return value_->get<std::uint64_t>();
}

bool JsonNode::boolean() const {
  require(value_->is_boolean(), "true or false");
  return value_->get<bool>();
}

bool JsonNode::is_text() const { return value_->is_string(); }

bool JsonNode::is_object() const { return value_->is_object(); }

std::vector<double> JsonNode::numbers() const { return convert<double>(&JsonNode::number); }

std::vector<std::int64_t> JsonNode::integers() const {
  return convert<std::int64_t>(&JsonNode::integer);
}

std::vector<std::string> JsonNode::texts() const { return convert<std::string>(&JsonNode::text); }

std::map<std::string, std::string> JsonNode::text_members() const {
  require(value_->is_object(), "an object");
  std::map<std::string, std::string> members;
  for (const auto& [key, value] : value_->items()) {
    members.emplace_hint(members.end(), key, child(value).text());
  }
  return members;
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
