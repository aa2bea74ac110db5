#include "core/json_node.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/names.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

JsonNode root(Json value, const std::string& file) {
  return {std::make_shared<const Json>(std::move(value)), file, ""};
}

[[noreturn]] void reject_document(const std::string& file, const std::string& why) {
  throw InputError({file + ": cannot be read", why, "is the file whole?"});
}

/// The parser's own words without the library's prefix and without line breaks.
std::string reason(const Json::exception& error) {
  std::string text = error.what();
  if (const auto end = text.find("] "); end != std::string::npos) text.erase(0, end + 2);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

/// The parser would keep the last of two members with one key and drop the other in silence.
Json parse_once_each(std::string_view text, const std::string& file) {
  std::vector<std::set<std::string>>
      open;  // keys so far of the objects around the place of parsing
  return Json::parse(text, [&](int, Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key &&
        !open.back().insert(parsed.get<std::string>()).second) {
      throw InputError({file + ": key '" + parsed.get<std::string>() + "' occurs twice",
                        "only one of them would be read", "remove the other"});
    }
    return true;
  });
}

}  // namespace

JsonNode::JsonNode(std::shared_ptr<const Json> value, std::string file, std::string key)
    : value_(std::move(value)), file_(std::move(file)), key_(std::move(key)) {}

JsonNode JsonNode::child(const Json& value, std::string key) const {
  return {std::shared_ptr<const Json>(value_, &value), file_, std::move(key)};
}

JsonNode JsonNode::at(std::string_view key) const {
  if (!value_->is_object()) reject_type("an object");
  const auto member = value_->find(key);
  const std::string full = key_.empty() ? std::string(key) : key_ + "." + std::string(key);
  if (member == value_->end()) {
    throw InputError({file_ + ": key '" + full + "' is missing", "the document needs it", ""});
  }
  return child(*member, full);
}

std::optional<JsonNode> JsonNode::find(std::string_view key) const {
  if (!value_->is_object()) reject_type("an object");
  const auto member = value_->find(key);
  if (member == value_->end() || member->is_null()) return std::nullopt;
  return at(key);
}

std::vector<JsonNode> JsonNode::elements() const {
  if (!value_->is_array()) reject_type("an array");
  std::vector<JsonNode> nodes;
  nodes.reserve(value_->size());
  for (const Json& element : *value_) {
    nodes.push_back(child(element, key_ + "[" + std::to_string(nodes.size()) + "]"));
  }
  return nodes;
}

template <class Value>
std::vector<Value> JsonNode::convert(Value (JsonNode::*read)() const) const {
  std::vector<Value> values;
  for (const JsonNode& element : elements()) values.push_back((element.*read)());
  return values;
}

std::vector<std::string> JsonNode::keys() const {
  if (!value_->is_object()) reject_type("an object");
  std::vector<std::string> names;
  for (const auto& member : value_->items()) names.push_back(member.key());
  return names;
}

std::string JsonNode::text() const {
  if (!value_->is_string()) reject_type("a text");
  return value_->get<std::string>();
}

double JsonNode::number() const {
  if (!value_->is_number()) reject_type("a number");
  return value_->get<double>();
}

std::int64_t JsonNode::integer() const {
  if (!value_->is_number_integer()) reject_type("a whole number");
  if (value_->is_number_unsigned() &&
      value_->get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max()) {
    reject("is " + value_->dump(), "it is out of range", "");
  }
  return value_->get<std::int64_t>();
}

std::uint64_t JsonNode::unsigned_integer() const {
  if (!value_->is_number_unsigned()) reject_type("a whole number of at least 0");
  return value_->get<std::uint64_t>();
}

bool JsonNode::boolean() const {
  if (!value_->is_boolean()) reject_type("true or false");
  return value_->get<bool>();
}

bool JsonNode::is_text() const { return value_->is_string(); }

bool JsonNode::is_object() const { return value_->is_object(); }

std::vector<double> JsonNode::numbers() const { return convert<double>(&JsonNode::number); }

std::vector<std::int64_t> JsonNode::integers() const {
  return convert<std::int64_t>(&JsonNode::integer);
}

std::vector<std::string> JsonNode::texts() const { return convert<std::string>(&JsonNode::text); }

void JsonNode::allow_only(std::initializer_list<std::string_view> known) const {
  for (const std::string& key : keys()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    const std::string full = key_.empty() ? key : key_ + "." + key;
    throw InputError({file_ + ": key '" + full + "' is unknown", "nothing would read it",
                      suggest(key, std::vector<std::string>(known.begin(), known.end()))});
  }
}

void JsonNode::reject(const std::string& problem, const std::string& why,
                      const std::string& suggestion) const {
  throw InputError({file_ + ": key '" + key_ + "' " + problem, why, suggestion});
}

void JsonNode::reject_type(std::string_view wanted) const {
  if (key_.empty()) {
    throw InputError({file_ + ": is not " + std::string(wanted),
                      std::string("it is ") + value_->type_name(), ""});
  }
  reject("is not " + std::string(wanted), std::string("it is ") + value_->type_name(), "");
}

JsonNode parse_json(std::string_view text, const std::string& file) {
  try {
    return root(parse_once_each(text, file), file);
  } catch (const Json::exception& error) {
    reject_document(file, reason(error));
  }
}

JsonNode load_json(const std::string& file) {
  const std::string content = read_file(file);
  if (!file.ends_with(".cbor")) return parse_json(content, file);
  try {
    return root(Json::from_cbor(content), file);
  } catch (const Json::exception& error) {
    reject_document(file, reason(error));
  }
}

}  // namespace hockney
