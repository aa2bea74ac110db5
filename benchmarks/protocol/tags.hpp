#pragma once

namespace hockney {

// Messages of one step of a protocol launch must never match those of another.
inline constexpr int note_tag = 0;       ///< arrangements between the two ranks of a pair
inline constexpr int hand_over_tag = 1;  ///< the message nobody waits for yet
inline constexpr int flood_tag = 2;      ///< eager messages until the sender blocks
inline constexpr int overhead_tag = 3;   ///< the overheads o_s and o_r

/// Of a call that copies its message, on any machine [B/s]: how long to wait for one to return.
inline constexpr double slowest_bytes_per_second = 1e8;

}  // namespace hockney
