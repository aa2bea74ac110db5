#include "core/protocol.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "core/json_values.hpp"
#include "core/record_json.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

Json to_json(const HandOver& found) {
  return {{"call", found.call},
          {"receiver", found.receiver},
          {"datatype", found.datatype},
          {"limit_bytes", or_null(found.limit_bytes)},
          {"held_bytes", or_null(found.held_bytes)},
          {"most_bytes", found.most_bytes},
          {"exceptions", found.exceptions},
          {"probes", found.probes},
          {"corrections", found.corrections}};
}

Json to_json(const Unexpected& found) {
  return {{"bytes", found.bytes},
          {"receiver", found.receiver},
          {"accepted", or_null(found.accepted)},
          {"most", found.most}};
}

Json to_json(const StatedLimit& limit) {
  return {{"variable", limit.variable},
          {"value_bytes", limit.value_bytes},
          {"header_bytes", limit.header_bytes}};
}

HandOver read_hand_over(const JsonNode& node) {
  HandOver found{.call = node.at("call").text(),
                 .receiver = node.at("receiver").text(),
                 .datatype = node.at("datatype").text(),
                 .limit_bytes = optional_amount(node, "limit_bytes"),
                 .held_bytes = optional_amount(node, "held_bytes"),
                 .most_bytes = amount(node.at("most_bytes")),
                 .probes = small_integer(node.at("probes")),
                 .corrections = small_integer(node.at("corrections"))};
  for (const JsonNode& bytes : node.at("exceptions").elements()) {
    found.exceptions.push_back(amount(bytes));
  }
  return found;
}

Unexpected read_unexpected(const JsonNode& node) {
  const auto accepted = node.find("accepted");
  return {.bytes = amount(node.at("bytes")),
          .receiver = node.at("receiver").text(),
          .accepted = accepted ? std::optional(small_integer(*accepted)) : std::nullopt,
          .most = small_integer(node.at("most"))};
}

StatedLimit read_stated(const JsonNode& node) {
  return {.variable = node.at("variable").text(),
          .value_bytes = amount(node.at("value_bytes")),
          .header_bytes = amount(node.at("header_bytes"))};
}

}  // namespace

Json to_json(const Protocol& protocol) {
  return {{"hop", or_null(protocol.hop)},
          {"pair", protocol.pair},
          {"path", or_null(protocol.path)},
          {"eager_limit_bytes", or_null(protocol.eager_limit_bytes)},
          {"reason", protocol.reason},
          {"evidence",
           {{"hand_overs", array_json(protocol.hand_overs, to_json)},
            {"unexpected", array_json(protocol.unexpected, to_json)},
            {"stated", array_json(protocol.stated, to_json)}}},
          {"flags", protocol.flags}};
}

Protocol read_protocol(const JsonNode& node) {
  const JsonNode evidence = node.at("evidence");
  return {.hop = optional_text(node, "hop"),
          .pair = small_integers(node.at("pair")),
          .path = optional_text(node, "path"),
          .eager_limit_bytes = optional_amount(node, "eager_limit_bytes"),
          .reason = node.at("reason").text(),
          .hand_overs = read_array(evidence.at("hand_overs"), read_hand_over),
          .unexpected = read_array(evidence.at("unexpected"), read_unexpected),
          .stated = read_array(evidence.at("stated"), read_stated),
          .flags = node.at("flags").texts()};
}

Json to_json(const MemoryUse& use) {
  return {{"rank", use.rank},
          {"moment", use.moment},
          {"peers", or_null(use.peers)},
          {"waiting_messages", or_null(use.messages)},
          {"waiting_message_bytes", or_null(use.message_bytes)},
          {"rss_bytes", use.rss_bytes},
          {"pss_bytes", use.pss_bytes},
          {"shared_bytes", use.shared_bytes}};
}

MemoryUse read_memory_use(const JsonNode& node) {
  const auto peers = node.find("peers");
  return {.rank = small_integer(node.at("rank")),
          .moment = node.at("moment").text(),
          .peers = peers ? std::optional(small_integer(*peers)) : std::nullopt,
          .messages = optional_amount(node, "waiting_messages"),
          .message_bytes = optional_amount(node, "waiting_message_bytes"),
          .rss_bytes = amount(node.at("rss_bytes")),
          .pss_bytes = amount(node.at("pss_bytes")),
          .shared_bytes = amount(node.at("shared_bytes"))};
}

namespace {

/// Words of the names by which libraries call such limits. Open MPI's "self" is a rank that sends
/// to itself.
bool is_about_eager(const std::string& name) {
  constexpr std::array<std::string_view, 4> words{"eager", "rndv", "rendezvous", "cell_size"};
  std::string lower = name;
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto occurs = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
  return std::ranges::any_of(words, occurs) && !occurs("_self_");
}

}  // namespace

std::vector<StatedLimit> explain_limit(const Settings& settings, std::int64_t limit_bytes) {
  std::vector<StatedLimit> stated;
  for (const auto& [name, text] : settings) {
    const auto value = is_about_eager(name) ? as_number<std::int64_t>(text) : std::nullopt;
    if (!value) continue;
    const std::int64_t header = *value - limit_bytes;
    if (header >= 0 && header <= largest_header_bytes) stated.push_back({name, *value, header});
  }
  return stated;
}

bool states_eager_limits(const Settings& settings) {
  return std::ranges::any_of(settings, [](const auto& setting) {
    return is_about_eager(setting.first) && as_number<std::int64_t>(setting.second).value_or(0) > 0;
  });
}

}  // namespace hockney
