#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/json_node.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

[[noreturn]] void reject_document(const std::string& file, const std::string& why) {
  throw InputError({file + ": cannot be read", why, "is the file whole?"});
}

[[noreturn]] void reject_excess(const std::string& file, const std::string& problem) {
  throw InputError(
      {file + ": " + problem, "no document of hockney has as many", "is it the right file?"});
}

/// The parser's own words without the library's prefix and without line breaks.
std::string reason(const Json::exception& error) {
  std::string text = error.what();
  if (const auto end = text.find("] "); end != std::string::npos) text.erase(0, end + 2);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

/// Makes the tree of a document of what a parser finds, and refuses what no document may hold
/// before it is in the tree.
class TreeBuilder final : public nlohmann::json_sax<Json> {
 public:
  TreeBuilder(const std::string& file, const DocumentLimits& limits, const Omission& omitted)
      : file_(file), limits_(limits), omitted_(omitted) {}

  [[nodiscard]] Json tree() && { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }

  bool number_float(number_float_t value, const string_t& /*text*/) override {
    if (!std::isfinite(value)) reject("holds a number that is not finite", "nothing measured is");
    return add(value);
  }

  bool string(string_t& value) override {
    require_plain(value);
    if (!leaves_out()) return add(std::move(value));
    count();
    return true;
  }

  bool binary(binary_t& /*value*/) override {
    reject("holds bytes", "documents hold texts and numbers");
  }

  bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
  /// CBOR declares a size, which nothing but what follows proves.
  bool start_array(std::size_t size) override {
    constexpr std::size_t most_reserved = std::size_t{1} << 16U;
    constexpr auto unknown_size = std::numeric_limits<std::size_t>::max();
    Json::array_t elements;
    if (size != unknown_size) elements.reserve(std::min(size, most_reserved));
    return open(std::move(elements));
  }

  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& key) override {
    require_plain(key);
    Level& level = levels_.back();
    if (!level.is_thinned || omitted_.keeps(key)) return begin_member(std::move(key));
    left_out_ = std::move(key);
    level.key = &left_out_;
    level.member = nullptr;
    return true;
  }

  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    reject_document(file_, reason(error));
  }

 private:
  /// An array or object around the place of parsing.
  struct Level {
    Json* container = nullptr;
    Json::array_t* elements = nullptr;  ///< of an array
    const std::string* key = nullptr;   ///< of the member under way, in an object
    Json* member = nullptr;
    bool is_thinned = false;  ///< the object of the omission
  };

  template <class Value>
  bool add(Value&& value) {
    place(std::forward<Value>(value));
    return true;
  }

  bool begin_member(std::string key) {
    Level& level = levels_.back();
    const auto [place, added] = level.container->emplace(std::move(key), nullptr);
    level.key = &place.key();
    level.member = &*place;
    if (!added) reject("occurs twice", "only one of them would be read", "remove the other");
    return true;
  }

  /// Whether the value that comes next is not kept if it is a text.
  [[nodiscard]] bool leaves_out() const {
    return !levels_.empty() && levels_.back().is_thinned && levels_.back().member == nullptr;
  }

  void count() {
    if (++values_ <= limits_.values) return;
    reject_excess(file_, "has more than " + std::to_string(limits_.values) + " values");
  }

  template <class Value>
  Json& place(Value&& value) {
    count();
    if (levels_.empty()) return root_ = std::forward<Value>(value);
    if (leaves_out())
      begin_member(left_out_);  // what is no text is kept, and refused by its reader
    const Level& level = levels_.back();
    if (level.elements != nullptr) return level.elements->emplace_back(std::forward<Value>(value));
    return *level.member = std::forward<Value>(value);
  }

  bool open(Json container) {
    if (levels_.size() == limits_.levels) {
      reject_excess(file_, "has more than " + std::to_string(limits_.levels) +
                               " levels of arrays and objects");
    }
    const bool is_thinned = omitted_.keeps != nullptr && next_key() == omitted_.object;
    Json& placed = place(std::move(container));
    levels_.push_back({.container = &placed,
                       .elements = placed.get_ptr<Json::array_t*>(),
                       .is_thinned = is_thinned});
    return true;
  }

  bool close() {
    levels_.pop_back();
    return true;
  }

  /// Files of other programs, databases and terminals end a text at its first NUL.
  void require_plain(const std::string& text) const {
    if (text.find('\0') != std::string::npos) {
      reject("holds the character NUL", "no text of a document does");
    }
    if (!simdjson::validate_utf8(text)) reject("is not UTF-8", "texts of documents are");
  }

  /// The key of the value that comes next.
  [[nodiscard]] std::string next_key() const {
    std::string key;
    for (const Level& level : levels_) {
      const bool last = &level == &levels_.back();
      key = level.container->is_array()
                ? key + "[" + std::to_string(level.container->size() - (last ? 0 : 1)) + "]"
                : member_key(key, level.key == nullptr ? "" : *level.key);
    }
    return key;
  }

  [[noreturn]] void reject(const std::string& problem, const std::string& why,
                           const std::string& suggestion = "use the file as it was written") const {
    throw InputError({file_ + ": key '" + next_key() + "' " + problem, why, suggestion});
  }

  std::string file_;
  DocumentLimits limits_;
  Omission omitted_;
  std::string left_out_;  ///< key of the member under way, where it is not kept
  Json root_;
  std::vector<Level> levels_;
  std::size_t values_ = 0;
};

