#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hockney {

/// Memory of one rank's process at one moment of a launch.
struct MemoryUse {
  int rank = 0;
  std::string moment;  ///< "after-init", "after-peer", "flooded" (messages wait), "after-flood"
  std::optional<int> peers;                   ///< ranks it had exchanged a message with by then
  std::optional<std::int64_t> messages;       ///< of a flood: waiting unreceived
  std::optional<std::int64_t> message_bytes;  ///< of each of them
  std::int64_t rss_bytes = 0;                 ///< resident
  std::int64_t pss_bytes = 0;     ///< resident, shared pages divided by those who share them
  std::int64_t shared_bytes = 0;  ///< resident in shared-memory segments and files on tmpfs

  friend bool operator==(const MemoryUse&, const MemoryUse&) = default;
};

}  // namespace hockney
