#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/json_node.hpp"

namespace hockney {
namespace {

/// Builds a document from a parser's events, and refuses values outside of DocumentLimits. A list
/// is assembled at its end.
class JsonBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  /// `bytes` is an estimate of the document's size.
  JsonBuilder(const std::string& file, const DocumentLimits& limits, const Omission& omitted,
              std::size_t bytes);

  /// Skips the checks of texts: all that follow are valid UTF-8 without NUL.
  void trust_texts() { texts_are_plain_ = true; }

  [[nodiscard]] std::shared_ptr<const JsonDocument> document() && { return std::move(document_); }

  bool null() override { return add({nullptr}); }
  bool boolean(bool value) override { return add({value}); }
  bool number_integer(number_integer_t value) override { return add({std::int64_t{value}}); }
  bool number_unsigned(number_unsigned_t value) override { return add({std::uint64_t{value}}); }
  bool number_float(double value, const string_t& text) override;
  bool string(string_t& value) override { return add_text(value); }
  bool binary(binary_t& value) override;
  bool key(string_t& name) override { return begin_member(name); }
  bool start_object(std::size_t size) override;
  bool end_object() override;
  bool start_array(std::size_t size) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override;

  bool add_text(std::string_view text);
  bool begin_member(std::string_view name);

 private:
  /// An array or object whose end has not been read.
  struct Level {
    bool is_object = false;
    bool is_thinned = false;  ///< the object that Omission names
    std::string_view name{};  ///< of the current member
    std::size_t items = 0;    ///< number of complete items
  };

  bool add(JsonValue value);
  void count();
  void put(JsonValue value);
  bool open(bool is_object);
  template <class Item>
  JsonItems<Item> finish(std::vector<Item>& items);
  [[nodiscard]] std::string_view keep(std::string_view text);
  void put_in_order(JsonMember* first, std::size_t count);
  void require_plain(std::string_view text) const;
  [[nodiscard]] std::string next_key() const;
  [[noreturn]] void reject(const std::string& problem, const std::string& why,
                           const std::string& suggestion = "use the file as it was written") const;

