#include "core/json_builder.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace hockney {
namespace {

/// The parser's own words without the library's prefix and without line breaks.
std::string reason(const nlohmann::detail::exception& error) {
  std::string text = error.what();
  if (const auto end = text.find("] "); end != std::string::npos) text.erase(0, end + 2);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

void reject_document(const std::string& file, const std::string& why) {
  throw InputError({file + ": cannot be read", why, "is the file whole?"});
}

void reject_excess(const std::string& file, const std::string& problem) {
  throw InputError(
      {file + ": " + problem, "no document of hockney has as many", "is it the right file?"});
}

JsonBuilder::JsonBuilder(const std::string& file, const DocumentLimits& limits,
                         const Omission& omitted, std::size_t bytes)
    : limits_(limits),
      omitted_(omitted),
      document_(std::make_shared<JsonDocument>(
          file, std::clamp<std::size_t>(bytes, std::size_t{1} << 10U, std::size_t{1} << 20U))) {}

bool JsonBuilder::number_float(double value, const string_t& /*text*/) {
  if (!std::isfinite(value)) reject("holds a number that is not finite", "nothing measured is");
  return add({value});
}

bool JsonBuilder::binary(binary_t& /*value*/) {
  reject("holds bytes", "documents hold texts and numbers");
}

bool JsonBuilder::add_text(std::string_view text) {
  require_plain(text);
  const bool is_thinned = !levels_.empty() && levels_.back().is_thinned;
  if (!is_thinned || omitted_.keeps(levels_.back().name, text)) return add({keep(text)});
  count();
  return true;
}

bool JsonBuilder::begin_member(std::string_view name) {
  require_plain(name);
  levels_.back().name = keep(name);
  return true;
}

bool JsonBuilder::start_object(std::size_t /*size*/) { return open(true); }

bool JsonBuilder::start_array(std::size_t /*size*/) { return open(false); }

bool JsonBuilder::open(bool is_object) {
  if (levels_.size() == limits_.levels) {
    reject_excess(document_->file, "has more than " + std::to_string(limits_.levels) +
                                       " levels of arrays and objects");
  }
  count();
  const bool is_thinned = is_object && omitted_.keeps != nullptr && !levels_.empty() &&
                          omitted_.object.ends_with(levels_.back().name) &&
                          levels_.back().is_object && next_key() == omitted_.object;
  levels_.push_back({.is_object = is_object, .is_thinned = is_thinned});
  return true;
}

bool JsonBuilder::end_array() {
  const JsonArray array = finish(elements_);
  levels_.pop_back();
  put({array});
  return true;
}

bool JsonBuilder::end_object() {
  const std::size_t count = levels_.back().items;
  put_in_order(members_.data() + (members_.size() - count), count);
  const JsonObject object = finish(members_);
  levels_.pop_back();
  put({object});
  return true;
}

bool JsonBuilder::parse_error(std::size_t /*position*/, const std::string& /*token*/,
                              const nlohmann::detail::exception& error) {
  reject_document(document_->file, reason(error));
}

bool JsonBuilder::add(JsonValue value) {
  count();
  put(value);
  return true;
}

void JsonBuilder::count() {
  if (++values_ <= limits_.values) return;
  reject_excess(document_->file, "has more than " + std::to_string(limits_.values) + " values");
}

void JsonBuilder::put(JsonValue value) {
  if (levels_.empty()) {
    document_->root = value;
    return;
  }
  Level& level = levels_.back();
  ++level.items;
  if (level.is_object) {
    members_.push_back({level.name, value});
  } else {
    elements_.push_back(value);
  }
}

/// Takes the last items, which are those of the last level, into the document.
template <class Item>
JsonItems<Item> JsonBuilder::finish(std::vector<Item>& items) {
  const std::size_t count = levels_.back().items;
  if (count == 0) return {};
  void* const memory = document_->memory.allocate(count * sizeof(Item), alignof(Item));
  const auto from = items.end() - static_cast<std::ptrdiff_t>(count);
  const Item* const first =
      std::uninitialized_copy(from, items.end(), static_cast<Item*>(memory)) - count;
  items.erase(from, items.end());
  return {first, count};
}

std::string_view JsonBuilder::keep(std::string_view text) {
  if (text.empty()) return {};
  auto* const memory = static_cast<char*>(document_->memory.allocate(text.size(), 1));
  std::ranges::copy(text, memory);
  return {memory, text.size()};
}

/// And refuses a name that occurs twice.
void JsonBuilder::put_in_order(JsonMember* first, std::size_t count) {
  const std::span members(first, count);
  std::ranges::sort(members, comes_before, &JsonMember::name);
  const auto twice = std::ranges::adjacent_find(members, {}, &JsonMember::name);
  if (twice == members.end()) return;
  levels_.back().name = twice->name;
  reject("occurs twice", "only one of them would be read", "remove the other");
}

/// Files of other programs, databases and terminals end a text at its first NUL.
void JsonBuilder::require_plain(std::string_view text) const {
  if (texts_are_plain_) return;
  if (text.find('\0') != std::string_view::npos) {
    reject("holds the character NUL", "no text of a document does");
  }
  if (!simdjson::validate_utf8(text)) reject("is not UTF-8", "texts of documents are");
}

/// The key of the value that comes next.
std::string JsonBuilder::next_key() const {
  std::string key;
  for (const Level& level : levels_) {
    key = level.is_object ? member_key(key, level.name)
                          : key + "[" + std::to_string(level.items) + "]";
  }
  return key;
}

void JsonBuilder::reject(const std::string& problem, const std::string& why,
                         const std::string& suggestion) const {
  throw InputError({document_->file + ": key '" + next_key() + "' " + problem, why, suggestion});
}

}  // namespace hockney
