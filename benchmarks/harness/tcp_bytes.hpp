#pragma once

#include <cstdint>

namespace hockney {

/// What the peers of this process's TCP sockets have acknowledged of it so far, over all sockets
/// that are open now [B]. The kernel counts, whichever library sends.
std::int64_t tcp_bytes_sent();

}  // namespace hockney