  DocumentLimits limits_;
  Omission omitted_;
  bool texts_are_plain_ = false;
  std::shared_ptr<JsonDocument> document_;
  std::vector<Level> levels_;
  std::vector<JsonValue> elements_;  ///< of all open arrays
  std::vector<JsonMember> members_;  ///< of all open objects
  std::size_t values_ = 0;
};

/// The parser's message without the library's prefix and line breaks.
std::string reason(const nlohmann::detail::exception& error) {
  std::string text = error.what();
  if (const auto end = text.find("] "); end != std::string::npos) text.erase(0, end + 2);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

/// InputError: the file is not a valid document.
[[noreturn]] void reject_document(const std::string& file, const std::string& why) {
  throw InputError({file + ": cannot be read", why, "is the file whole?"});
}

/// InputError: the file exceeds DocumentLimits.
[[noreturn]] void reject_excess(const std::string& file, const std::string& problem) {
  throw InputError({fmt::format("{}: {}", file, problem), "no document of hockney has as many",
                    "is it the right file?"});
}

}  // namespace

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
    reject_excess(document_->file,
                  fmt::format("has more than {} levels of arrays and objects", limits_.levels));
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
  reject_excess(document_->file, fmt::format("has more than {} values", limits_.values));
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

/// Moves the items of the innermost level into the document.
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

/// Sorts the members; refuses a name that occurs twice.
void JsonBuilder::put_in_order(JsonMember* first, std::size_t count) {
  const std::span members(first, count);
  std::ranges::sort(members, comes_before, &JsonMember::name);
  const auto twice = std::ranges::adjacent_find(members, {}, &JsonMember::name);
  if (twice == members.end()) return;
  levels_.back().name = twice->name;
  reject("occurs twice", "only one of them would be read", "remove the other");
}

/// Refuses NUL: other programs, databases and terminals end a text there.
void JsonBuilder::require_plain(std::string_view text) const {
  if (texts_are_plain_) return;
  if (text.find('\0') != std::string_view::npos) {
    reject("holds the character NUL", "no text of a document does");
  }
  if (!simdjson::validate_utf8(text)) reject("is not UTF-8", "texts of documents are");
}

/// The key of the next value.
std::string JsonBuilder::next_key() const {
  std::string key;
  for (const Level& level : levels_) {
    key = level.is_object ? member_key(key, level.name) : fmt::format("{}[{}]", key, level.items);
  }
  return key;
}

void JsonBuilder::reject(const std::string& problem, const std::string& why,
                         const std::string& suggestion) const {
  throw InputError(
      {fmt::format("{}: key '{}' {}", document_->file, next_key(), problem), why, suggestion});
}

namespace {

using Json = nlohmann::json;

/// Passes the values that simdjson found to the builder, no deeper than the builder allows.
void build_from(const simdjson::dom::element& value,
                JsonBuilder& builder) {  // NOLINT(misc-no-recursion)
  using Type = simdjson::dom::element_type;
  switch (value.type()) {
    case Type::ARRAY:
      builder.start_array(0);
      for (const auto element : simdjson::dom::array(value)) build_from(element, builder);
      builder.end_array();
      break;
    case Type::OBJECT:
      builder.start_object(0);
      for (const auto& [key, member] : simdjson::dom::object(value)) {
        builder.begin_member(key);
        build_from(member, builder);
      }
      builder.end_object();
      break;
    case Type::STRING:
      builder.add_text(std::string_view{value});
      break;
    case Type::INT64: {
      const std::int64_t whole{value};
      whole < 0 ? builder.number_integer(whole)
                : builder.number_unsigned(static_cast<std::uint64_t>(whole));
      break;
    }
    case Type::UINT64:
      builder.number_unsigned(std::uint64_t{value});
      break;
    case Type::DOUBLE:
      builder.number_float(double{value}, "");
      break;
    case Type::BOOL:
      builder.boolean(bool{value});
      break;
    case Type::NULL_VALUE:
      builder.null();
      break;
  }
}

/// Whether a text of unknown length contains another one among its parts. CBOR forbids that (RFC
/// 8949, 3.2.3), but nlohmann's reader would recurse for each of them before it calls the builder.
bool nests_texts(std::string_view bytes) {
  bool among_parts = false;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto head = static_cast<unsigned char>(bytes[at++]);
    const unsigned length_of = head & 0x1FU;
    const bool is_text = head >> 5U == 2 || head >> 5U == 3;
    if (length_of == 31) {  // an unknown length, or the end of an item with one
      if (is_text && among_parts) return true;
      among_parts = is_text;
      continue;
    }
    std::uint64_t length = length_of < 24 ? length_of : 0;
    for (unsigned left = length_of < 24 ? 0 : 1U << (length_of - 24); left > 0; --left) {
      if (at == bytes.size()) return false;
      length = length << 8U | static_cast<unsigned char>(bytes[at++]);
    }
    if (is_text && length > bytes.size() - at) return false;
    if (is_text) at += length;
  }
  return false;
}

void require_size(std::string_view content, const std::string& file, const DocumentLimits& limits) {
  if (content.size() > limits.bytes) {
    reject_excess(file, fmt::format("has more than {} bytes", limits.bytes));
  }
}

}  // namespace

JsonNode parse_json(std::string_view text, const std::string& file, const DocumentLimits& limits,
                    const Omission& omitted) {
  require_size(text, file, limits);
  JsonBuilder builder(file, limits, omitted, text.size());
  // Reuses the parser's memory: allocating it takes as long as parsing most documents.
  constexpr std::size_t usual = std::size_t{1} << 20U;
  thread_local simdjson::dom::parser of_thread;
  std::optional<simdjson::dom::parser> of_large;
  simdjson::dom::parser& parser = text.size() <= usual ? of_thread : of_large.emplace();
  simdjson::dom::element root;
  if (parser.parse(text.data(), text.size()).get(root) == simdjson::SUCCESS) {
    if (text.find(R"(\u0000)") == std::string_view::npos) builder.trust_texts();
    build_from(root, builder);
  } else {
    Json::sax_parse(text, &builder);  // reports the error and its place
  }
  return JsonNode(std::move(builder).document());
}

JsonNode parse_cbor(std::string_view bytes, const std::string& file, const DocumentLimits& limits,
                    const Omission& omitted) {
  require_size(bytes, file, limits);
  if (nests_texts(bytes)) reject_document(file, "a text is among the parts of a text");
  JsonBuilder builder(file, limits, omitted, bytes.size());
  Json::sax_parse(bytes, &builder, Json::input_format_t::cbor);
  return JsonNode(std::move(builder).document());
}

JsonNode load_json(const std::string& file, const DocumentLimits& limits, const Omission& omitted) {
  const std::string content = read_file(file, limits.bytes);
  return file.ends_with(".cbor") ? parse_cbor(content, file, limits, omitted)
                                 : parse_json(content, file, limits, omitted);
}

}  // namespace hockney
