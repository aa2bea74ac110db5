#include "core/transport.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace hockney {
namespace {

constexpr double most_of_it = 0.5;        // of the payload: enough to name the path
constexpr double hardly_any_of_it = 0.1;  // what else goes on beside the messages

}  // namespace

PathProof prove_path(const Transport& transport) {
  if (transport.messages == 0 || transport.payload_bytes == 0) return {{}, "no message was seen"};
  const auto payload = static_cast<double>(transport.payload_bytes);
  const double copied = static_cast<double>(transport.copied_bytes) / payload;
  const double sent = static_cast<double>(transport.tcp_bytes) / payload;
  if (copied >= most_of_it && sent < most_of_it) return {"cma", {}};
  if (sent >= most_of_it && copied < most_of_it) return {"tcp", {}};
  if (copied >= hardly_any_of_it || sent >= hardly_any_of_it) {
    return {{}, "the messages went by several paths"};
  }
  if (!transport.shares_memory) {
    return {{}, "neither copies nor sockets carried the messages, and the ranks share no memory"};
  }
  if (!transport.devices.empty()) {
    return {{}, join(transport.devices) + " may have carried the messages, and leaves no count"};
  }
  return {"shm", {}};
}

void add(Transport& sum, const Transport& more) {
  sum.messages += more.messages;
  sum.payload_bytes += more.payload_bytes;
  sum.copy_calls += more.copy_calls;
  sum.copied_bytes += more.copied_bytes;
  sum.tcp_bytes += more.tcp_bytes;
  sum.shares_memory = sum.shares_memory || more.shares_memory;
  for (const std::string& device : more.devices) {
    if (std::ranges::find(sum.devices, device) == sum.devices.end()) sum.devices.push_back(device);
  }
}

}  // namespace hockney
