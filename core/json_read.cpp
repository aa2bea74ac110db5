#include <simdjson.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "core/atomic_file.hpp"
#include "core/json_builder.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

/// Tells the builder what simdjson has found; no deeper than the builder allows.
void tell(const simdjson::dom::element& value, JsonBuilder& builder) {  // NOLINT(misc-no-recursion)
  using Type = simdjson::dom::element_type;
  switch (value.type()) {
    case Type::ARRAY:
      builder.start_array(0);
      for (const auto element : simdjson::dom::array(value)) tell(element, builder);
      builder.end_array();
      break;
    case Type::OBJECT:
      builder.start_object(0);
      for (const auto& [key, member] : simdjson::dom::object(value)) {
        builder.begin_member(key);
        tell(member, builder);
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
  JsonBuilder builder(file, limits, omitted, text.size());
  // Its memory is used again, since making it takes as long as finding what is in most documents.
  constexpr std::size_t usual = std::size_t{1} << 20U;
  thread_local simdjson::dom::parser of_thread;
  std::optional<simdjson::dom::parser> of_large;
  simdjson::dom::parser& parser = text.size() <= usual ? of_thread : of_large.emplace();
  simdjson::dom::element root;
  if (parser.parse(text.data(), text.size()).get(root) == simdjson::SUCCESS) {
    if (text.find(R"(\u0000)") == std::string_view::npos) builder.trust_texts();
    tell(root, builder);
  } else {
    Json::sax_parse(text, &builder);  // says what is wrong and where
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
