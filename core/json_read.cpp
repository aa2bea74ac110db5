#include <fmt/format.h>
#include <algorithm>
#include <bit>
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
#include "core/json_document.hpp"
#include "core/json_node.hpp"

namespace hockney {

namespace {

using Json = nlohmann::json;

constexpr std::string_view as_written = "use the file as it was written";

/// InputError: the file is not a valid document.
[[noreturn]] void reject_document(const std::string& file, const std::string& why) {
  throw InputError({file + ": cannot be read", why, "is the file whole?"});
}

/// InputError: the file exceeds DocumentLimits.
[[noreturn]] void reject_excess(const std::string& file, const std::string& problem) {
  throw InputError({fmt::format("{}: {}", file, problem), "no document of hockney has as many",
                    "is it the right file?"});
}

void require_size(std::string_view content, const std::string& file, const DocumentLimits& limits) {
  if (content.size() > limits.bytes) {
    reject_excess(file, fmt::format("has more than {} bytes", limits.bytes));
  }
}

void require_level(std::size_t level, const std::string& file, const DocumentLimits& limits) {
  if (level > limits.levels) {
    reject_excess(file,
                  fmt::format("has more than {} levels of arrays and objects", limits.levels));
  }
}

void require_values(std::size_t values, const std::string& file, const DocumentLimits& limits) {
  if (values > limits.values) {
    reject_excess(file, fmt::format("has more than {} values", limits.values));
  }
}

/// nlohmann's message without its prefix and line breaks.
std::string reason(const Json::exception& error) {
  std::string text = error.what();
  if (const auto end = text.find("] "); end != std::string::npos) text.erase(0, end + 2);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

/// InputError for text that simdjson refuses. nlohmann names the place.
[[noreturn]] void reject_text(std::string_view text, const std::string& file,
                              const DocumentLimits& limits, simdjson::error_code error) {
  try {
    const auto pass_over = [&](int depth, Json::parse_event_t event, Json& /*value*/) {
      const bool begins =
          event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
      if (begins) require_level(static_cast<std::size_t>(depth) + 1, file, limits);
      return false;
    };
    const Json nothing = Json::parse(text, pass_over);
  } catch (const Json::exception& error_with_place) {
    reject_document(file, reason(error_with_place));
  }
  reject_document(file, simdjson::error_message(error));
}

}  // namespace

/// Refuses what other programs, databases and terminals cannot store, in a parsed document.
class DocumentCheck {
 public:
  /// `has_nul`: texts may contain NUL, which JSON writes as \u0000.
  DocumentCheck(const std::shared_ptr<const JsonDocument>& document, const DocumentLimits& limits,
                bool has_nul)
      : document_(document), limits_(limits), has_nul_(has_nul) {}

  void check(const simdjson::dom::element& value,
             std::size_t level = 1) {  // NOLINT(misc-no-recursion): few levels
    require_values(++values_, document_->file, limits_);
    if (value.is_array()) {
      require_level(level, document_->file, limits_);
      for (const auto element : simdjson::dom::array(value)) check(element, level + 1);
    } else if (value.is_object()) {
      require_level(level, document_->file, limits_);
      for (const auto& [name, member] : simdjson::dom::object(value)) {
        require_plain(name, member);
        check(member, level + 1);
      }
      require_unique(value);
    } else if (has_nul_ && value.is_string()) {
      require_plain(std::string_view(value), value);
    }
  }

 private:
  [[nodiscard]] JsonNode node(const simdjson::dom::element& value) const {
    return {document_, std::bit_cast<JsonNode::Handle>(value)};
  }

  /// Refuses NUL, which ends a text elsewhere.
  void require_plain(std::string_view text, const simdjson::dom::element& value) const {
    if (!has_nul_ || text.find('\0') == std::string_view::npos) return;
    node(value).reject("holds the character NUL", "no text of a document does",
                       std::string(as_written));
  }

  /// Refuses a name that occurs twice in an object. Most documents are written in the order of
  /// names.
  void require_unique(const simdjson::dom::element& object) {
    names_.clear();
    for (const auto& [name, member] : simdjson::dom::object(object)) names_.push_back(name);
    if (!std::ranges::is_sorted(names_)) std::ranges::sort(names_);
    const auto twice = std::ranges::adjacent_find(names_);
    if (twice == names_.end()) return;
    node(object).reject_member(*twice, "occurs twice", "only one of them would be read",
                               "remove the other");
  }

