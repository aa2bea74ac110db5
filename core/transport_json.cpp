#include "core/transport_json.hpp"

namespace hockney {
namespace {

std::int64_t read_count(const JsonNode& node) {
  const std::int64_t value = node.integer();
  if (value < 0) node.reject("is " + std::to_string(value), "nothing is counted backwards", "");
  return value;
}

}  // namespace

nlohmann::json transport_json(const std::optional<Transport>& transport) {
  if (!transport) return nullptr;
  const std::string reason = prove_path(*transport).reason;
  return {{"messages", transport->messages},
          {"payload_bytes", transport->payload_bytes},
          {"copy_calls", transport->copy_calls},
          {"copied_bytes", transport->copied_bytes},
          {"tcp_bytes", transport->tcp_bytes},
          {"shares_memory", transport->shares_memory},
          {"devices", transport->devices},
          {"unproven_because", reason.empty() ? nlohmann::json(nullptr) : nlohmann::json(reason)}};
}

std::optional<Transport> read_transport(const JsonNode& holder) {
  const auto node = holder.find("transport");
  if (!node) return std::nullopt;
  // For people: the counts say it again, but a mistake in the file is told all the same.
  if (const auto reason = node->find("unproven_because")) static_cast<void>(reason->text());
  return Transport{.messages = read_count(node->at("messages")),
                   .payload_bytes = read_count(node->at("payload_bytes")),
                   .copy_calls = read_count(node->at("copy_calls")),
                   .copied_bytes = read_count(node->at("copied_bytes")),
                   .tcp_bytes = read_count(node->at("tcp_bytes")),
                   .shares_memory = node->at("shares_memory").boolean(),
                   .devices = node->at("devices").texts()};
}

}  // namespace hockney