/// Tells the builder what simdjson has found; no deeper than the builder allows.
void tell(const simdjson::dom::element& value, TreeBuilder& builder) {  // NOLINT(misc-no-recursion)
  using Type = simdjson::dom::element_type;
  switch (value.type()) {
    case Type::ARRAY:
      builder.start_array(simdjson::dom::array(value).size());
      for (const auto element : simdjson::dom::array(value)) tell(element, builder);
      builder.end_array();
      break;
    case Type::OBJECT:
      builder.start_object(0);
      for (const auto& [key, member] : simdjson::dom::object(value)) {
        std::string name(key);
        builder.key(name);
        tell(member, builder);
      }
      builder.end_object();
      break;
    case Type::STRING: {
      std::string text(std::string_view{value});
      builder.string(text);
      break;
    }
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

/// Whether a text of unknown length has another one among its parts, which CBOR forbids (RFC 8949,
/// 3.2.3): nlohmann's reader calls itself for each before it asks the builder.
bool nests_texts(std::string_view bytes) {
  bool among_parts = false;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto head = static_cast<unsigned char>(bytes[at++]);
    const unsigned length_of = head & 0x1FU;
    const bool is_text = head >> 5U == 2 || head >> 5U == 3;
    if (length_of == 31) {  // unknown, or the end of what has an unknown one
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
    reject_excess(file, "has more than " + std::to_string(limits.bytes) + " bytes");
  }
}

}  // namespace

JsonNode parse_json(std::string_view text, const std::string& file, const DocumentLimits& limits,
                    const Omission& omitted) {
  require_size(text, file, limits);
  TreeBuilder builder(file, limits, omitted);
  // Its memory is used again, since making it takes as long as finding what is in most documents.
  constexpr std::size_t usual = std::size_t{1} << 20U;
  thread_local simdjson::dom::parser of_thread;
  std::optional<simdjson::dom::parser> of_large;
  simdjson::dom::parser& parser = text.size() <= usual ? of_thread : of_large.emplace();
  simdjson::dom::element root;
  if (parser.parse(text.data(), text.size()).get(root) == simdjson::SUCCESS) {
    tell(root, builder);
  } else {
    Json::sax_parse(text, &builder);  // says what is wrong and where
  }
  return {std::move(builder).tree(), file};
}

JsonNode parse_cbor(std::string_view bytes, const std::string& file, const DocumentLimits& limits,
                    const Omission& omitted) {
  require_size(bytes, file, limits);
  if (nests_texts(bytes)) reject_document(file, "a text is among the parts of a text");
  TreeBuilder builder(file, limits, omitted);
  Json::sax_parse(bytes, &builder, Json::input_format_t::cbor);
  return {std::move(builder).tree(), file};
}

JsonNode load_json(const std::string& file, const DocumentLimits& limits, const Omission& omitted) {
  const std::string content = read_file(file, limits.bytes);
  return file.ends_with(".cbor") ? parse_cbor(content, file, limits, omitted)
                                 : parse_json(content, file, limits, omitted);
}

}  // namespace hockney