  const std::shared_ptr<const JsonDocument>& document_;
  DocumentLimits limits_;
  bool has_nul_;
  std::size_t values_ = 0;
  std::vector<std::string_view> names_;
};

JsonNode parse_json(std::string_view text, const std::string& file, const DocumentLimits& limits) {
  require_size(text, file, limits);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // mark of editors for UTF-8
  // Reuses the parser's memory: allocating it takes as long as parsing most documents.
  constexpr std::size_t usual = std::size_t{1} << 20U;
  thread_local simdjson::dom::parser of_thread;
  std::optional<simdjson::dom::parser> of_large;
  simdjson::dom::parser& parser = text.size() <= usual ? of_thread : of_large.emplace();
  const auto document = std::make_shared<JsonDocument>(file);
  const auto error = parser.parse_into_document(document->tree, text.data(), text.size()).error();
  if (error != simdjson::SUCCESS) reject_text(text, file, limits, error);
  const bool has_nul = text.find(R"(\u0000)") != std::string_view::npos;
  DocumentCheck(document, limits, has_nul).check(document->tree.root());
  return JsonNode(document);
}

namespace {

/// Writes the values of CBOR as JSON, and refuses those that JSON cannot hold.
class JsonText final : public nlohmann::json_sax<Json> {
 public:
  JsonText(const std::string& file, const DocumentLimits& limits) : file_(file), limits_(limits) {}

  [[nodiscard]] const std::string& text() const { return text_; }

  bool null() override { return add("null"); }
  bool boolean(bool value) override { return add(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return add(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return add(std::to_string(value)); }
  bool number_float(double value, const string_t& /*text*/) override {
    if (!std::isfinite(value)) reject("holds a number that is not finite", "nothing measured is");
    return add(Json(value).dump());
  }
  bool string(string_t& value) override { return add(quoted(value)); }
  bool binary(binary_t& /*value*/) override {
    reject("holds bytes", "documents hold texts and numbers");
  }
  bool key(string_t& name) override {
    levels_.back().name = name;
    text_ += (levels_.back().items > 0 ? "," : "") + quoted(name) + ":";
    return true;
  }
  bool start_object(std::size_t /*size*/) override { return open("{", true); }
  bool end_object() override { return close("}"); }
  bool start_array(std::size_t /*size*/) override { return open("[", false); }
  bool end_array() override { return close("]"); }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const Json::exception& error) override {
    reject_document(file_, reason(error));
  }

 private:
  /// An array or object whose end has not been read.
  struct Level {
    bool is_object = false;
    std::string name{};     ///< of the current member
    std::size_t items = 0;  ///< number of complete items
  };

  bool begin(std::string_view value) {
    require_values(++values_, file_, limits_);
    if (!levels_.empty() && !levels_.back().is_object && levels_.back().items > 0) text_ += ',';
    text_ += value;
    return true;
  }

  bool end() {
    if (!levels_.empty()) ++levels_.back().items;
    return true;
  }

  bool add(std::string_view value) { return begin(value) && end(); }

  bool open(std::string_view bracket, bool is_object) {
    begin(bracket);
    levels_.push_back({.is_object = is_object});
    require_level(levels_.size(), file_, limits_);
    return true;
  }

  bool close(std::string_view bracket) {
    text_ += bracket;
    levels_.pop_back();
    return end();
  }

  [[nodiscard]] std::string quoted(const std::string& text) const {
    if (!simdjson::validate_utf8(text)) reject("is not UTF-8", "texts of documents are");
    return Json(text).dump();
  }

  [[noreturn]] void reject(const std::string& problem, const std::string& why) const {
    std::string key;
    for (const Level& level : levels_) {
      key = level.is_object ? member_key(key, level.name) : fmt::format("{}[{}]", key, level.items);
    }
    throw InputError(
        {fmt::format("{}: key '{}' {}", file_, key, problem), why, std::string(as_written)});
  }

  const std::string& file_;
  DocumentLimits limits_;
  std::string text_;
  std::vector<Level> levels_;
  std::size_t values_ = 0;
};

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

}  // namespace

JsonNode parse_cbor(std::string_view bytes, const std::string& file, const DocumentLimits& limits) {
  require_size(bytes, file, limits);
  if (nests_texts(bytes)) reject_document(file, "a text is among the parts of a text");
  JsonText json(file, limits);
  Json::sax_parse(bytes, &json, Json::input_format_t::cbor);
  return parse_json(json.text(), file, {json.text().size(), limits.levels, limits.values});
}

JsonNode load_json(const std::string& file, const DocumentLimits& limits) {
  const std::string content = read_file(file, limits.bytes);
  return file.ends_with(".cbor") ? parse_cbor(content, file, limits)
                                 : parse_json(content, file, limits);
}

}  // namespace hockney
