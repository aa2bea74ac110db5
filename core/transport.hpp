#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hockney {

/// What carried the messages of a pair of ranks, as both of them and their kernel counted it while
/// the messages were under way.
struct Transport {
  std::int64_t messages = 0;
  std::int64_t payload_bytes = 0;    ///< of these messages; one byte for each empty one [B]
  std::int64_t copy_calls = 0;       ///< of process_vm_readv and process_vm_writev
  std::int64_t copied_bytes = 0;     ///< by these calls [B]
  std::int64_t tcp_bytes = 0;        ///< acknowledged to the ranks' sockets [B]
  bool shares_memory = false;        ///< both ranks map the same memory, and may write to it
  std::vector<std::string> devices;  ///< open, of those that leave no count (silent_devices)

  friend bool operator==(const Transport&, const Transport&) = default;
};

/// A device that moves data past every count, and the paths below /dev by which it is known.
struct SilentDevice {
  std::string_view name;
  std::string_view path;
};

inline constexpr std::array<SilentDevice, 7> silent_devices{{{"xpmem", "/dev/xpmem"},
                                                             {"knem", "/dev/knem"},
                                                             {"infiniband", "/dev/infiniband/"},
                                                             {"omni-path", "/dev/hfi1"},
                                                             {"slingshot", "/dev/cxi"},
                                                             {"gdrcopy", "/dev/gdrdrv"},
                                                             {"nvidia", "/dev/nvidia"}}};

/// The path that is proven, or why none is.
struct PathProof {
  std::optional<std::string> path;  ///< "cma", "shm" or "tcp"
  std::string reason;               ///< empty with a path

  friend bool operator==(const PathProof&, const PathProof&) = default;
};

/// "cma" where the ranks copied at least half of the payload from each other's memory (each byte is
/// counted on one side: the receiver reads it or the sender writes it), "tcp" where their sockets
/// carried as much; "shm" where both carried less than a tenth, the ranks share memory, and no
/// device is open that could have carried the rest unseen. Nothing else is proven.
PathProof prove_path(const Transport& transport);

/// Adds what happened in another block.
void add(Transport& sum, const Transport& more);

}  // namespace hockney
