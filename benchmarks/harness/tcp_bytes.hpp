#pragma once

#include <cstdint>

namespace hockney {

/// What this process has sent so far over TCP, repetitions with it, by all sockets that are open
/// now [B]. The kernel counts, whichever library sends.
std::int64_t tcp_bytes_sent();

}  // namespace hockney
