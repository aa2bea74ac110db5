#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "benchmarks/protocol/send_call.hpp"

namespace hockney {

/// The bytes that messages under test carry, and whether they arrived. Byte i of every message is
/// the same function of i, however it lies in memory.
class MessageData {
 public:
  /// For messages of up to `most_bytes`, drawn from `seed`.
  MessageData(std::int64_t most_bytes, std::uint64_t seed);

  [[nodiscard]] const void* to_send(MessageLayout layout) const;
  /// A buffer for the most bytes, wrong in every byte that check() has seen.
  [[nodiscard]] void* to_receive() { return received_.data(); }
  /// Looks at the first `bytes` bytes that were received, and spoils them again.
  void check(std::int64_t bytes);
  /// Whether a byte was ever wrong.
  [[nodiscard]] bool is_corrupt() const { return is_corrupt_; }

 private:
  std::vector<std::byte> dense_;
  std::vector<std::byte> strided_;  ///< the same, in every other byte
  std::vector<std::byte> received_;
  bool is_corrupt_ = false;
};

}  // namespace hockney
